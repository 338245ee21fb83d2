"""A process for an agent that is not ours: it answers requests on what were its standard input and output.

A request is a line of JSON with a number and a deed, its answer one with the same number. What the agent prints goes to
standard error. The process sees positions, moves and its own budget; it is killed when it breaks the rules.
"""

from __future__ import annotations

import faulthandler
import gc
import json
from collections.abc import Callable
from typing import Any, Final

from nogo.budget import Budget
from nogo.errors import AgentFailureError
from nogo.game import position
from nogo.match.agency import Agency, Order
from nogo.match.wire import take_standard_streams


def main() -> None:
    """Answer until there is nothing more to answer."""
    requests, answers = take_standard_streams()
    faulthandler.enable()
    agency = Agency()
    gc.freeze()
    answers.write(b"{}\n")  # here we are
    for line in requests:
        request = json.loads(line)
        said = {"id": request.pop("id"), **_answer(agency, **request)}
        answers.write(json.dumps(said, separators=(",", ":")).encode() + b"\n")
    agency.close()


def _answer(agency: Agency, deed: str, **request: Any) -> dict[str, Any]:
    try:
        return {"said": DEEDS[deed](agency, **request)}
    except AgentFailureError as failure:
        return {"failed": [failure.kind, str(failure), failure.output]}


def _begin(agency: Agency, order: list[str], seed: int) -> bool:
    agency.begin(Order(*order), seed)
    return agency.follows


def _follow(agency: Agency, moves: list[tuple[str, int]]) -> None:
    agency.follow([(position(text), move) for text, move in moves])


def _choose(agency: Agency, text: str, budget: str) -> list[Any]:
    return list(agency.choose(position(text), Budget.parse(budget)))


DEEDS: Final[dict[str, Callable[..., Any]]] = {"begin": _begin, "follow": _follow, "choose": _choose}
