"""The reference pages that are written from the program: every command with its help, every agent with its options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from nogo import registry
from nogo.agent import AgentSpec
from nogo.cli import main


def commands(group: click.Group = main, words: tuple[str, ...] = ("nogo",)) -> Iterator[tuple[str, click.Command]]:
    """Give every command that does something, with its whole name."""
    for name, command in sorted(group.commands.items()):
        yield " ".join((*words, name)), command
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))


def commands_page() -> str:
    """Write the help of every command."""
    parts = ["# Commands", "`nogo COMMAND` and `python -m nogo COMMAND` are the same."]
    for name, command in commands():
        context = click.Context(command, info_name=name, terminal_width=100, max_content_width=100)
        parts += [f"## {name}", f"```text\n{command.get_help(context)}\n```"]
    return "\n\n".join(parts) + "\n"


def agents_page() -> str:
    """Write what every agent of this distribution says of itself, and its options."""
    parts = ["# Agents and their options", "As `nogo agents NAME` explains them."]
    for registered in registry.agents():
        if registered.origin.distribution == "nogo":
            parts += _agent(registered.spec)
    return "\n\n".join(parts) + "\n"


def _agent(spec: AgentSpec) -> Iterator[str]:
    yield f"## {spec.name}"
    yield f"{_plain(spec.summary)}. Plays {', '.join(spec.games) if spec.games else 'all games'}."
    for paragraph in inspect.cleandoc(spec.explanation).split("\n\n"):
        yield _plain(" ".join(paragraph.split()))
    if spec.options:
        rows = [f"| `{o.name}` | `{o.show(o.default)}` | {_plain(o.domain)} | {_plain(o.help)} |" for o in spec.options]
        yield "\n".join(["| option | default | values | what it does |", "|---|---|---|---|", *rows])


def _plain(text: str) -> str:
    """Keep what Markdown would take for markup as it is."""
    return "".join(f"\\{letter}" if letter in "*_`<|[" else letter for letter in text)
