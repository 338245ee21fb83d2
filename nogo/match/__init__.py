"""Matches between agents: scheduled, played, recorded and judged. ``python -m nogo.match`` runs one."""
