"""What can be said of a problem besides its solutions."""
