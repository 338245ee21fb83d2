"""DIR/report.html in a real browser: boards as the rules have them, keys, links, filter, both schemes, a phone."""

from __future__ import annotations

import os
from pathlib import Path

import browser
import numpy as np
import pytest
from match_samples import ended, plan, sample_records

from nogo.match.journal import Journal
from nogo.match.record import CRASHED, VOID, GameRecord
from nogo.match.replay import positions
from nogo.match.report import charts, write_report
from nogo.position import Position

pytestmark = [
    pytest.mark.skipif(browser.found() is None, reason="no chromium: apt-get install chromium"),
    pytest.mark.slow,
]

GAMES = ("hollow-nogo", "nogo:7x5:D3,A1", "othello:6x6", "einstein", "einstein:5x5", "einstein:setdie")
HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u202egnp.exe 'x\""
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    page = browser.Browser(tmp_path_factory.mktemp("profile"))
    yield page
    page.close()


@pytest.fixture(scope="module")
def match(tmp_path_factory) -> tuple[str, list[GameRecord]]:
    """The address of a page with two games of each kind, one of them crashed and one void."""
    of = plan("uct", "rave:c=0.3", games=GAMES, pairs=1)
    records = sample_records(of)
    records[1] = ended(records[1], CRASHED, 1, HOSTILE, blame=0, output=HOSTILE)
    records[2] = ended(records[2], VOID, None, "no such file", blame=1)
    folder = tmp_path_factory.mktemp("browser") / "match"
    with Journal(folder, of) as journal:
        journal.append(records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "CELLS", 1)
        return write_report(folder).as_uri(), records


# What is drawn, read back from the shapes: every piece at the middle of its cell.
DRAWN = """(() => {
    const board = document.getElementById("board");
    const middle = (shape) => {
        const box = shape.getBBox();
        return [Math.floor((box.y + box.height / 2) / 20), Math.floor((box.x + box.width / 2) / 20)];
    };
    const all = (selector, more) =>
        Array.from(board.querySelectorAll(selector), (each) => [...middle(each), ...more(each)]);
    const side = (each) => [each.classList.contains("first") ? 0 : 1];
    return {
        stones: all(".stone", side),
        cubes: all(".cube", (each) => [...side(each), each.nextElementSibling.textContent]),
        holes: all(".holes rect", () => []),
        put: all(".marks .put", () => []),
        turned: all(".marks .turned", () => []),
        left: all(".marks .left", () => []),
        die: document.querySelector(".die b")?.textContent ?? null,
        at: document.getElementById("position").textContent,
        said: document.getElementById("said").textContent,
    };
})()"""


def expected_pieces(position: Position) -> tuple[list, list, list]:
    """Stones, cubes and holes of a position, as the page is to draw them."""
    stones, cubes, holes = [], [], []
    for (row, column), cell in np.ndenumerate(position.cells):
        symbol = position.game.notation.symbol(int(cell) & 0xFF)
        if symbol == "#":
            holes.append([row, column])
        elif symbol in "XO":
            stones.append([row, column, "XO".index(symbol)])
        elif len(symbol) == 2:
            cubes.append([row, column, "RB".index(symbol[0]), symbol[1]])
    return stones, cubes, holes


def changes(before: Position, after: Position) -> tuple[list, list, list]:
    """What a move put down, turned over, and left."""
    old, new = before.cells, after.cells
    left = np.argwhere((old != new) & (new == 0)).tolist()
    came = np.argwhere((old != new) & (new != 0) & ((old == 0) | bool(left))).tolist()
    turned = np.argwhere((old != new) & (new != 0) & (old != 0) & (not left)).tolist()
    return came, turned, left


@pytest.mark.parametrize("number", range(0, 2 * len(GAMES), 2), ids=GAMES)
def test_every_position_is_drawn_as_the_rules_have_it(chromium, match, number):
    url, records = match
    expected = positions(records[number])
    chromium.resize(1200, 900)
    chromium.open(f"{url}#game={number}&move=0")
    for at, position in enumerate(expected):
        drawn = chromium.run(DRAWN)
        assert drawn["at"] == f"{at} / {len(expected) - 1}"
        assert (drawn["stones"], drawn["cubes"], drawn["holes"]) == tuple(map(list, expected_pieces(position)))
        marks = changes(expected[at - 1], position) if at else ([], [], [])
        assert (drawn["put"], drawn["turned"], drawn["left"]) == marks
        if position.game.family == "einstein":
            planes = position.planes()[12:18, 0, 0]
            numbers = position.game.notation.numbers
            known = planes.any() and not position.is_over
            assert drawn["die"] == (numbers[int(planes.argmax())] if known else None)
        chromium.press("ArrowRight")
    assert chromium.run("location.hash") == f"#game={number}&move={len(expected) - 1}"
    assert records[number].end.kind in drawn["said"]


def test_keys_buttons_slider_and_moves_go_where_they_say(chromium, match):
    url, records = match
    chromium.open(f"{url}#game=0&move=10")
    total = len(positions(records[0])) - 1

    def there() -> int:
        return int(chromium.run(DRAWN)["at"].partition(" ")[0])

    def clicked(selector: str) -> int:
        chromium.run(f"document.querySelector({selector!r}).click()")
        return there()

    assert there() == 10
    chromium.press("ArrowLeft")
    assert there() == 9
    buttons = {"forward": 10, "back": 9, "to-end": total, "to-start": 0}
    assert {name: clicked(f"#{name}") for name in buttons} == buttons
    clicked("#moves li:nth-child(7) a")
    chromium.wait("document.getElementById('position').textContent.startsWith('7 ')")
    chromium.run("document.getElementById('slider').value = 5")
    chromium.run("document.getElementById('slider').dispatchEvent(new Event('input'))")
    assert there() == 5
    chromium.run("document.getElementById('forward').focus()")
    for key, expected in (("End", total), ("PageUp", total - 10), ("Home", 0), ("PageDown", 10), ("ArrowRight", 11)):
        chromium.press(key)
        assert there() == expected
    assert chromium.run("document.querySelector('#moves [aria-current]').textContent") == records[0].moves[10 - 2]
    chromium.run("document.getElementById('filter').focus()")
    chromium.press("ArrowLeft")
    assert there() == 11, "keys in a text are for the text"


def test_play_runs_to_the_end(chromium, match):
    url, records = match
    total = len(positions(records[0])) - 1
    chromium.open(f"{url}#game=0&move={total - 2}")
    chromium.run("document.getElementById('play').click()")
    assert chromium.run("document.getElementById('play').getAttribute('aria-pressed')") == "true"
    chromium.wait(f"document.getElementById('position').textContent === '{total} / {total}'")
    chromium.wait("document.getElementById('play').getAttribute('aria-pressed') === 'false'")


def test_the_address_names_a_position_and_what_is_not_there_is_said(chromium, match):
    url, _ = match
    chromium.open(f"{url}#game=3&move=4")
    assert chromium.run("document.getElementById('game-name').textContent").startswith("Game 3, nogo:7x5")
    assert chromium.run("scrollY") > 0
    chromium.run("location.hash = '#game=99'")
    chromium.wait("!document.getElementById('missing').hidden")
    assert chromium.run("document.getElementById('missing').textContent") == "Game 99 is not in this viewer."
    chromium.run("location.hash = '#game=4&move=99999'")
    chromium.wait("document.getElementById('missing').hidden")
    at = chromium.run(DRAWN)["at"].split()
    assert at[0] == at[2]


def test_games_are_found_by_words(chromium, match):
    url, records = match
    chromium.open(url)

    def found(words: str) -> list[int]:
        chromium.run(f"document.getElementById('filter').value = {words!r}")
        chromium.run("document.getElementById('filter').dispatchEvent(new Event('input'))")
        shown = "Array.from(document.querySelectorAll('#games li:not([hidden])'), (each) => Number(each.dataset.game))"
        return chromium.run(shown)

    assert found("") == [record.number for record in records]
    assert found("crashed") == [1]
    assert found("void") == [2]
    assert found("othello RAVE") == [4, 5]
    assert found("nothing like it") == []
    assert chromium.run("document.getElementById('found').textContent") == "0 games"


def test_nothing_hostile_runs_and_nothing_is_asked_for(chromium, match):
    url, _ = match
    chromium.open(f"{url}#game=1&move=3")
    chromium.run("document.getElementById('to-end').click()")
    chromium.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert "gnp.exe" in chromium.run("document.getElementById('said').textContent")
    assert chromium.run("document.title") == "uct vs rave:c=0.3, hollow-nogo, nogo:7x5:D3,A1, othello:6x6, einstein"
    assert chromium.run("document.images.length") == 0
    assert chromium.run("document.scripts.length") == 2
    assert chromium.requests() == [url]
    assert chromium.complaints() == []


def test_its_policy_refuses_what_is_put_in_afterwards(chromium, match):
    url, _ = match
    chromium.open(url)
    chromium.run("document.body.append(document.createElement('script'))")
    chromium.run("document.body.lastChild.append('document.title = `owned`')")
    chromium.run("document.body.insertAdjacentHTML('beforeend', '<img src=x.png onerror=alert(1)>')")
    chromium.wait_for(lambda: len(chromium.complaints()) >= 2)
    assert all("Content Security Policy" in str(complaint) for complaint in chromium.complaints())
    assert "owned" not in chromium.run("document.title")


# Contrast of every text with what is behind it, by the formula of WCAG 2.
FAINT = """(() => {
    const parse = (colour) => (colour.match(/[0-9.]+/g) || []).map(Number);
    const luminance = ([r, g, b]) => {
        const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        const [x, y, z] = [r, g, b].map((c) => linear(c / 255));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (element) => {
        for (let each = element; each; each = each.parentElement) {
            const colour = parse(getComputedStyle(each).backgroundColor);
            if (colour.length === 3 || colour[3] > 0) return colour;
        }
    };
    const faint = [];
    for (const element of document.querySelectorAll("body *")) {
        const style = getComputedStyle(element);
        const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.getClientRects().length || element.closest(".board, script, [disabled]")) continue;
        const ink = parse(element instanceof SVGElement ? style.fill : style.color);
        const [one, other] = [luminance(ink), luminance(behind(element))].sort((a, b) => b - a);
        const ratio = (one + 0.05) / (other + 0.05);
        if (ratio < 4.5) faint.push([element.textContent.slice(0, 40), element.className, ratio]);
    }
    return faint;
})()"""


@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_in_both_schemes_and_fits_a_phone(chromium, match, scheme, width):
    url, _ = match
    chromium.scheme(scheme)
    chromium.resize(width, 900)
    chromium.open(f"{url}#game=1")
    chromium.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert chromium.run("document.documentElement.scrollWidth") <= width
    assert chromium.run(FAINT) == []
    ground = chromium.run("getComputedStyle(document.body).backgroundColor")
    red = int(ground.removeprefix("rgb(").partition(",")[0])
    assert (red > 128) == (scheme == "light")
    boxes = "Array.from(document.querySelectorAll('button, input, #games a'), (each) => each.getBoundingClientRect())"
    assert chromium.run(f"{boxes}.filter((box) => box.width < 40 || box.height < 40).length") == 0, "large to touch"


@pytest.mark.skipif("NOGO_SCREENSHOTS" not in os.environ, reason="asked for by NOGO_SCREENSHOTS=FOLDER: to look at")
@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screenshots(chromium, match, scheme, width):
    url, records = match
    chromium.scheme(scheme)
    chromium.resize(width, 900)
    for record in records[::2]:
        chromium.open(f"{url}#game={record.number}&move=14")
        name = f"{record.game.replace(':', '-').replace(',', '-')}-{scheme}-{width}.png"
        chromium.screenshot(Path(os.environ["NOGO_SCREENSHOTS"]) / name)
