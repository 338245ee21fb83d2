"""HTML made of values: whatever is not markup already is text, and is escaped.

Names, reasons and output come from agents. What is invisible in them, or turns the text around it, becomes a space; a
name that is written from right to left stays within its own ``bdi``.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from nogo.match.replay import one_line, printable


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """Make a value part of a page."""
    return value if isinstance(value, Markup) else Markup(html.escape(printable(value)))


def joined(*parts: object) -> Markup:
    """Put parts one after the other."""
    return Markup("".join(escaped(part) for part in parts))


def tag(name: str, *children: object, **attributes: object) -> Markup:
    """Make an element; an attribute that is None is left out, and ``class_`` is ``class``."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{given}>{joined(*children)}</{name}>")


def name(text: object) -> Markup:
    """Write somebody's words: they keep to themselves."""
    return tag("bdi", one_line(text))


def plural(count: int, one: str, many: str | None = None) -> str:
    """Count things."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def small(*parts: object) -> Markup:
    """Write what is said by the way."""
    return tag("small", *parts)


def number(value: object, class_: str = "") -> Markup:
    """Make a cell of a figure."""
    return tag("td", value, class_=f"n {class_}".strip())


def table(caption: object, headings: Sequence[object], rows: Iterable[Sequence[object]]) -> Markup:
    """Make a table whose first column names the rows; a heading that begins with # is one of figures.

    Cells that are no cells yet become some.
    """
    head = [
        tag("th", str(heading).lstrip("#"), scope="col", class_="n" if str(heading).startswith("#") else None)
        for heading in headings
    ]
    body = [tag("tr", tag("th", row[0], scope="row"), *(_cell(cell) for cell in row[1:])) for row in rows]
    whole = tag("table", tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *body))
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _cell(cell: object) -> Markup:
    return cell if isinstance(cell, Markup) and cell.startswith("<td") else tag("td", cell)


def section(heading: str, *parts: object, id_: str | None = None) -> Markup:
    """Make a part of the page under its heading."""
    return tag("section", tag("h2", heading), *parts, id=id_)
