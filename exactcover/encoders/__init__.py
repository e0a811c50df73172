"""What turns parameters into problems, and how such encoders are found."""
