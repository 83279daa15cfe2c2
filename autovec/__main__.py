"""`python -m autovec`: the command line."""

import sys

from autovec.cli import main

if __name__ == "__main__":
    sys.exit(main())
