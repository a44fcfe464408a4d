#!/usr/bin/env python3
"""A kernel tuned with itself: no difference should be seen.

Asks an engine for trials of a matmul (tune/worker, tune/trial) in which a point is launched in turns with itself, and says as
`fuselage tune` does what the difference is: the median of the ratios of neighbours, and whether it would be called one.

    python3 tests/peers/tune_itself.py [--fuselage build/release/bin/fuselage] [--device host] [--device vulkan:0] [--times 20]

Exits 1 if the median ratio of all is off by more than 2 %, or more than a tenth would be called a difference.
"""
import argparse
import math
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "app/python"))

from fuselage import Engine  # noqa: E402

PAYLOAD = """func.func @f(%a: tensor<256x512xf32>, %b: tensor<512x256xf32>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %mm = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x256xf32>) outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %mm : tensor<256x256xf32>
}"""
KNOBS = {"host": ("rows", "vectors", "task_rows"), "gpu": ("tile_0", "tile_1", "step")}


def interval(ratios):
    """Of the true median, in 95 of 100 cases, as speedupOf() in core/tuning/search/Tuner.cpp has it."""
    ratios, many, below, k = sorted(ratios), len(ratios), 0.0, 0
    while k < many // 2 and below + math.comb(many, k) / 2**many <= 0.025:
        below += math.comb(many, k) / 2**many
        k += 1
    return (ratios[k - 1], ratios[many - k]) if k else (0, math.inf)


def compare(tools, device):
    point = {knob: "0" for knob in KNOBS["host" if device == "host" else "gpu"]}
    medians, claimed = [], 0
    with Engine(str(tools.fuselage)) as engine:
        name = engine.call("tune/worker", payload=PAYLOAD, device=device)["name"]
        for _ in range(tools.times):
            trial = engine.call("tune/trial", point=point, baseline=point, rounds=20, seconds=20, limit=120)
            if trial["status"] != "ok":
                sys.exit(f"{device}: {trial['status']}: {trial.get('why')}")
            ratios = [theirs / ours for ours, theirs in zip(trial["us"], trial["baseline_us"])]
            low, high = interval(ratios)
            medians.append(statistics.median(ratios))
            claimed += low > 1 or high < 1
    off = max(abs(each - 1) for each in medians)
    middle = statistics.median(medians)
    print(f"{device} ({name}): {middle:.4f} in the median of {tools.times}, each within {100 * off:.1f} %, {claimed} would be called a difference", flush=True)
    return abs(middle - 1) <= 0.02 and claimed <= tools.times / 10


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default=ROOT / "build/release/bin/fuselage", type=pathlib.Path)
    parser.add_argument("--device", action="append")
    parser.add_argument("--times", type=int, default=20)
    tools = parser.parse_args()
    return 0 if all([compare(tools, device) for device in tools.device or ["host", "vulkan:0"]]) else 1


if __name__ == "__main__":
    sys.exit(main())
