"""DIR/report.html: one page that needs nothing but itself, says what the records say, and trusts none of them."""

from __future__ import annotations

import base64
import hashlib
import html
import html.parser
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from match_samples import ended, plan, sample_records

import nogo
from nogo.errors import RecordError
from nogo.match.journal import Journal
from nogo.match.outcome import outcome
from nogo.match.plan import Plan
from nogo.match.record import CRASHED, ILLEGAL, LATE, STALLED, VOID, GameRecord
from nogo.match.replay import positions
from nogo.match.report import charts, games, write_report
from nogo.match.report.survey import survey
from nogo.match.tally import Tally

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>\u202egnp.exe\x00\x1b[31m 'שלום\"&amp;"
)
KINDS = (ILLEGAL, LATE, CRASHED, STALLED)


class Page(html.parser.HTMLParser):
    """A page taken apart; every element must be closed where it belongs."""

    VOID_ELEMENTS = ("meta", "br", "input")

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        """Of scripts, the style sheet and the title."""
        self.words = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID_ELEMENTS:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside in ("script", "style", "title"):
            key = f"{inside} {dict(self.elements[-1][1]).get('type', '')}".strip()
            self.texts[key] = self.texts.get(key, "") + data
        else:
            self.words += data + " "

    def attribute(self, tag: str, name: str) -> list[str | None]:
        return [attributes.get(name) for found, attributes in self.elements if found == tag]

    @property
    def data(self) -> dict:
        return json.loads(self.texts["script application/json"])


@pytest.fixture(autouse=True)
def few_charts(request, monkeypatch):
    """Draw charts, which takes a second, where a test is about them."""
    if "charts" not in request.node.name:
        monkeypatch.setattr(charts, "can_draw", lambda: False)


def written(folder: Path, of: Plan, records: Sequence[GameRecord]) -> Page:
    """Keep records on disk as a match does, and read the page that is made of them."""
    with Journal(folder, of) as journal:
        journal.append(records)
    path = write_report(folder)
    assert path == folder / "report.html"
    return Page(path.read_text(encoding="utf-8"))


def spoilt(records: list[GameRecord]) -> list[GameRecord]:
    """Let every fifth game be lost by its first player's fault, all kinds in turn, and one be void."""
    changed = [
        ended(record, KINDS[at // 5 % 4], 1, f"{HOSTILE} {at}", blame=0, output=f"Traceback\n{HOSTILE}")
        if at % 5 == 1
        else record
        for at, record in enumerate(records)
    ]
    changed[0] = ended(records[0], VOID, None, "no such file", blame=1, output="cannot be made")
    return changed


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """A page with everything on it: three agents, three games, two budgets, forfeits, a void."""
    of = plan(
        *("uct", "rave:c=0.3", "random"),
        games=("hollow-nogo", "othello", "einstein:5x5"), format="round-robin", pairs=4,
    )  # fmt: skip
    records = spoilt(sample_records(of))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "can_draw", lambda: False)
        return written(tmp_path_factory.mktemp("report") / "match", of, records), records


# ---- one page, and nothing but it ----


def test_the_page_asks_for_nothing_from_outside(match):
    page, _ = match
    for _, attributes in page.elements:
        for name, value in attributes.items():
            assert name not in ("src", "action", "srcset", "style", "background")
            assert not name.startswith("on")
            assert "://" not in (value or "")
            if name == "href":
                assert value.startswith("#")
    assert not re.search(r"url\((?!#)|@import", page.texts["style"])


def test_its_policy_allows_its_own_style_and_script_alone(match):
    page, _ = match
    (policy,) = (each["content"] for tag, each in page.elements if each.get("http-equiv") == "Content-Security-Policy")
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'none'"

    def hashed(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert parts["script-src"] == hashed(page.texts["script"])
    assert parts["style-src"] == hashed(page.texts["style"])
    assert (parts["base-uri"], parts["form-action"]) == ("'none'", "'none'")


def test_hostile_texts_stay_texts(match):
    page, _ = match
    assert page.attribute("script", "type") == ["application/json", None]
    assert "img" not in {tag for tag, _ in page.elements}
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", page.words + page.texts["script application/json"])
    assert "</script><script>document.title='owned'</script><img src=x onerror=alert(1)> gnp.exe" in page.words
    assert any("owned" in game["e"][2] for game in page.data["games"])


def test_everything_that_can_be_used_has_a_name(match):
    page, _ = match
    labelled = {attributes["for"] for tag, attributes in page.elements if tag == "label"}
    for tag, attributes in page.elements:
        if tag in ("button", "input"):
            assert attributes.get("aria-label") or attributes["id"] in labelled
    assert page.attribute("html", "lang") == ["en"]
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        if tag == "th":
            assert attributes["scope"] in ("row", "col")


# ---- what it says ----


def table(folder: Path, caption: str) -> list[list[str]]:
    """The body of the table with a caption, cells as plain words."""
    text = (folder / "report.html").read_text(encoding="utf-8")
    body = text.partition(f"<caption>{caption}</caption>")[2].partition("</table>")[0].partition("<tbody>")[2]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.S)
    return [[_plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)] for row in rows]


def _plain(cell: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", cell)).strip()


def test_results_are_counted_from_the_records(tmp_path):
    of = plan("uct", "random", pairs=12)
    records = sample_records(of)
    written(tmp_path / "match", of, records)
    (row,) = table(tmp_path / "match", "Results of every two agents")
    points = [record.end.points if record.agents[0] == "uct" else 1 - record.end.points for record in records]
    first = [record.end.points for record in records if record.agents[0] == "uct"]
    second = [1 - record.end.points for record in records if record.agents[0] != "uct"]

    def said(found: list[float]) -> str:
        return f"+{found.count(1.0)} ={found.count(0.5)} -{found.count(0.0)}"

    pairs = [one + other for one, other in zip(first, second, strict=True)]
    assert row[0].split() == ["uct", "vs", "random"]
    assert row[1].startswith(f"{100 * sum(points) / 24:.1f}%")
    assert row[5:8] == [said(points), said(first), said(second)]
    assert row[8].split() == [str(pairs.count(total)) for total in (0, 0.5, 1, 1.5, 2)]
    assert row[9] == f"{100 * sum(record.end.points for record in records) / 24:.1f}%"
    assert row[10].split() == ["24", "of", "24"]
    assert row[11] == f"{np.mean([record.end.ply for record in records]):.1f}"


def test_estimates_are_those_of_the_statistics(tmp_path):
    of = plan("uct", "random", pairs=12, sprt="0,10")
    records = sample_records(of)
    page = written(tmp_path / "match", of, records)
    tally = Tally()
    for record in records:
        tally.add(outcome(record))
    judged = tally.summary().matchups[0].strength
    (row,) = table(tmp_path / "match", "Results of every two agents")
    assert row[2].split() == [f"{judged.elo.value:+.0f}", f"{judged.elo.low:+.0f}", "to", f"{judged.elo.high:+.0f}"]
    assert f"{100 * judged.los:.1f}%" in page.words
    assert "undecided 0 or 10 nElo; LLR" in re.sub(r"\s+", " ", page.words)


def test_three_agents_have_a_cross_table_and_ratings(match):
    page, records = match
    cells = re.sub(r"\s+", " ", page.words)
    assert "Points of every agent (row) against every other (column)" in cells
    assert "Bradley-Terry ratings" in cells
    for name in ("uct", "rave:c=0.3", "random"):
        total = sum(
            (record.end.points if side == 0 else 1 - record.end.points)
            for record in records
            for side in (0, 1)
            if record.agents[side] == name and record.end.points is not None
        )
        games_of = sum(name in record.agents and record.end.points is not None for record in records)
        assert re.search(rf"\d\. {re.escape(name)} {total:g} of {games_of} ", cells)


def test_ratings_that_cannot_be_had_say_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "choix", None)
    of = plan("uct", "rave", "random", format="round-robin", pairs=2)
    page = written(tmp_path / "match", of, sample_records(of))
    assert 'pip install "nogo[stats]"' in page.words


def test_forfeits_and_voids_stand_with_reason_and_output(match):
    page, records = match
    odd = [record for record in records if record.end.kind in (*KINDS, VOID)]
    assert len(odd) > 5
    for record in odd:
        assert f"#game={record.number}" in page.attribute("a", "href")
        assert f" {record.end.kind} " in page.words
    assert "no such file" in page.words
    assert "cannot be made" in page.words
    assert page.words.count("what the agent left behind") == len(odd)
    words = re.sub(r"\s+", " ", page.words)
    assert f"{len(odd) - 1} games were forfeited, and 1 is void" in words
    assert f"{len(odd)} games did not end by the rules" in words


def test_long_output_keeps_its_end(tmp_path):
    of = plan(pairs=1)
    records = sample_records(of)
    records[1] = ended(records[1], CRASHED, 0, "exit code 3", blame=1, output="a" * 50_000 + "the end")
    page = written(tmp_path / "match", of, records)
    assert "a the end" not in page.words
    assert "the end" in page.words
    assert "the last 4,000 of 50,007 characters" in page.words


def test_games_that_repeat_are_told(tmp_path):
    of = plan(pairs=2)
    one, two, three, four = sample_records(of)
    again = replace(three, opening=one.opening, moves=one.moves, seconds=one.seconds)
    again = replace(again, playouts=one.playouts, values=one.values, end=one.end)
    page = written(tmp_path / "match", of, [one, two, again, four])
    assert "1 game is the same, move by move, as another one" in page.words
    assert table(tmp_path / "match", "Results of every two agents")[0][10].split() == ["3", "of", "4"]


def test_half_a_pair_is_counted_and_not_judged(tmp_path):
    of = plan(pairs=2)
    page = written(tmp_path / "match", of, sample_records(of)[:3])
    assert "1 game belongs to a pair that is not complete" in page.words
    assert "3 of 4 games" in page.words


def test_a_match_without_a_game_has_a_page(tmp_path):
    page = written(tmp_path / "match", plan(), [])
    assert "No game has ended yet." in page.words
    assert page.data["games"] == []


# ---- the viewer's games ----


def decoded(game: dict, columns: int) -> list[np.ndarray]:
    """The boards of a game as the page has them; a second decoder, and not the page's own."""
    board = [int(digit, 16) for digit in game["b"]]
    boards = [board]
    for change in game["d"].split():
        board = list(board)
        for cell, content in re.findall("(..)(.)", change.replace("-", "")):
            board[int(cell, 16)] = int(content, 16)
        boards.append(board)
    found = [np.array(each).reshape(-1, columns) for each in boards]
    return [np.where(each == 15, -1, each) for each in found]


def test_the_viewer_has_every_position_of_every_game(match):
    page, records = match
    data = page.data
    assert [game["n"] for game in data["games"]] == [record.number for record in records]
    for game, record in zip(data["games"], records, strict=True):
        board = data["boards"][game["g"]]
        expected = positions(record)
        assert board["name"] == record.game
        assert [data["names"][player] for player in game["p"]] == list(record.agents)
        assert game["m"].split() == [*record.opening.moves, *record.moves]
        found = decoded(game, len(board["columns"]))
        assert len(found) == len(expected)
        for ours, position in zip(found, expected, strict=True):
            assert np.array_equal(ours, position.cells)
        turns = "".join("c" if position.turn == nogo.CHANCE else str(position.turn) for position in expected[:-1])
        assert game["w"] == turns


@pytest.mark.parametrize("name", ["einstein", "einstein:5x5", "einstein:setdie"])
def test_the_viewer_has_the_die_in_force(name, tmp_path):
    of = plan(games=(name,), pairs=1)
    records = sample_records(of)
    page = written(tmp_path / "match", of, records)
    for game, record in zip(page.data["games"], records, strict=True):
        for die, position in zip(game["z"], positions(record), strict=True):
            text = position.text
            cycle = re.search("dice=([0-9]+)", text)
            known = cycle[1][position.ply % 21] if cycle else "".join(re.findall("die=([0-9])", text))
            assert die == ("-" if position.is_over or not known else known)


def test_times_playouts_and_values_go_with_their_moves(match):
    page, records = match
    for game, record in zip(page.data["games"], records, strict=True):
        silent = [None] * len(record.opening.moves)
        assert game["o"] == len(silent)
        assert game["k"] == [*silent, *record.playouts]
        assert game["v"] == [*silent, *(value if value is None else round(value, 3) for value in record.values)]
        assert game["t"] == [*silent, *record.seconds]


def test_of_many_games_the_page_holds_the_spoilt_and_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(games, "MOST", 6)
    monkeypatch.setattr("nogo.match.report.tables.MOST", 6)
    monkeypatch.setattr(games, "MOST_SPOILT", 2)
    of = plan(pairs=6)
    records = sample_records(of, moves=3)
    for number in (7, 9, 11):
        records[number] = ended(records[number], CRASHED, 0, "exit code 3", blame=1)
    page = written(tmp_path / "match", of, records[::-1])
    # The records came last game first.
    assert [game["n"] for game in page.data["games"]] == [5, 6, 8, 9, 10, 11]
    links = page.attribute("a", "href")
    assert "#game=9" in links
    assert "#game=7" not in links
    assert "Of 12 games this page holds 6" in page.words
    assert "3 games were forfeited" in page.words


def test_a_game_that_cannot_be_replayed_is_named_and_the_rest_is_there(tmp_path):
    of = plan(pairs=2)
    records = sample_records(of)
    record = records[1]
    records[1] = replace(record, moves=(record.moves[1], *record.moves[1:]))
    page = written(tmp_path / "match", of, records)
    assert "game 1, move 4: illegal move" in page.words
    assert [game["n"] for game in page.data["games"]] == [0, 2, 3]


# ---- charts ----


def svgs(folder: Path) -> list[ET.Element]:
    text = (folder / "report.html").read_text(encoding="utf-8")
    return [ET.fromstring(svg) for svg in re.findall(r"<figure>.*?(<svg .*?</svg>)", text, re.S)]


def test_charts_are_drawn_without_names_or_styles(tmp_path):
    pytest.importorskip("matplotlib")
    of = plan(games=("othello", "einstein"), pairs=6)
    written(tmp_path / "match", of, sample_records(of))
    drawn = svgs(tmp_path / "match")
    assert len(drawn) == 8
    for svg in drawn:
        assert all(element.get("style") is None for element in svg.iter())
        assert {element.text for element in svg.iter("text")} & {
            "Elo",
            "games",
            "milliseconds",
            "the mover's expectation",
        }
        assert any(element.get("class") == "s1" for element in svg.iter())


def test_the_last_point_of_elo_over_games_is_the_result():
    of = plan(pairs=40)
    records = sample_records(of)
    found = survey(of, records[::-1])
    (trend,) = found.trends["hollow-nogo", "playouts=1000"].values()
    points = trend.strengths()
    assert points[-1] == (80, found.summary.matchups[0].strength)
    tally = Tally()
    for record in records[:10]:
        tally.add(outcome(record))
    assert dict(points)[10] == tally.summary().matchups[0].strength


def test_quartiles_of_thoughts_are_those_of_the_records():
    of = plan(games=("othello",), pairs=8)
    records = sample_records(of)
    found = survey(of, records)
    line = charts._quartiles(found.thoughts["othello", "playouts=1000"]["uct"].seconds)
    for ply, low, middle, high in zip(line.x, line.low, line.y, line.high, strict=True):
        at = ply - 1 - len(records[0].opening.moves)
        taken = [
            record.seconds[at]
            for record in records
            if at < len(record.moves) and record.agents[positions(record)[ply - 1].turn] == "uct"
        ]
        assert np.allclose((low, middle, high), np.percentile(taken, (25, 50, 75)))


def test_without_matplotlib_instead_of_charts_the_page_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    of = plan(pairs=2)
    page = written(tmp_path / "match", of, sample_records(of))
    assert 'pip install "nogo[plot]"' in page.words
    assert "svg" in {tag for tag, _ in page.elements}, "the viewer's board"
    assert not svgs(tmp_path / "match")


# ---- writing ----


def test_a_page_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    of = plan(pairs=1)
    written(tmp_path / "match", of, sample_records(of))
    before = (tmp_path / "match/report.html").read_bytes()

    def full(path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content[:1000])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RecordError, match=r"report.html cannot be written: No space left on device"):
        write_report(tmp_path / "match")
    assert (tmp_path / "match/report.html").read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "match").iterdir()) == ["games.jsonl", "match.json", "report.html"]


def test_a_folder_without_a_match_is_refused(tmp_path):
    with pytest.raises(RecordError, match="is not the folder of a match"):
        write_report(tmp_path)
    assert not list(tmp_path.iterdir())
