"""Links in which sites keep whole puzzles, read and written: one module per site, each announced as a plugin."""
