"""A long run of the fuzzer over one target or all of them; needs ``pip install atheris``, and is no part of the tests.

python tests/fuzz/long.py --seconds 60 otp-commands ggf      each for so long; without names, all

What it finds is written to the working folder as crash-..., timeout-... or oom-..., and shown again by

python tests/fuzz/long.py --again crash-... otp-commands
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

LONGEST_INPUT = 4096
HANG_SECONDS = 10
MEMORY = 1024  # MiB, for the interpreter and all that the run keeps


def hunt(name: str, seconds: int) -> None:
    """Fuzz a target for so long, in this process; ends it."""
    import atheris

    with atheris.instrument_imports(include=["nogo"]):
        from fuzz.targets import SEEDS, TARGETS
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    corpus = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    for number, seed in enumerate(SEEDS[name]):
        (corpus / str(number)).write_bytes(seed)
    limits = [f"-max_total_time={seconds}", f"-timeout={HANG_SECONDS}", f"-rss_limit_mb={MEMORY}"]
    limits += [f"-max_len={LONGEST_INPUT}", "-verbosity=0", "-print_final_stats=1"]
    atheris.Setup(["fuzz", str(corpus), *limits], TARGETS[name])
    atheris.Fuzz()


def main() -> int:
    """Hunt in a process for each target, one after another; exit code 1 when anything was found."""
    from fuzz.targets import TARGETS

    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}; all unless told")
    reader.add_argument("--seconds", type=int, default=60, help="for each target")
    reader.add_argument("--again", type=Path, help="run the target on this file only")
    given = reader.parse_args()
    unknown = set(given.targets) - set(TARGETS)
    if unknown:
        reader.error(f"there is no target {min(unknown)}; there are {', '.join(TARGETS)}")
    if given.again:
        for name in given.targets:
            TARGETS[name](given.again.read_bytes())
        return 0
    failed = []
    for name in given.targets or TARGETS:
        print(f"== {name}", flush=True)
        process = multiprocessing.get_context("spawn").Process(target=hunt, args=(name, given.seconds))
        process.start()
        process.join()
        if process.exitcode:
            failed.append(name)
    print(f"failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
