"""``python -m exactcover``: the command line."""

from exactcover.cli import main

if __name__ == "__main__":
    main()
