"""Items and options: validated, and as integers."""
