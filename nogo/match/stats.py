"""What games say of the agents that played them: scores, differences in strength, and when enough is known."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nogo.arguments import shown
from nogo.errors import ArgumentError


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test between two differences in normalised Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often elo1 may be accepted where elo0 is true."""
    beta: float = 0.05
    """How often elo0 may be accepted where elo1 is true."""

    def __post_init__(self) -> None:
        """Refuse bounds and risks that decide nothing."""
        if not all(math.isfinite(value) for value in (self.elo0, self.elo1)) or not self.elo0 < self.elo1:
            raise ArgumentError(f"an SPRT between {self.elo0:g} and {self.elo1:g} Elo; the first is to be the smaller")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ArgumentError(f"{name}={getattr(self, name):g} of an SPRT; use more than 0 and less than 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Read ``elo0,elo1`` or ``elo0,elo1,alpha,beta``."""
        try:
            numbers = [float(part) for part in str(text).split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 3, 4):
            raise ArgumentError(f"{shown(text)} is not an SPRT; write elo0,elo1 or elo0,elo1,alpha,beta, e.g. 0,10")
        return cls(*numbers)

    def __str__(self) -> str:
        """Give what `parse` reads."""
        return ",".join(f"{value:g}" for value in (self.elo0, self.elo1, self.alpha, self.beta))
