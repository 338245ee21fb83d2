"""``hard``: report R4's opponent of depth 8."""

from __future__ import annotations

from nogo.agents.normal import opponent

SPEC = opponent("hard", depth=8, won=808)
