"""Writes docs/experiments.md from what has been played: our results beside those of the reports.

    python -m nogo.match --config experiments/r4-hard.toml    # play one of them; the same command goes on
    python docs/experiments.py > docs/experiments.md          # write the page from all that are there

What the reports measured stands in THEIRS below; all other figures come from the matches' records.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nogo.match.journal import read_plan, read_records
from nogo.match.outcome import outcome
from nogo.match.plan import Plan
from nogo.match.settings import settings
from nogo.match.stats import Matchup
from nogo.match.tally import Tally

ROOT = Path(__file__).parent.parent
INTRODUCTION = """\
# Experiments

The comparisons of the five course reports that this project comes from, played again by the agents named after them.
Each is a file in `experiments/`, played by `python -m nogo.match --config FILE`; given again, it goes on where it was
interrupted. Their machines were others and their time a move longer; what to compare is who wins, and how clearly.
This page is written by `python docs/experiments.py > docs/experiments.md` from the records.

A score is the share of the points with its 95% interval: ours from pairs of games
([how](statistics.md)), theirs Wilson's from the number of games.
"""


@dataclass(frozen=True)
class Reported:
    """What a report says of an agent against another: games won of so many, or words."""

    won: int = 0
    games: int = 0
    words: str = ""

    def __str__(self) -> str:
        """Give the score with its interval, or the words."""
        if not self.games:
            return self.words
        low, high = wilson(self.won, self.games)
        return f"{interval(self.won / self.games, low, high)} of {self.games}"


FOUR = [
    "r4-mcs:graded=no",
    "uct:c=0.6,threshold=200,playouts=25,playout=shortcut,shortcuts=yes,choice=mean,graded=no",
    "uct:c=0.6,threshold=200,playouts=25,playout=shortcut,shortcuts=yes,choice=mean",
    "r4-tuned",
]
KS = (0, 2, 5, 10, 20, 40)


def won(opponent: str, agents: Sequence[str], games: int, wins: Sequence[int]) -> dict[tuple[str, str], Reported]:
    """Say how many games each agent won against one opponent."""
    return {(agent, opponent): Reported(number, games) for agent, number in zip(agents, wins, strict=True)}


THEIRS = {
    "r1": {
        ("r1-root-uct:parallel=leaf,vote=no,early=0,unst=0", "uct:c=0.25"): Reported(words="hardly stronger"),
        ("r1-root-uct:early=0,unst=0", "uct:c=0.25"): Reported(words="clearly stronger"),
        ("r1-root-uct", "uct:c=0.25"): Reported(words="the tournament's entry"),
    },
    "r4-easy": won("easy", FOUR, 1000, (991, 986, 991, 990)),
    "r4-normal": won("normal", FOUR, 1000, (783, 962, 952, 957)),
    "r4-hard": won("hard", FOUR, 1000, (477, 793, 825, 808)),
    "r4-c": won("hard", [f"r4-tuned:c={c}" for c in (1.4, 1.0, 0.6, 0.2)], 1000, (833, 808, 832, 796)),
    "r4-descent": won("hard", [f"r4-tuned:descent_k={k}" for k in KS], 200, (93, 115, 136, 143, 158, 161)),
    "r4-choice": won(
        "hard", [f"r4-tuned:choice=temperature,choice_k={k}" for k in KS], 500, (18, 86, 175, 225, 273, 351)
    ),
}


def wilson(won: int, games: int) -> tuple[float, float]:
    """Give the 95% interval of a share of independent games."""
    z = 1.959964
    share, weight = won / games, z * z / games
    centre = (share + weight / 2) / (1 + weight)
    error = z * math.sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return centre - error, centre + error


def interval(share: float, low: float, high: float) -> str:
    """Write a share of the points."""
    return f"{100 * share:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def section(config: Path) -> Iterator[str]:
    """Write an experiment: what it is, how it is played, what came of it."""
    chosen = settings({}, config)
    yield f"## {config.stem}\n"
    yield " ".join(line.removeprefix("# ") for line in config.read_text().splitlines() if line.startswith("# ")) + "\n"
    yield f"<!-- not run: takes hours -->\n```sh\npython -m nogo.match --config experiments/{config.name}\n```\n"
    folder = ROOT / (chosen.out or config.stem)
    plan, tally = chosen.plan, Tally()
    if folder.exists():
        plan = read_plan(folder)
        for record in read_records(folder):
            tally.add(outcome(record))
    if tally.games < plan.game_count:
        yield f"{tally.games:,} of {plan.game_count:,} games have been played.\n"
    yield from table(plan, tally.matchups(), reported(config.stem))


def reported(experiment: str) -> dict[tuple[str, str], Reported]:
    """Give what a report says, its agents named as records have them."""
    return {settings({"agents": agents}).agents: said for agents, said in THEIRS.get(experiment, {}).items()}


def table(plan: Plan, played: Sequence[Matchup], theirs: dict[tuple[str, str], Reported]) -> Iterator[str]:
    """Write a row for each pair of agents at each game and budget, from the side of whom the report speaks of."""
    found = {(matchup.game, matchup.budget, matchup.one, matchup.other): matchup for matchup in played}
    yield "| agent | against | at | games | score | Elo | the report |"
    yield "|---|---|---|---:|---:|---:|---:|"
    for game, budget in plan.cells:
        for one, other in ((one.name, other.name) for one, other in plan.pairings):
            matchup = found.get((game, budget, one, other))
            turned = (other, one) in theirs
            agents = (other, one) if turned else (one, other)
            cells = [*(f"`{agent}`" for agent in agents), f"{game}, {budget}", *figures(matchup, turned)]
            yield f"| {' | '.join([*cells, str(theirs.get(agents, ''))])} |"
    yield ""


def figures(matchup: Matchup | None, turned: bool) -> tuple[str, str, str]:
    """Write games, score and Elo."""
    if matchup is None or matchup.strength is None:
        return "", "", ""
    score, elo = matchup.strength.score, matchup.strength.elo
    shares, differences = (score.value, score.low, score.high), (elo.value, elo.low, elo.high)
    if turned:
        shares = (1 - score.value, 1 - score.high, 1 - score.low)
        differences = (-elo.value, -elo.high, -elo.low)
    value, low, high = differences
    return f"{matchup.games:,}", interval(*shares), f"{value:+.0f} [{low:.0f}, {high:.0f}]"


def main() -> None:
    """Print the page."""
    print(INTRODUCTION)
    for config in sorted((ROOT / "experiments").glob("*.toml")):
        print("\n".join(section(config)))


if __name__ == "__main__":
    main()
