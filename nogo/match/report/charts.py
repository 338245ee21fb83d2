"""The page's charts: strength over games, lengths, and what moves took and promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from nogo.match.report.drawing import COLOURS, Line, can_draw, draw_lengths, draw_lines
from nogo.match.report.markup import Markup, joined, name, section, tag
from nogo.match.report.survey import Cell, Survey, Thoughts, Trend

CELLS: Final = 6
"""Games and budgets that have charts."""
_FEW: Final = 5
"""Games that a move number has at least, of the longest ones: a single long game is no tendency."""
MISSING: Final = 'There are no charts: they need the package matplotlib; install it with pip install "nogo[plot]"'


def chart_section(found: Survey) -> Markup:
    """Draw them all."""
    if not found.selection.count:
        return Markup("")
    if not can_draw():
        return section("Charts", tag("p", MISSING, ", and write this page again: nogo match report DIR."))
    cells = list(found.trends)
    parts = [_cell(found, cell, number, len(cells) > 1) for number, cell in enumerate(cells[:CELLS])]
    if len(cells) > CELLS:
        parts.append(
            tag("p", f"Charts are drawn for the first {CELLS} of {len(cells)} games and budgets.", class_="soft")
        )
    return section("Charts", *parts)


def _cell(found: Survey, cell: Cell, number: int, named: bool) -> Markup:
    # In the plan's order, so that an agent has one colour in all charts of a kind.
    known = found.thoughts.get(cell, {})
    thoughts = {each.name: known[each.name] for each in found.plan.contestants if each.name in known}
    figures = [
        _elo(found.trends[cell], number),
        _lengths(found.lengths.get(cell[0]), number),
        _time_per_move(thoughts, number),
        _value_per_move(thoughts, number),
    ]
    drawn = tag("div", *figures, class_="charts")
    if not named:
        return drawn
    return tag("details", tag("summary", f"{cell[0]} at {cell[1]}"), drawn, open="open" if number == 0 else None)


def _figure(title: str, svg: str, legend: Sequence[object], caption: str) -> Markup:
    """Frame a chart; its lines are named beside it."""
    names = [tag("li", label, class_=f"s{number}") for number, label in enumerate(legend, 1)]
    listed = [tag("ul", *names, class_="legend")] if names else []
    return tag("figure", tag("h3", title), *listed, Markup(svg), tag("figcaption", caption))


def _elo(trends: Mapping[tuple[str, str], Trend], number: int) -> Markup:
    judged = {pairing: trend.strengths() for pairing, trend in list(trends.items())[:COLOURS]}
    judged = {pairing: points for pairing, points in judged.items() if len(points) > 1}
    if not judged:
        return Markup("")
    lines = [
        Line(*zip(*((games, at.elo.value, at.elo.low, at.elo.high) for games, at in points), strict=True))
        for points in judged.values()
    ]
    svg = draw_lines(f"elo-{number}", ("games in complete pairs", "Elo"), lines, zero=0.0, limits=_settled(lines))
    left_out = f" The first {COLOURS} pairings of {len(trends)} are drawn." if len(trends) > COLOURS else ""
    legend = [joined(name(one), tag("span", " over ", class_="soft"), name(other)) for one, other in judged]
    return _figure("Elo over games", svg, legend, f"Bands are 95% intervals, from pairs of games.{left_out}")


def _settled(lines: Iterable[Line]) -> tuple[float, float]:
    """Choose what is seen: few games say next to nothing, and their bands would flatten all the rest."""
    tails = [(line.low[len(line.low) // 6 :], line.high[len(line.high) // 6 :]) for line in lines]
    low, high = min(min(low) for low, _ in tails), max(max(high) for _, high in tails)
    low, high = min(low, 0.0), max(high, 0.0)
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _lengths(counts: Counter[int] | None, number: int) -> Markup:
    if not counts:
        return Markup("")
    svg = draw_lengths(f"lengths-{number}", ("moves, without throws of a die", "games"), counts)
    games, total = counts.total(), sum(plies * count for plies, count in counts.items())
    caption = f"{games:,} games that were played out or resigned, at any budget; {total / games:.1f} moves on average."
    return _figure("Game lengths", svg, [], caption)


def _time_per_move(thoughts: Mapping[str, Thoughts], number: int) -> Markup:
    lines = _lines({agent: each.seconds for agent, each in thoughts.items()})
    if not lines:
        return Markup("")
    short = max(max(line.high) for line in lines.values()) < 1
    shown = [_scaled(line, 1000 if short else 1) for line in lines.values()]
    svg = draw_lines(f"seconds-{number}", ("move", "milliseconds" if short else "seconds"), shown)
    return _figure("Time per move", svg, [name(agent) for agent in lines], _QUARTILES)


def _value_per_move(thoughts: Mapping[str, Thoughts], number: int) -> Markup:
    lines = _lines({agent: each.values for agent, each in thoughts.items()})
    if not lines:
        return Markup("")
    labels = ("move", "the mover's expectation")
    svg = draw_lines(f"values-{number}", labels, list(lines.values()), zero=0.5, limits=(0.0, 1.0))
    return _figure("Value per move", svg, [name(agent) for agent in lines], _QUARTILES)


_QUARTILES: Final = "Median, and the middle half of the games in the viewer that were played out or resigned."


def _lines(known: Mapping[str, Mapping[int, Sequence[float]]]) -> dict[str, Line]:
    return {agent: _quartiles(by_ply) for agent, by_ply in list(known.items())[:COLOURS] if by_ply}


def _scaled(line: Line, factor: float) -> Line:
    low, middle, high = ([factor * value for value in values] for values in (line.low, line.y, line.high))
    return Line(line.x, middle, low, high)


def _quartiles(by_ply: Mapping[int, Sequence[float]]) -> Line:
    most = max(map(len, by_ply.values()))
    plies = sorted(ply for ply, values in by_ply.items() if len(values) >= min(_FEW, most))
    low, middle, high = np.array([np.percentile(by_ply[ply], (25, 50, 75)) for ply in plies]).T.tolist()
    return Line(plies, middle, low, high)
