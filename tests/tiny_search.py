"""The search once more, slow and plain: a tree of Python objects, written from the formulas.

Over the rules of reference.py and the random games of replay.py it makes the same draws from the same stream, so its
statistics must be those of the engine to the last visit. What has to agree is the published scheme: who draws what, and
scores in single precision, in the order of operations of the formulas.

Rewards are whole numbers, ONE for a won game, so that sums are exact; a node's are its mover's, and one's gain is the
other's loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import reference
import replay
from reference import CHANCE, FIRST, SECOND, State

from nogo.search import SearchOptions

ONE = 10_000_000
AMAF_ONE = 20  # AMAF sums are coarser
ROUND = 1000  # playouts between two looks at pruning
LONGEST_MOVE = 4  # moves and throws to the next root
OPEN, DRAWN, CUT = -2, reference.DRAW, -3  # what is known of a move, besides the player who wins by it

single = np.float32


# The two functions that C libraries round differently, from the four operations alone


def log(n: int) -> np.float32:
    """The natural logarithm: ln m = 2 (s + s^3/3 + ...) with s = (m - 1) / (m + 1), m near 1 and n = m 2^exponent."""
    exponent = n.bit_length() - 1
    m = n / 2**exponent
    if m > 1.4142135623730951:
        m, exponent = m * 0.5, exponent + 1
    s = (m - 1) / (m + 1)
    z = s * s
    series = 1 + z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z / 11))))
    return single(exponent * 0.6931471805599453 + 2 * s * series)


def exp(x: float) -> float:
    """2^k times the series of e^r, x = k ln 2 + r."""
    k = int(x * 1.4426950408889634 + (-0.5 if x < 0 else 0.5))
    r = x - k * 0.6931471805599453
    term = total = 1.0
    for i in range(1, 13):
        term *= r / i
        total += term
    return total * 2.0**k


# The tree


class Node:
    """A position, and the statistics of its moves in the order of their numbers."""

    def __init__(self, state: State, number: Callable[[str], int]) -> None:
        self.state, self.turn = state, state.turn
        self.names = sorted(state.legal(), key=number)
        count = len(self.names)
        self.playouts = 0  # through the node
        self.visits, self.sums, self.squares, self.amaf_visits, self.amaf_sums = np.zeros((5, count), np.int64)
        self.children: list[Node | None] = [None] * count
        self.untried = list(range(count))
        self.known = [OPEN] * count
        self.proven = OPEN

    @property
    def means(self) -> np.ndarray:
        return self.sums / (ONE * np.maximum(self.visits, 1))

    def find(self, state: State, within: int) -> Node | None:
        if self.state == state:
            return self
        children = [child for child in self.children if child] if within else []
        return next((found for child in children if (found := child.find(state, within - 1))), None)

    def count(self) -> int:
        return 1 + sum(child.count() for child in self.children if child)


@dataclass
class Leaf:
    """What the playouts from a leaf have brought, in the first player's rewards."""

    playouts: int = 0
    sum: int = 0
    square: int = 0
    amaf: list[tuple[set[tuple[int, str]], int]] = field(default_factory=list)
    """Of each playout, the moves made and the reward."""
    proven: int = OPEN

    def add(self, value: int, played: set[tuple[int, str]] | None = None, times: int = 1) -> None:
        self.playouts += times
        self.sum += times * value
        self.square += times * (value * value // ONE)
        self.amaf += [(played or set(), value)] * times


# Selection rules: mean, visits n, and of AMAF the mean r and visits m


def scores_of(node: Node, o: SearchOptions) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return RULES[o.schedule if o.policy == "rave" else o.policy](node, o, log(max(node.playouts, 1)))


def _unvisited(node: Node, o: SearchOptions, scores: np.ndarray) -> np.ndarray:
    return np.where(node.visits > 0, scores, single(np.inf if o.fpu is None else o.fpu))


def ucb1(node: Node, o: SearchOptions, log_n: np.float32) -> np.ndarray:
    """mean + c sqrt(ln N / n)"""
    n, mean = single(node.visits), single(node.means)
    return _unvisited(node, o, mean + single(o.c) * np.sqrt(log_n / n))


def tuned(node: Node, o: SearchOptions, log_n: np.float32) -> np.ndarray:
    """mean + c sqrt(ln N / n * min(variance + c1 sqrt(ln N / n), c2))"""
    n, mean = single(node.visits), single(node.means)
    rate = log_n / n
    variance = np.maximum(single(node.squares) / (single(ONE) * n) - mean * mean, single(0))
    bound = np.minimum(variance + single(o.c1) * np.sqrt(rate), single(o.c2))
    return _unvisited(node, o, mean + single(o.c) * np.sqrt(rate * bound))


def _amaf(node: Node, o: SearchOptions) -> tuple[np.ndarray, np.ndarray]:
    m = single(node.amaf_visits) + single(o.prior)
    total = single(node.amaf_sums) * single(1 / AMAF_ONE) + single(0.5) * single(o.prior)
    return m, np.where(m > 0, total / m, single(0.5))


def _mixed(node: Node, o: SearchOptions, beta: np.ndarray, r: np.ndarray, log_n: np.float32) -> np.ndarray:
    """(1 - beta) mean + beta r + c sqrt(ln N / (n + 1))"""
    explore = single(o.c) * np.sqrt(log_n / (single(node.visits) + single(1)))
    return (single(1) - beta) * single(node.means) + beta * r + explore


def rave_mse(node: Node, o: SearchOptions, log_n: np.float32) -> np.ndarray:
    """beta = m / (n + m + 4 b^2 n m)"""
    n, (m, r) = single(node.visits), _amaf(node, o)
    weight = n + m + single(4 * o.b * o.b) * n * m
    return _mixed(node, o, np.where(weight > 0, m / weight, single(1)), r, log_n)


def rave_hand(node: Node, o: SearchOptions, log_n: np.float32) -> np.ndarray:
    """beta = sqrt(k / (3 n + k)), but only one of the two means where there is no other"""
    n, (m, r) = single(node.visits), _amaf(node, o)
    beta = np.where(m > 0, np.sqrt(single(o.k) / (single(3) * n + single(o.k))), single(0))
    return _mixed(node, o, np.where(n == 0, single(1), beta), r, log_n)


def rave_haha(node: Node, o: SearchOptions, log_n: np.float32) -> np.ndarray:
    """(r m + mean n + c sqrt(ln N n)) / (n + m)"""
    n, (m, r) = single(node.visits), _amaf(node, o)
    mixed = (r * m + single(node.means) * n + single(o.c) * np.sqrt(log_n * n)) / (n + m)
    return np.where(n + m > 0, mixed, single(0.5))


RULES = {"ucb1": ucb1, "tuned": tuned, "mse": rave_mse, "hand": rave_hand, "haha": rave_haha}


# The search


def playout(state: State, stream: replay.Stream) -> tuple[State, set[tuple[int, str]]]:
    """A game to its end, and who made which moves in it."""
    if isinstance(state, reference.EinsteinState):
        end, played = replay._einstein_single(state, stream)
        return end, set(played)
    lane = replay._lane(state)
    while not lane.is_over():
        lane.step(stream.below(lane.bound()) if lane.bound() else 0)
    return lane.state, set(lane.played)


class TinySearch:
    """One tree. The streams are those of the threads that play a leaf together; the first one also selects."""

    def __init__(
        self,
        options: SearchOptions,
        number: Callable[[str], int],
        evaluate: Callable[[State], float] | None = None,
        favoured: frozenset[str] = frozenset(),
    ) -> None:
        """number orders the moves; evaluate is the first player's chance of winning."""
        self.options, self.number, self.evaluate, self.favoured = options, number, evaluate, favoured
        self.root: Node | None = None

    def run(self, state: State, playouts: int, seed: int, tree: int = 0) -> Node:
        """Make so many playouts with the stream of this tree's number."""
        o = self.options
        found = self.root.find(state, LONGEST_MOVE) if o.reuse and self.root else None
        self.root = root = found or Node(state, self.number)
        root.known = [OPEN if known == CUT else known for known in root.known]
        self.streams = [replay.Stream(seed, tree + i) for i in range(o.threads if o.parallel == "leaf" else 1)]
        self.made, next_prune = 0, o.prune_every
        while self.made < playouts and root.proven == OPEN:
            end = min(self.made + ROUND, playouts)
            while self.made < end and root.proven == OPEN:
                self._iterate(root)
            if o.prune != "none" and self.made >= next_prune:
                self._prune(root)
                next_prune = self.made + o.prune_every
        return root

    def _iterate(self, root: Node) -> None:
        path, leaf = self._descend(root)
        self._back_up(path, leaf)
        self.made += leaf.playouts
        if self.options.solver:
            self._prove(path, leaf.proven)

    def _descend(self, node: Node) -> tuple[list[tuple[Node, int]], Leaf]:
        o, path, expanded = self.options, [], False
        while True:
            edge = self._select(node)
            visits = node.visits[edge]
            path.append((node, edge))
            if o.solver and node.known[edge] not in (OPEN, CUT):
                return path, self._known(node.known[edge])
            child = node.children[edge]
            if child is None:
                state = node.state._after(node.names[edge])
                if state.is_over() or expanded or o.flat or visits < o.threshold:
                    return path, self._value(state)
                node.children[edge] = child = Node(state, self.number)
                if o.expand == "all":
                    return path, self._value(state)
                expanded = True
            node = child

    def _select(self, node: Node) -> int:
        o, stream = self.options, self.streams[0]
        if node.turn == CHANCE:
            return stream.below(len(node.names))
        if o.fpu is None and node.untried:
            return node.untried.pop(stream.below(len(node.untried)))
        scores = scores_of(node, o)
        assert scores.dtype == single
        for edge, name in enumerate(node.names):
            if name in self.favoured:
                scores[edge] *= single(o.favour)
            if node.known[edge] in (1 - node.turn, CUT):
                scores[edge] = -np.inf
        edge = int(np.argmax(scores))
        if o.descent_k is not None:
            edge = self._at_random(scores, edge)
        elif node.visits[edge] == 0:  # the first of equals must not be favoured
            ties = [i for i in range(len(scores)) if scores[i] == scores[edge] and not node.visits[i]]
            edge = ties[stream.below(len(ties))] if len(ties) > 1 else edge
        if edge in node.untried:
            node.untried.remove(edge)
        return edge

    def _at_random(self, scores: np.ndarray, best: int) -> int:
        """With weight exp(k score)."""
        if np.isinf(scores[best]):
            return best
        assert self.options.descent_k is not None
        below = [self.options.descent_k * float(score - scores[best]) for score in scores]
        weights = [0.0 if x < -700 else exp(x) for x in below]
        at = (self.streams[0].word() >> 11) * 2.0**-53 * sum(weights)
        for edge, weight in enumerate(weights):
            if at < weight:
                return edge
            at -= weight
        return best

    # what a leaf is worth

    def _reward(self, end: State) -> int:
        winner = end.winner()
        plain = 0.5 if winner is None else float(winner == FIRST)
        value = float(replay.reward(end)) if self.options.graded else plain
        if self.options.margin:
            margin = end._margin() / 64  # of the board of 8x8, on smaller ones too
            value = (1 - self.options.margin) * value + self.options.margin * (0.5 + 0.5 * margin)
        return int(value * ONE + 0.5)

    def _known(self, proven: int) -> Leaf:
        leaf = Leaf(proven=proven)
        leaf.add(ONE // 2 if proven == DRAWN else ONE * (proven == FIRST))
        return leaf

    def _value(self, state: State) -> Leaf:
        o, leaf = self.options, Leaf()
        if state.is_over():
            winner = state.winner()
            leaf.proven = DRAWN if winner is None else winner
            leaf.add(self._reward(state), times=(o.playouts if o.value == "playout" else 1) * len(self.streams))
        elif o.value != "playout":
            self._add_judgement(leaf, state)
        elif o.leaf == "lanes":
            self._add_lanes(leaf, state)
        else:
            for stream in self.streams:
                for _ in range(o.playouts):
                    end, played = playout(state, stream)
                    leaf.add(self._reward(end), played)
        return leaf

    def _add_judgement(self, leaf: Leaf, state: State) -> None:
        played, left = set(), self.options.plies if self.options.value == "plies" else 0
        while left and not state.is_over():
            names = sorted(state.legal(), key=self.number)
            name = names[self.streams[0].below(len(names))]
            if state.turn != CHANCE:
                played.add((state.turn, name))
                left -= 1
            state = state._after(name)
        assert self.evaluate is not None
        leaf.add(self._reward(state) if state.is_over() else int(self.evaluate(state) * ONE + 0.5), played)

    def _add_lanes(self, leaf: Leaf, state: State) -> None:
        """Games in lanes, of a seed drawn from each stream; their AMAF is left out."""
        for stream in self.streams:
            totals = replay.batch(state, self.options.playouts, stream.word())
            for result, games in totals.results.items():
                leaf.add(int(result * ONE + 0.5), times=games)

    # backing up

    def _back_up(self, path: list[tuple[Node, int]], leaf: Leaf) -> None:
        below: set[tuple[int, str]] = set()
        for node, edge in reversed(path):
            node.playouts += leaf.playouts
            node.visits[edge] += leaf.playouts
            loses = node.turn == SECOND
            node.sums[edge] += leaf.playouts * ONE - leaf.sum if loses else leaf.sum
            node.squares[edge] += leaf.playouts * ONE - 2 * leaf.sum + leaf.square if loses else leaf.square
            if node.turn != CHANCE:
                below.add((node.turn, node.names[edge]))
                self._back_up_amaf(node, below, leaf)

    def _back_up_amaf(self, node: Node, below: set[tuple[int, str]], leaf: Leaf) -> None:
        """All moves as first: each of the mover's, in the playout, here or below, once a playout."""
        for played, value in leaf.amaf:
            own = ONE - value if node.turn == SECOND else value
            for edge, name in enumerate(node.names):
                if (node.turn, name) in played or (node.turn, name) in below:
                    node.amaf_visits[edge] += 1
                    node.amaf_sums[edge] += (own * AMAF_ONE + ONE // 2) // ONE

    def _prove(self, path: list[tuple[Node, int]], proven: int) -> None:
        for node, edge in reversed(path):
            if proven == OPEN:
                return
            node.known[edge] = proven
            proven = node.proven = self._proven(node)

    @staticmethod
    def _proven(node: Node) -> int:
        known = set(node.known)
        if node.turn == CHANCE:
            return node.known[0] if len(known) == 1 else OPEN
        if node.turn in known:
            return node.turn
        if known & {OPEN, CUT}:
            return OPEN
        return DRAWN if DRAWN in known else 1 - node.turn

    # pruning at the root

    def _prune(self, root: Node) -> None:
        o, means = self.options, root.means
        left = [edge for edge in range(len(root.names)) if root.known[edge] != CUT]
        best = max(left, key=lambda edge: (single(means[edge]), -edge))
        for edge in left:
            hopeless = self._few(root, edge, len(left)) if o.prune == "visits" else self._worse(root, edge, best)
            if edge != best and root.known[edge] == OPEN and hopeless:
                root.known[edge] = CUT
                root.untried = [other for other in root.untried if other != edge]

    @staticmethod
    def _few(root: Node, edge: int, left: int) -> bool:
        """Not more than an equal share of the visits."""
        return bool(root.visits[edge] <= root.playouts / left)

    def _worse(self, root: Node, edge: int, best: int) -> bool:
        """mean + r_d sigma lies below the best's mean - r_d sigma, both known well."""
        o, n = self.options, root.visits
        if min(n[edge], n[best]) < o.prune_samples:
            return False
        mean = single(root.means).astype(float)
        sigma = np.sqrt(np.maximum(root.squares / (ONE * n) - mean**2, 0) / n)
        if max(sigma[edge], sigma[best]) > o.prune_sigma:
            return False
        return bool(mean[edge] + o.prune_rd * sigma[edge] < mean[best] - o.prune_rd * sigma[best])
