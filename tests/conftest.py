"""Settings of all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Deadlines measure the machine, not the code.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("default"), max_examples=20_000)
settings.register_profile("quick", settings.get_profile("default"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A shell's background jobs ignore Ctrl-C, and so would all tests of it.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The source tree."""
    return ROOT


@pytest.fixture
def stage(tmp_path, monkeypatch):
    """Where plugins are installed for a test, and for all processes that it starts."""
    from playing import Stage  # needs nogo, which the tests of the package do without

    found = Stage(tmp_path / "site", monkeypatch)
    yield found
    found.forget()
