"""DIR/report.html: one page that tells all of a match, and needs nothing but itself.

It is written from the records alone, asks for nothing from outside, and runs no script but its own: its security policy
names both its style sheet and its script by their hashes. Whatever records say is text there.
"""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from nogo.match.files import write_whole
from nogo.match.journal import read_plan, read_records
from nogo.match.replay import one_line
from nogo.match.report import tables
from nogo.match.report.charts import chart_section
from nogo.match.report.markup import Markup, escaped, joined, tag
from nogo.match.report.survey import Survey, survey

NAME: Final = "report.html"


def write_report(folder: Path) -> Path:
    """Write the page of a match's folder, whole or not at all, and say where it is."""
    page = render(survey(read_plan(folder), read_records(folder)))
    path = folder / NAME
    write_whole(path, page.encode())
    return path


def render(found: Survey) -> str:
    """Make the page."""
    parts = {name: files(__name__).joinpath(name).read_text(encoding="utf-8") for name in _PARTS}
    names = [one_line(contestant.name) for contestant in found.plan.contestants]
    sections = (
        tables.standings(found.summary),
        tables.results(found),
        tables.agents(found.summary),
        chart_section(found),
    )
    return Template(parts["page.html"]).substitute(
        title=escaped(f"{' vs '.join(names[:4])}, {', '.join(found.plan.games[:4])}"),
        style=parts["page.css"],
        style_hash=_hash(parts["page.css"]),
        script=parts["viewer.js"],
        script_hash=_hash(parts["viewer.js"]),
        header=tables.header(found),
        sections=joined(*sections),
        after=tables.spoilt(found),
        viewer_notes=tables.viewer_notes(found),
        data=_json(found),
        footer=_footer(found),
    )


_PARTS: Final = ("page.html", "page.css", "viewer.js")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _json(found: Survey) -> str:
    """Write the games so that nothing in them can end the element they stand in."""
    text = json.dumps(found.encoder.to_json(), separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _footer(found: Survey) -> Markup:
    words = "Every game is in games.jsonl beside this page, one a line; match.json says what was played."
    return tag("p", words, " Written by nogo; nogo match report DIR writes it again.", id=f"plan-{found.plan.digest}")
