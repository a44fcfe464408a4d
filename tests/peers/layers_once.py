#!/usr/bin/env python3
"""What is done once for many equal layers is what is done for each: compares the two on whole models.

  layers_once.py FUSELAGE MODEL...     MLIR files; directories stand for the .mlir files in them

Of each model:
  groups  the groups of `explain` list each edge of the flat list once; their bytes, and those of the report, are sums of its edges
  proofs  the unlocks are those that `explain --prove` finds, which tries every layer
  fuse    `fuse --all` writes the same text and prints the same report with `--each-layer`, which plans for every layer
The exit status is 1 if anything differs. Files that do not open are named and left out.
"""
import json
import os
import subprocess
import sys
import tempfile
import time


def run(*command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    return done, time.monotonic() - start


def explained(fuselage, model, *options):
    done, seconds = run(fuselage, "explain", model, "--format", "json", *options)
    try:
        return json.loads(done.stdout), seconds
    except json.JSONDecodeError:
        return None, seconds


def added(values):
    values = list(values)
    return None if None in values else sum(values)


def problems_of_groups(report):
    edges, groups = report["edges"], report["groups"]
    problems = []
    listed = sorted(number for group in groups for number in group["edges"])
    if listed != list(range(len(edges))):
        problems.append("the groups do not list each edge once")
    for place, group in enumerate(groups):
        members = [edges[number] for number in group["edges"]]
        if group["bytes"] != added(edge["bytes"] for edge in members):
            problems.append(f"the bytes of group {place} are not the sum of its edges'")
        if any(edge["group"] != place for edge in members):
            problems.append(f"edges of group {place} name another one")
        kinds = {(edge["verdict"], edge["missed"], tuple(edge["unlocks"]), edge["bytes"],
                  edge["from_op"] if "from_op" in edge else None) for edge in members}
        if len(kinds) > 1:
            problems.append(f"edges of group {place} differ: {sorted(map(str, kinds))}")
    missed = sum(edge["missed"] for edge in edges)
    if missed != report["totals"]["missed"]:
        problems.append("the number of missed edges is not that of the list")
    return problems


def problems_of_proofs(few, each):
    if few["unproven"]:
        return [f"not proven: {', '.join(few['unproven'])}"]
    return [f"{one['from']} to {one['to']}: {one['unlocks']}, each layer {other['unlocks']}"
            for one, other in zip(few["edges"], each["edges"]) if one["unlocks"] != other["unlocks"]]


def problems_of_fusion(fuselage, model, times):
    texts = []
    with tempfile.TemporaryDirectory() as folder:
        for options in ([], ["--each-layer"]):
            path = os.path.join(folder, "fused.mlir")
            done, seconds = run(fuselage, "fuse", "--all", "--no-check", model, "-o", path, *options)
            times.append(seconds)
            text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
            texts.append((done.returncode, done.stdout, text))
    names = ("exit status", "report", "text")
    return [f"another {name} of fuse --all" for name, one, other in zip(names, *texts) if one != other]


def check(fuselage, model):
    few, few_time = explained(fuselage, model)
    if few is None:
        print(f"{model}: does not open; left out")
        return 0
    each, each_time = explained(fuselage, model, "--prove")
    times = [few_time, each_time]
    problems = problems_of_groups(few) + problems_of_proofs(few, each) + problems_of_fusion(fuselage, model, times)
    print(f"{os.path.basename(model)}: {len(few['edges'])} edges, {few['totals']['missed']} missed, "
          f"{len({edge['group'] for edge in few['edges'] if edge['missed']})} rows; "
          "explain {:.2f} s, each layer {:.2f} s; fuse {:.2f} s, each layer {:.2f} s: ".format(*times) +
          ("the same" if not problems else f"{len(problems)} PROBLEMS"))
    for problem in problems[:10]:
        print("  " + problem)
    return len(problems)


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".mlir"))
        else:
            yield path


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    return 1 if sum([check(sys.argv[1], model) for model in files(sys.argv[2:])]) else 0


if __name__ == "__main__":
    sys.exit(main())
