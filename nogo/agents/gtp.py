"""``gtp``: any engine that speaks the Go Text Protocol."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from nogo.agent import RESIGN, Agent, AgentSpec, Choice, Option, require_move
from nogo.agents.gtp_engine import Engine, Refused, brief
from nogo.budget import Budget
from nogo.errors import InvalidMoveError, OptionError
from nogo.game import Game
from nogo.position import Position

COLOURS: Final = ("black", "white")
PASS: Final = "pass"  # noqa: S105 - a move, not a word of entry
T = TypeVar("T")
LONGEST: Final = 10**6  # seconds of a clock that is told


class GtpAgent:
    """Keeps an engine's board at the position that is played, and asks it for moves.

    The engine is started when it is first needed, stays from game to game, and is started again after a failure.
    """

    def __init__(self, game: Game, argv: list[str], timeout: float) -> None:
        """Make it for one game; nothing is started yet."""
        self.game = game
        self._argv = argv
        self._timeout = timeout
        self._engine: Engine | None = None
        self._at: Position | None = None
        """Where the engine's board stands; None when it is to be cleared."""
        self._told: str | None = None
        """The clock it was told."""
        self._commands: frozenset[str] = frozenset()
        self._takes_passes = True

    # ---- the game's events ----

    def begin(self, seed: int) -> None:
        """Begin a game, with an engine that is ready and has accepted the board."""
        del seed
        self._guarded(self._new_game)

    def played(self, position: Position, move: int) -> None:
        """Make a move on the engine's board, unless it is its own and made there already."""
        after = position.play(move)
        if self._at != after:
            self._guarded(lambda engine: self._play(engine, position, move))

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Ask for a move; a forced pass is nobody's choice, and the engine not asked for it."""
        position = require_move(self.game, position)
        moves = position.legal_moves()
        if [self.game.move_name(move) for move in moves] == [PASS]:
            return Choice(moves[0])
        return self._guarded(lambda engine: self._genmove(engine, position, budget))

    def close(self) -> None:
        """Let the engine quit."""
        engine, self._engine, self._at = self._engine, None, None
        if engine is not None:
            engine.quit()

    def _guarded(self, deed: Callable[[Engine], T]) -> T:
        """Do something with the engine; when it fails, or we are interrupted, nothing of it is left."""
        try:
            if self._engine is None:
                self._engine = Engine(self._argv, self._timeout)
                self._greet(self._engine)
            return deed(self._engine)
        except BaseException:
            engine, self._engine, self._at = self._engine, None, None
            if engine is not None:
                engine.kill()
            raise

    # ---- its board ----

    def _greet(self, engine: Engine) -> None:
        """Find out what the engine can do."""
        engine.must("protocol_version")
        self._commands = frozenset(engine.must("list_commands").split())
        self._takes_passes = True
        if "genmove" not in self._commands:
            raise engine.failure("refused", f"{engine.name} has no command genmove")

    def _new_game(self, engine: Engine) -> None:
        """Clear the board, in the game's size."""
        engine.forget_errors()
        columns, rows = self.game.columns, self.game.rows
        engine.must(f"boardsize {columns}" if columns == rows else f"rectangular_boardsize {columns} {rows}")
        engine.must("clear_board")
        if "komi" in self._commands:
            engine.must("komi 0")
        self._at, self._told = self.game.start(), None
        self._check_rules(engine)

    def _check_rules(self, engine: Engine) -> None:
        """Refuse an engine that says it plays another game; most do not say."""
        if "gogui-rules_legal_moves" not in self._commands:
            return
        said = {word.lower() for word in engine.must("gogui-rules_legal_moves").split()}
        ours = {self.game.move_name(move).lower() for move in self.game.start().legal_moves()}
        if said != ours:
            other = ", ".join(sorted(said ^ ours)[:5])
            why = f"{engine.name} plays another game: its first moves differ from those of {self.game.name} at {other}"
            raise engine.failure("refused", why)

    def _play(self, engine: Engine, position: Position, move: int) -> None:
        """Make a move in a position."""
        self._set_up(engine, position)
        name = self.game.move_name(move)
        if name != PASS:
            engine.must(f"play {COLOURS[position.turn]} {name.upper()}")
        elif self._takes_passes:
            self._pass(engine, position.turn)
        self._at = position.play(move)

    def _pass(self, engine: Engine, side: int) -> None:
        """Send a forced pass; an engine that refuses it is one that passes by itself, and is sent no more."""
        try:
            engine.ask(f"play {COLOURS[side]} {PASS}")
        except Refused:
            self._takes_passes = False

    def _set_up(self, engine: Engine, position: Position) -> None:
        """Bring the engine's board to a position.

        In NoGo any order of the stones will do: what remains of a legal position when stones are removed is legal too.
        """
        if self._at == position:
            return
        self._new_game(engine)
        if self._at == position:
            return
        if self.game.family != "nogo":
            raise engine.failure("refused", f"{position.text!r} cannot be set up in a GTP engine without its moves")
        for turn, name in _stones_in_turn(position):
            engine.must(f"play {COLOURS[turn]} {name.upper()}")
        self._at = position

    # ---- its moves ----

    def _genmove(self, engine: Engine, position: Position, budget: Budget) -> Choice:
        self._set_up(engine, position)
        side = position.turn
        self._tell_time(engine, side, budget)
        seconds = budget.seconds if budget.clock is None else budget.clock.left
        limit = None if seconds is None else seconds + self._timeout
        try:
            said = engine.ask(f"genmove {COLOURS[side]}", limit)
        except Refused as refusal:
            raise engine.failure("refused", f"it refused to move: {brief(str(refusal))}") from None
        if said.lower() == "resign":
            self._at = None
            return Choice(RESIGN)
        return Choice(self._made(engine, position, said))

    def _made(self, engine: Engine, position: Position, said: str) -> int:
        """Read the move it has made; one that is not legal is for the referee to say."""
        try:
            move = self.game.move(said)
        except InvalidMoveError:
            why = f"it answered genmove {COLOURS[position.turn]} with {brief(said)}: {position.why_illegal(said)}"
            raise engine.failure("illegal", why) from None
        self._at = position.play(move) if position.is_legal(move) else None
        return move

    def _tell_time(self, engine: Engine, side: int, budget: Budget) -> None:
        """Set the clock, in whole seconds as GTP has it; a budget in playouts is not told."""
        if budget.playouts is not None or "time_settings" not in self._commands:
            return
        left = int(min(budget.seconds or (budget.clock.left if budget.clock else 0.0), LONGEST))
        if budget.clock is None and left < 1:
            raise engine.failure("refused", f"GTP tells time in whole seconds, not {budget}; give it at least time=1s")
        settings = f"time_settings {left} 0 0" if budget.clock else f"time_settings 0 {left} 1"
        if self._told is None or (budget.clock is None and self._told != settings):
            _try(engine, settings)
            self._told = settings
        if budget.clock and "time_left" in self._commands:
            _try(engine, f"time_left {COLOURS[side]} {left} 0")


def _try(engine: Engine, request: str) -> None:
    """Send what an engine may refuse."""
    try:
        engine.ask(request)
    except Refused:
        return


def _stones_in_turn(position: Position) -> list[tuple[int, str]]:
    """List the stones of a NoGo position so that turns alternate, black first."""
    cells = list(position.cells.flat)
    stones = [[index for index, cell in enumerate(cells) if cell == side + 1] for side in (0, 1)]
    order = [(ply % 2, stones[ply % 2][ply // 2]) for ply in range(len(stones[0]) + len(stones[1]))]
    return [(side, position.game.move_name(index)) for side, index in order]


def create(game: Game, options: Mapping[str, Any], seed: int) -> Agent:
    """Make one."""
    del seed
    command = options["command"]
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"gtp: command={command[:80]!r} cannot be split into words: {error}") from None
    if not argv or "\0" in command:
        raise OptionError('gtp: it has no command; say which engine, e.g. gtp:command="gnugo --mode gtp"')
    return GtpAgent(game, argv, options["timeout"])


SPEC = AgentSpec(
    name="gtp",
    factory=create,
    options=(
        Option("command", str, "", "the engine's command line; split into words as a shell would, and no more"),
        Option("timeout", float, 30.0, "seconds for a reply, on top of the time a move has", least=0.01, most=1e6),
    ),
    summary="An engine of other people's that speaks the Go Text Protocol",
    explanation="""The engine is started once and plays game after game, in a process group of its own, which is ended
    with all that descends from it when the match ends or the engine fails. It is told the board's size, every move, and
    the time a budget gives it, in whole seconds; not the holes of a board, which it has to know. Forced passes are sent
    until it refuses one. Standard error is kept for the record of a game it fails in.

    Go Text Protocol, version 2, draft 2 (2002). Try gtp:command="nogo gtp --agent uct" against uct.""",
    games=("nogo", "othello"),
)
