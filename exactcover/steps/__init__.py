"""What happens to a matrix on its way to an engine."""
