"""Run the ``nogo`` command: ``python -m nogo``."""

from nogo.cli import main

main(prog_name="nogo")
