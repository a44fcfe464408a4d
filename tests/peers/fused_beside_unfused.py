#!/usr/bin/env python3
"""What `fuselage fuse --all --measure DEVICE` leaves, beside what it was given: no file should be slower afterwards.

For each file (default: the samples): the sum of the medians of `fuselage run` of the file and of what fusing made of it, by turns; of
all turns the least counts. Prints a row a file with the ratio before / after (above 1: fusing made it faster). Exits 1 if a file
cannot be run, or comes out below --at-least, which leaves room for the noise of a machine that does other things.

    python3 tests/peers/fused_beside_unfused.py [--device vulkan:0] [--rounds 3] [--at-least 0.95] [FILE..]
"""
import argparse
import math
import pathlib
import subprocess
import sys
import tempfile

from beside_iree import ROOT, run
from kernels_beside import SAMPLES, Ours, by_turns


def beside(file, tools):
    with tempfile.TemporaryDirectory() as scratch:
        fused = pathlib.Path(scratch) / "fused.mlir"
        said = run([tools.fuselage, "fuse", file, "--all", "--measure", tools.device, "-o", fused])
        if "the module stays as it is" in said:
            print(f"{file.name:36} {'nothing to fuse':>25}", flush=True)
            return math.inf
        before, after = by_turns(Ours(file, tools.device, tools), Ours(fused, tools.device, tools), tools.rounds)
        print(f"{file.name:36} {before:12.3f} {after:12.3f} {before / after:8.2f}", flush=True)
        return before / after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default=ROOT / "build/release/bin/fuselage", type=pathlib.Path)
    parser.add_argument("--device", default="vulkan:0")
    parser.add_argument("--rounds", type=int, default=3, help="turns, of which the least counts (default: 3)")
    parser.add_argument("--at-least", type=float, default=0.95, help="the ratio that is no slower (default: 0.95)")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    tools = parser.parse_args()
    tools.run = ["--tuned", "none"]
    ok = True
    print(f"{'module':36} {'before ms':>12} {'after ms':>12} {'ratio':>8}")
    for file in tools.files or [ROOT / f"samples/{name}.mlir" for name in SAMPLES]:
        try:
            ok &= beside(file, tools) >= tools.at_least
        except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
            print(f"{file.name:36} FAILED: {str(error)[:300]}", flush=True)
            ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
