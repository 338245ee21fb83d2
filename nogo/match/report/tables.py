"""The page's words and tables: who played, what came of it, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from nogo.errors import ArgumentError
from nogo.match.outcome import Effort
from nogo.match.pentanomial import Estimate
from nogo.match.plan import Plan
from nogo.match.record import VOID, GameRecord
from nogo.match.replay import printable
from nogo.match.report.games import MOST
from nogo.match.report.markup import Markup, joined, name, number, plural, section, small, table, tag
from nogo.match.report.survey import Survey
from nogo.match.sprt import Sprt, SprtState
from nogo.match.stats import CrossRow, Matchup, Results, Standing, Summary

SPOILT_ROWS: Final = 200
"""Forfeits and voids that are told of one by one."""
OUTPUT: Final = 4000
"""Characters, the last ones, of what an agent left behind; the records have it all."""
NONE: Final = "\u2013"
_VERDICTS: Final = {"H0": "not better", "H1": "better", None: "undecided"}


def header(found: Survey) -> Markup:
    """Say who plays what, and show the outcome of a match of two in large figures."""
    plan, summary = found.plan, found.summary
    parts = [tag("h1", title(plan)), *(tag("p", line, class_="soft") for line in _facts(found))]
    if len(summary.matchups) == 1:
        parts.append(_figures(summary.matchups[0], summary.sprt, plan))
    return joined(*parts)


def title(plan: Plan) -> Markup:
    """Name the match."""
    names = [contestant.name for contestant in plan.contestants]
    if len(names) == 2:
        return joined(name(names[0]), tag("span", " vs ", class_="vs"), name(names[1]))
    if plan.format == "gauntlet":
        return joined(name(names[0]), tag("span", f" vs {len(names) - 1} others", class_="vs"))
    return joined(f"{len(names)} agents, {plan.format}")


def _facts(found: Survey) -> Iterable[Markup]:
    plan, count = found.plan, found.selection.count
    played = f"{count:,} games" if count == plan.game_count else f"{count:,} of {plan.game_count:,} games"
    openings = f"{len(plan.openings)} given openings" if plan.openings else "random openings"
    yield joined(" · ".join([", ".join(plan.games), ", ".join(plan.budgets), played, f"seed {plan.seed}", openings]))
    if count:
        yield joined(
            f"Played {_when(found.began[0])} to {_when(found.began[1])} UTC; ", name("; ".join(found.engines[:4]))
        )
    else:
        yield joined("No game has ended yet.")


def _when(began: str) -> str:
    return began[:16].replace("T", " ")


# ---- words for figures ----


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _interval(found: Estimate, form: str = "+.0f") -> str:
    return f"{found.low:{form}} to {found.high:{form}}"


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms" if seconds < 0.1 else f"{seconds:.2f} s"


def _likelihood(los: float) -> str:
    return ">99.9%" if los > 0.999 else "<0.1%" if los < 0.001 else _percent(los)


def _results(found: Results) -> str:
    return f"+{found.wins} ={found.draws} -{found.losses}"


def _class_of(found: Estimate) -> str:
    return "good" if found.low > 0 else "bad" if found.high < 0 else ""


def _counted(kinds: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"


# ---- two agents ----


def _figures(matchup: Matchup, sprt: SprtState | None, plan: Plan) -> Markup:
    wins = f"{matchup.results.wins:,} won, {matchup.results.draws:,} drawn, {matchup.results.losses:,} lost"
    items: list[tuple[object, object, object]] = [("Games of the first", f"{matchup.games:,}", wins)]
    judged = matchup.strength
    if judged:
        low, high = judged.score.low, judged.score.high
        items = [
            (
                joined("Score of ", name(matchup.one)),
                _percent(judged.score.value),
                f"{_percent(low)} to {_percent(high)}",
            ),
            ("Elo", f"{judged.elo.value:+.0f}", _interval(judged.elo)),
            ("Likely to be stronger", _likelihood(judged.los), f"normalised Elo {judged.nelo.value:+.0f}"),
            ("Games", f"{matchup.games:,}", wins),
        ]
    if sprt and plan.sprt:
        bounds = Sprt.parse(plan.sprt)
        about = f"{bounds.elo0:g} or {bounds.elo1:g} nElo; LLR {sprt.llr:.2f}, {sprt.lower:.2f} to {sprt.upper:.2f}"
        items.append(("SPRT", _VERDICTS[sprt.verdict], about))
    boxes = [tag("div", tag("dt", what), tag("dd", figure, small(about))) for what, figure, about in items]
    return tag("dl", *boxes, class_="figures")


_RESULT_HEADINGS: Final = (
    *("#score, 95%", "#Elo, 95%", "#LOS", "#nElo, 95%", "#+ = -", "#as first", "#as second"),
    *("#pairs 0 ½ 1 1½ 2", "#first player", "#distinct", "#moves"),
)


def results(found: Survey) -> Markup:
    """Give a row for every two agents that met, at each game and budget."""
    summary = found.summary
    if not summary.matchups:
        return Markup("")
    where = [what for what in ("game", "budget") if len({getattr(each, what) for each in summary.matchups}) > 1]
    rows = [_result_row(matchup, where) for matchup in summary.matchups]
    note = (
        "Results are the first agent's. Estimates rest on complete pairs of games (the same opening, colours swapped);"
        " LOS is the likelihood that it is the stronger one."
    )
    whole = table("Results of every two agents", ("agents", *where, *_RESULT_HEADINGS), rows)
    return section("Results", whole, tag("p", note, class_="soft small"), *_unusual(summary), *_warning(found))


def _result_row(matchup: Matchup, where: Sequence[str]) -> list[object]:
    judged, lengths = matchup.strength, matchup.lengths
    cells: list[object] = [joined(name(matchup.one), tag("span", " vs ", class_="vs"), name(matchup.other))]
    cells += [getattr(matchup, what) for what in where]
    if judged:
        cells += [
            number(
                joined(_percent(judged.score.value), _below(_percent(judged.score.low), _percent(judged.score.high)))
            ),
            number(joined(f"{judged.elo.value:+.0f}", _below(*_signed(judged.elo))), _class_of(judged.elo)),
            number(_likelihood(judged.los)),
            number(joined(f"{judged.nelo.value:+.0f}", _below(*_signed(judged.nelo)))),
        ]
    else:
        cells += [number(NONE)] * 4
    cells += [number(_results(each)) for each in (matchup.results, matchup.moving_first, matchup.moving_second)]
    cells.append(number("  ".join(map(str, matchup.pentanomial))))
    share = matchup.first_player
    cells.append(number(NONE if share is None else _percent(share)))
    cells.append(number(joined(f"{matchup.distinct:,}", small(f" of {matchup.games:,}"))))
    cells.append(number(f"{lengths.mean:.1f}" if lengths else NONE))
    return cells


def _signed(found: Estimate) -> tuple[str, str]:
    return f"{found.low:+.0f}", f"{found.high:+.0f}"


def _below(low: str, high: str) -> Markup:
    return joined(Markup("<br>"), small(f"{low} to {high}"))


def _unusual(summary: Summary) -> Iterable[Markup]:
    """Say what makes the figures less than they seem."""
    again = sum(matchup.games - matchup.distinct for matchup in summary.matchups)
    unpaired = sum(matchup.unpaired for matchup in summary.matchups)
    if again:
        words = plural(again, "game is", "games are")
        yield tag("p", f"{words} the same, move by move, as another one, and tell nothing new.", class_="notice")
    if unpaired:
        words = plural(unpaired, "game belongs to a pair that is", "games belong to pairs that are")
        yield tag("p", f"{words} not complete: counted, and not judged.", class_="notice")


def _warning(found: Survey) -> Iterable[Markup]:
    count = found.selection.spoilt_count
    if count:
        words = plural(count, "game", "games") + " did not end by the rules: "
        yield tag("p", words, tag("a", "forfeits and voids", href="#spoilt"), ".", class_="notice")


# ---- all agents ----


def agents(summary: Summary) -> Markup:
    """Give a row for every agent: what its moves cost, and how it failed."""
    if not summary.standings:
        return Markup("")
    headings = (
        "agent",
        "#games",
        "#a move",
        "#slowest",
        "#playouts a move",
        "#playouts a second",
        "forfeits",
        "#resigned",
    )
    return section("Agents", table("What moves cost", headings, [_agent_row(each) for each in summary.standings]))


def _agent_row(agent: Standing) -> list[object]:
    return [
        name(agent.name),
        number(f"{agent.results.games:,}"),
        *(number(cell) for cell in _effort(agent.effort)),
        tag("td", _counted(agent.forfeits), class_="bad" if agent.forfeits else None),
        number(f"{agent.resignations:,}"),
    ]


def _effort(effort: Effort) -> tuple[str, str, str, str]:
    mean, playouts, rate = effort.seconds_a_move, effort.playouts_a_move, effort.playouts_a_second
    return (
        NONE if mean is None else _time(mean),
        NONE if mean is None else _time(effort.slowest),
        NONE if playouts is None else f"{playouts:,.0f}",
        NONE if rate is None else f"{rate:,.0f}",
    )


def standings(summary: Summary) -> Markup:
    """Give the cross table and the ratings, where there are three agents or more."""
    if len(summary.standings) < 3:
        return Markup("")
    return section("Standings", _cross_table(summary.cross_table()), _ratings(summary))


def _cross_table(rows: Sequence[CrossRow]) -> Markup:
    headings = ("agent", "#points", "#score", *(f"#{place}" for place in range(1, len(rows) + 1)))
    body = []
    for place, row in enumerate(rows, 1):
        share = row.results.share
        total = number(joined(f"{row.results.points:g}", small(f" of {row.results.games:,}")))
        against = [_against(met, place == other) for other, met in enumerate(row.against, 1)]
        body.append(
            [joined(f"{place}. ", name(row.name)), total, number(NONE if share is None else _percent(share)), *against]
        )
    return table("Points of every agent (row) against every other (column)", headings, body)


def _against(met: Results | None, itself: bool) -> Markup:
    if met is None or not met.games:
        return number("", "self" if itself else "")
    return number(joined(f"{met.points:g}", Markup("<br>"), small(_results(met))))


def _ratings(summary: Summary) -> Markup:
    try:
        rated = summary.ratings()
    except ArgumentError as error:
        return tag("p", str(error), class_="notice")
    if not rated:
        return tag("p", "There are no ratings yet: not all agents are linked by complete pairs.", class_="soft")
    rows = [[name(each.name), number(f"{each.elo.value:+.0f}"), number(_interval(each.elo))] for each in rated]
    return joined(Markup("<br>"), table("Bradley-Terry ratings; the mean of all is 0", ("agent", "#Elo", "#95%"), rows))


# ---- what went wrong ----


def spoilt(found: Survey) -> Markup:
    """List the games that did not end by the rules, with all that is known of why."""
    records = sorted(found.selection.spoilt, key=lambda record: record.number)
    count = found.selection.spoilt_count
    if not count:
        return Markup("")
    shown = {record.number for record in records}
    rows = [_spoilt_row(record, shown) for record in records[:SPOILT_ROWS]]
    voids = found.summary.voids
    forfeits = plural(count - voids, "game was", "games were")
    words = f"{forfeits} forfeited, and {plural(voids, 'is void: it counts', 'are void: they count')} for nothing."
    more = f" The first {SPOILT_ROWS} are listed; games.jsonl has all." if count > len(rows) else ""
    headings = ("game", "end", "cause", "#after moves", "reason")
    listed = table("Games that did not end by the rules", headings, rows)
    return section("Forfeits and voids", tag("p", words, more), listed, id_="spoilt")


def _spoilt_row(record: GameRecord, shown: set[int]) -> list[object]:
    end = record.end
    link = tag("a", f"{record.number}", href=f"#game={record.number}") if record.number in shown else str(record.number)
    cause = "" if end.blame is None else name(record.players[end.blame].name)
    reason = [name(end.reason), *([_output(end.output)] if end.output else [])]
    kind = tag("td", end.kind, class_=None if end.kind == VOID else "bad")
    return [link, kind, tag("td", cause, class_="who"), number(f"{end.ply}"), tag("td", *reason, class_="words")]


def _output(output: str) -> Markup:
    last = printable(output[-OUTPUT:])
    left_out = f"(the last {OUTPUT:,} of {len(output):,} characters)\n" if len(output) > OUTPUT else ""
    return tag(
        "details", tag("summary", "what the agent left behind"), tag("pre", left_out, tag("bdi", last), tabindex="0")
    )


def viewer_notes(found: Survey) -> Markup:
    """Say which games the viewer has not, and which cannot be replayed."""
    said = [tag("p", f"This cannot be replayed: {problem}", class_="notice") for problem in found.encoder.problems[:20]]
    if len(found.encoder.problems) > 20:
        said.append(tag("p", f"{len(found.encoder.problems):,} games in all cannot be replayed.", class_="notice"))
    if found.selection.count > MOST:
        words = f"Of {found.selection.count:,} games this page holds {MOST:,}: what went wrong, and the first others."
        said.append(
            tag("p", f"{words} All are in games.jsonl; nogo match show DIR GAME replays any of them.", class_="soft")
        )
    return joined(*said)
