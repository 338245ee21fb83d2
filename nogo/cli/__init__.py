"""The ``nogo`` command, also ``python -m nogo``. One file a command; the only room that prints."""

from __future__ import annotations

import click

from nogo.cli.agents import agents
from nogo.cli.bench import bench
from nogo.cli.gtp import gtp
from nogo.cli.match import match
from nogo.cli.nboard import nboard
from nogo.cli.otp import otp
from nogo.cli.search import search
from nogo.errors import NogoError


class _Refusal(click.ClickException):
    """Bad input: exit code 2, as for click's own usage errors."""

    exit_code = 2


class _Group(click.Group):
    """Shows our own errors as one line, without a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except NogoError as error:
            raise _Refusal(str(error)) from error


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nogo")
def main() -> None:
    """Play Monte-Carlo games as fast as the machine allows."""


for command in (agents, bench, gtp, match, nboard, otp, search):
    main.add_command(command)
