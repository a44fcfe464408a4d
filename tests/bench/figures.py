#!/usr/bin/env python3
"""Puts ratios of the benchmarks beside their goals and beside the figures recorded in the tree.

  figures.py show PROGRAM      runs it once; each line with a ratio gets its goal and the recorded ratio
  figures.py check PROGRAM     runs it three times; fails if the best of a ratio is over 15 % worse than recorded
  figures.py record PROGRAM    runs it three times and writes the best into figures.csv

A ratio is ours over that of a known tool in the same run, so that machines can be compared; a smaller one is better,
but for speeds in MB/s. Exit status: 0, or 1 if a ratio is worse, not recorded, or recorded and not measured.
"""
import csv
import pathlib
import re
import subprocess
import sys

FIGURES = pathlib.Path(__file__).with_name("figures.csv")
WORSE = 1.15
RUNS = 3
LINE = re.compile(r"^(?P<what>.*?)\s+[\d.]+ (?P<unit>ms|MB/s)   (?P<beside>.*?)\s+[\d.]+ (?:ms|MB/s)   ratio (?P<ratio>[\d.]+)")


def recorded():
    """(ratio, goal) by what was measured; None where there is none."""
    if not FIGURES.is_file():
        return {}
    with FIGURES.open(newline="") as file:
        return {row["what"]: (float(row["ratio"]) if row["ratio"] else None, float(row["goal"]) if row["goal"] else None)
                for row in csv.DictReader(file)}


def measure(program, known, shows):
    """Ratios of one run by what was measured, and which of them are speeds."""
    ratios, speeds, section = {}, set(), ""
    run = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    for line in run.stdout:
        line = line.rstrip("\n")
        match = LINE.match(line)
        if not match:
            section = line.strip() if line and not line.startswith(" ") else section
        else:
            # Stages of a module are indented below its name.
            what = f"{section}: {match['what'].strip()}" if line.startswith(" ") else match["what"]
            if what in ratios: # of the same stage once more, with all boxes open
                what += ", once more"
            ratios[what] = float(match["ratio"])
            if match["unit"] == "MB/s":
                speeds.add(what)
            if what in known:
                ratio, goal = known[what]
                line += ("" if ratio is None else f"   recorded {ratio:.2f}") + ("" if goal is None else f"   goal {goal:.2f}")
        if shows:
            print(line, flush=True)
    if run.wait() != 0:
        sys.exit(f"figures: {program[0]} ended with {run.returncode}")
    return ratios, speeds


def best_of(program, known):
    best, speeds = {}, set()
    for number in range(RUNS):
        print(f"run {number + 1} of {RUNS}", flush=True)
        ratios, fast = measure(program, known, shows=False)
        speeds |= fast
        for what, ratio in ratios.items():
            better = max if what in fast else min
            best[what] = better(best.get(what, ratio), ratio)
    return best, speeds


def check(program):
    known = recorded()
    best, speeds = best_of(program, known)
    bad = 0
    for what, ratio in best.items():
        if known.get(what, (None, None))[0] is None:
            verdict, bad = "NOT RECORDED", bad + 1
        else:
            before, goal = known[what]
            is_worse = ratio * WORSE < before if what in speeds else ratio > before * WORSE
            bad += is_worse
            verdict = f"recorded {before:.2f}" + ("" if goal is None else f", goal {goal:.2f}") + (", WORSE" if is_worse else "")
        print(f"{what:70} {ratio:6.2f}   {verdict}")
    for what in sorted(known.keys() - best.keys()):
        print(f"{what:70}      -   recorded, and not measured")
        bad += 1
    print("nothing is worse than recorded" if bad == 0 else f"{bad} ratios are worse than recorded, or not there")
    return 1 if bad else 0


def record(program):
    known = recorded()
    best, _ = best_of(program, known)
    with FIGURES.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["what", "ratio", "goal"])
        for what, ratio in best.items():
            goal = known.get(what, (None, None))[1]
            writer.writerow([what, f"{ratio:.2f}", "" if goal is None else f"{goal:.2f}"])
    print(f"{len(best)} ratios in {FIGURES}")
    return 0


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("show", "check", "record"):
        print(__doc__, file=sys.stderr)
        return 2
    program = sys.argv[2:]
    if sys.argv[1] == "show":
        measure(program, recorded(), shows=True)
        return 0
    return check(program) if sys.argv[1] == "check" else record(program)


if __name__ == "__main__":
    sys.exit(main())
