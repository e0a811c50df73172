"""Files: which may be named, reading with a bound, writing as a whole."""
