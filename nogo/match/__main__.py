"""Run a match: ``python -m nogo.match``, the same as ``nogo match``."""

import sys

from nogo.cli import main

main(["match", *sys.argv[1:]], prog_name="nogo")
