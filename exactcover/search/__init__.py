"""From a problem and what is asked of it to solutions."""
