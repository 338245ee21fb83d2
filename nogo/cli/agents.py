"""``nogo agents``: who can play, with which options, and where they come from."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from nogo.agent import Option
from nogo.cli.agents_check import check
from nogo.cli.agents_new import new
from nogo.registry import Problem, Registered, Registry, default


class _ShowUnlessTold(click.Group):
    """A group whose command show may be left out: ``nogo agents rave``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and args[0] in {*self.commands, *ctx.help_option_names}
        return super().parse_args(ctx, args if named else ["show", *args])


@click.group(cls=_ShowUnlessTold)
def agents() -> None:
    """List the agents that can play, explain one, check one, or begin a new one.

    \b
    Examples:
      nogo agents                    everyone, with options and defaults
      nogo agents rave               formula, source and all options of one
      nogo agents --json             the same for programs
      nogo agents --strict           exit 2 if an installed plugin is broken
      nogo agents check rave         whether it keeps what an agent promises
      nogo agents new my-agent       a plugin of your own, ready to install

    An agent is chosen by name:key=value,... e.g. rave:c=0.3,threads=2

    NOGO_DISABLE_PLUGINS shuts plugins out: all, or names of distributions
    and of agents with commas between them.
    """


@agents.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--strict", is_flag=True, help="Fail when any installed plugin has a problem.")
def show(name: str | None, as_json: bool, strict: bool) -> None:
    """List the agents that can play, or explain the one called NAME.

    \b
    Examples:
      nogo agents                    the word show may be left out
      nogo agents show check         but not for an agent called check or new
    """
    registry = Registry(strict=True) if strict else default()
    chosen = [registry.find(name)] if name else registry.agents()
    problems, blocked = registry.problems(), registry.blocked()
    if as_json:
        found = {"agents": list(map(_as_json, chosen)), "problems": list(map(str, problems)), "blocked": blocked}
        click.echo(json.dumps(found, indent=1))
    elif name:
        _explain(chosen[0])
    else:
        _list(chosen)
    _warn(problems, blocked)


agents.add_command(check)
agents.add_command(new)


def _as_json(registered: Registered) -> dict[str, Any]:
    spec, origin = registered.spec, registered.origin
    return {
        "name": spec.name,
        "summary": spec.summary,
        "games": spec.games,
        "distribution": origin.distribution,
        "version": origin.version,
        "explanation": _paragraphs(spec.explanation),
        "options": [
            {**{key: getattr(option, key) for key in _JSON_KEYS}, "type": option.type.__name__}
            for option in spec.options
        ],
    }


_JSON_KEYS = ("name", "default", "help", "least", "most", "choices", "optional")


def _warn(problems: Sequence[Problem], blocked: Sequence[str]) -> None:
    console = Console(stderr=True)
    for words in blocked:
        console.print(f"[dim]blocked: {escape(words)}[/]", highlight=False, soft_wrap=True)
    for problem in problems:
        console.print(f"[yellow]skipped:[/] {escape(str(problem))}", highlight=False, soft_wrap=True)


def _list(registered: list[Registered]) -> None:
    """Show all agents; the options that most share are listed once, with what most have as default."""
    console = Console()
    shared = _shared(registered)
    table = Table(box=box.SIMPLE_HEAD, title="Agents", title_justify="left", title_style="bold")
    table.add_column("agent", style="cyan", no_wrap=True)
    table.add_column("games", overflow="fold")
    table.add_column("what it does, and its own options or defaults", ratio=1)
    table.add_column("from", style="dim")
    for entry in registered:
        spec = entry.spec
        own = "  ".join(_assignment(option) for option in spec.options if shared.get(option.name) != option)
        about = escape(spec.summary) + (f"\n[green]{escape(own)}[/]" if own else "")
        table.add_row(spec.name, ", ".join(spec.games or ["all"]), about, str(entry.origin))
    console.print(table, highlight=False)
    if shared:
        console.print(_options_table("Options that most of them share", list(shared.values())), highlight=False)
    console.print("  nogo agents NAME explains one. Choose with name:key=value,... e.g. rave:c=0.3", style="dim")


def _shared(registered: list[Registered]) -> dict[str, Option]:
    """Find the options that more than half of the agents with any have, each with its commonest declaration."""
    with_options = [entry.spec.options for entry in registered if entry.spec.options]
    counts = Counter(option for options in with_options for option in options)
    names = Counter(option.name for options in with_options for option in options)
    shared: dict[str, Option] = {}
    for option, _ in counts.most_common():
        if 2 * names[option.name] > len(with_options) and len(with_options) > 2:
            shared.setdefault(option.name, option)
    order = [option.name for options in sorted(with_options, key=len, reverse=True) for option in options]
    return {name: shared[name] for name in dict.fromkeys(order) if name in shared}


def _assignment(option: Option) -> str:
    return f"{option.name}={option.show(option.default)}"


def _options_table(title: str, options: Sequence[Option]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    table.add_column("option", style="cyan", no_wrap=True)
    table.add_column("default", style="green", no_wrap=True)
    table.add_column("values", max_width=20)  # the help needs the room
    table.add_column("what it does", ratio=1)
    for option in options:
        table.add_row(option.name, escape(option.show(option.default)), escape(option.domain), escape(option.help))
    return table


def _explain(entry: Registered) -> None:
    spec, console = entry.spec, Console()
    console.print(f"\n[bold cyan]{spec.name}[/]  {escape(spec.summary)}", highlight=False)
    console.print(f"[dim]from {escape(str(entry.origin))}; plays {', '.join(spec.games or ['all games'])}[/]\n")
    for paragraph in _paragraphs(spec.explanation):
        console.print(Padding(escape(paragraph), (0, 0, 1, 2)), highlight=False)
    if spec.options:
        console.print(_options_table("Options", spec.options), highlight=False)
        console.print(f"  e.g. {escape(f'{spec.name}:{_assignment(spec.options[0])}')}", style="dim", highlight=False)
    else:
        console.print("  It has no options.", style="dim")


def _paragraphs(text: str) -> list[str]:
    return [" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text).split("\n\n") if paragraph.strip()]
