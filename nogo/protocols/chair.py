"""Where an agent sits while a protocol plays games with it: made by name, told of every move, and let go at the end."""

from __future__ import annotations

from nogo.agent import RESIGN, Agent, Choice, Follower, Lasting
from nogo.arguments import SEED_LIMIT
from nogo.budget import Budget
from nogo.errors import AgentFailureError
from nogo.game import Game
from nogo.position import Position
from nogo.registry import Selection


class Chair:
    """An agent for one game after another; it is made when it is first asked."""

    def __init__(self, selection: Selection, game: Game, seed: int) -> None:
        """Refuse a game that the agent does not play; nothing is made yet."""
        selection.require(game)
        self.selection = selection
        self.game = game
        self._seed = seed
        self._agent: Agent | None = None

    def begin(self) -> None:
        """Begin a game, with a seed of its own: an agent that lasts stays, any other is made anew."""
        self._seed = (self._seed + 1) % SEED_LIMIT
        if isinstance(self._agent, Lasting):
            self._agent.begin(self._seed)
        else:
            self._agent = None

    def prepare(self) -> None:
        """Make the agent now, so that its making is not taken for thinking."""
        self._made()

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Ask for a move, and hold the agent to the rules."""
        choice = self._made().choose(position, budget)
        if choice.move != RESIGN and not position.is_legal(choice.move):
            raise AgentFailureError(
                "illegal", f"agent {str(self.selection)!r} chose {choice.move}, no legal move in {position.text!r}"
            )
        return choice

    def played(self, position: Position, move: int) -> None:
        """Tell it of a move made in the position, if it wants to know."""
        agent = self._made()
        if isinstance(agent, Follower):
            agent.played(position, move)

    def close(self) -> None:
        """Let the agent go; the next question makes a new one."""
        agent, self._agent = self._agent, None
        if isinstance(agent, Lasting):
            agent.close()

    def _made(self) -> Agent:
        if self._agent is None:
            agent = self.selection.create(self.game, self._seed)
            if isinstance(agent, Lasting):
                agent.begin(self._seed)
            self._agent = agent
        return self._agent
