"""The search's signature: one number, pinned. A change to search that is meant to change it says so in its commit."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import nogo

SIGNATURE = "4696023590384188706"


@pytest.mark.parametrize("isa", nogo.build_info().isas_here)
def test_every_instruction_set_has_the_pinned_signature(isa):
    command = [sys.executable, "-m", "nogo", "bench", "signature"]
    done = subprocess.run(
        command, env={**os.environ, "NOGO_ISA": isa}, capture_output=True, text=True, check=True, cwd=os.sep
    )
    assert done.stdout.splitlines()[-1] == SIGNATURE
