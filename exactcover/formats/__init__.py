"""Files that the package reads and writes, one module a format."""
