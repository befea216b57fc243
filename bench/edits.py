"""Random editing sessions: nothing raises, no valid program is lost, undo gives back the equal one.

    python bench/edits.py [--sequences 10000] [--steps 30] [--first 0]

Each session starts with an example and takes so many commands, sense and nonsense mixed (tests/widgets/random_edits.py says
how); after each the state is compared with a history kept beside it. Prints how many commands there were of which kind.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.widgets.random_edits import edit


def main() -> int:
    """Run the sessions; an AssertionError names the seed of the first that goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--first", type=int, default=0, help="seed of the first session")
    options = parser.parse_args()
    start = time.process_time()
    counts: Counter[str] = Counter()
    for seed in range(options.first, options.first + options.sequences):
        counts += edit(seed, options.steps)
    commands = counts["valid"] + counts["invalid"]
    print(
        f"{options.sequences:,} sessions, {commands:,} commands, {counts['invalid'] / commands:.0%} invalid"
    )
    print(f"{counts['steps']:,} steps taken back and brought again, {time.process_time() - start:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
