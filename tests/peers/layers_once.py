#!/usr/bin/env python3
"""What is done once for many equal layers is what is done for each: compares the two on whole models.

  layers_once.py [--run] FUSELAGE MODEL...     MLIR files; directories stand for the .mlir files in them

Of each model:
  groups  the groups of `explain` list each edge of the flat list once; their bytes, and those of the report, are sums of its edges
  proofs  the unlocks are those that `explain --prove` finds, which tries every layer
  fuse    `fuse --all` writes the same text and prints the same report with `--each-layer`, which plans for every layer
  buffers the groups of `buffers` list each operand, buffer and move once, and their bytes are sums
  compare so do those of `compare` with the fused module
  run     so do those of `run` on the host, by time and by bytes (only with --run: it computes the program)
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


def problems_of_lists(what, groups, lists, bytes_of):
    """`lists`: by the key of a group, the rows that its numbers are of. `bytes_of`: of a group and its rows, the pairs that must agree."""
    problems = []
    for key, rows in lists.items():
        listed = sorted(number for group in groups for number in group.get(key, []))
        if listed != list(range(len(rows))):
            problems.append(f"the groups of {what} do not list each of the {key} once")
            continue
        for place, group in enumerate(groups):
            members = [rows[number] for number in group.get(key, [])]
            if any(row["group"] != place for row in members):
                problems.append(f"{key} of group {place} of {what} name another one")
            if members and any(one != other for one, other in bytes_of(group, key, members)):
                problems.append(f"the sums of group {place} of {what} are not those of its {key}")
    return problems


def problems_of_buffers(fuselage, model):
    done, _ = run(fuselage, "buffers", model, "--format", "json")
    if done.returncode:
        return []  # not tensors that can be bufferized
    report = json.loads(done.stdout)

    def bytes_of(group, key, members):
        if key == "operands":  # what is made anew for them
            buffers = [report["buffers"][row["buffer"]] for row in members if row["buffer"] is not None]
            return [(group["bytes"], sum(row["bytes"] for row in buffers))]
        return [(group["bytes"], sum(row["bytes"] for row in members))]
    return problems_of_lists("buffers", report["groups"],
                             {key: report[key] for key in ("operands", "buffers", "moves")}, bytes_of)


def problems_of_comparison(fuselage, model, fused):
    done, _ = run(fuselage, "compare", model, fused, "--format", "json")
    if not done.stdout:
        return []
    comparison = json.loads(done.stdout)

    def bytes_of(group, _, members):
        sides = (("a", "bytes_a"), ("b", "bytes_b"))
        return [(group[total], added(comparison[side]["dispatches"][number]["bytes"]
                                     for row in members for number in row[side])) for side, total in sides]
    return problems_of_lists("compare", comparison["groups"], {"rows": comparison["rows"]}, bytes_of)


def problems_of_run(fuselage, model):
    done, _ = run(fuselage, "run", model, "--device", "host", "--repeat", "1", "--format", "json")
    if not done.stdout:
        return []
    report = json.loads(done.stdout)

    def bytes_of(group, _, members):
        times = [row["median_us"] * row.get("calls", 1) for row in members]
        return [(round(group["sum_us"], 2), round(sum(times), 2)),
                (group["bytes"], added(row["bytes"] and row["bytes"] * row.get("calls", 1) for row in members))]
    return problems_of_lists("run", report["groups"], {"kernels": report["kernels"]}, bytes_of)


def problems_of_proofs(few, each):
    if few["unproven"]:
        return [f"not proven: {', '.join(few['unproven'])}"]
    return [f"{one['from']} to {one['to']}: {one['unlocks']}, each layer {other['unlocks']}"
            for one, other in zip(few["edges"], each["edges"]) if one["unlocks"] != other["unlocks"]]


def problems_of_fusion(fuselage, model, times):
    texts, problems = [], []
    with tempfile.TemporaryDirectory() as folder:
        for options in ([], ["--each-layer"]):
            path = os.path.join(folder, "fused.mlir")
            done, seconds = run(fuselage, "fuse", "--all", "--no-check", model, "-o", path, *options)
            times.append(seconds)
            text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
            texts.append((done.returncode, done.stdout, text))
        if text:
            problems = problems_of_comparison(fuselage, model, path)
    names = ("exit status", "report", "text")
    return problems + [f"another {name} of fuse --all" for name, one, other in zip(names, *texts) if one != other]


def check(fuselage, model, runs):
    few, few_time = explained(fuselage, model)
    if few is None:
        print(f"{model}: does not open; left out")
        return 0
    each, each_time = explained(fuselage, model, "--prove")
    times = [few_time, each_time]
    problems = problems_of_groups(few) + problems_of_proofs(few, each) + problems_of_fusion(fuselage, model, times)
    problems += problems_of_buffers(fuselage, model) + (problems_of_run(fuselage, model) if runs else [])
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
    arguments = [argument for argument in sys.argv[1:] if argument != "--run"]
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    runs = "--run" in sys.argv
    return 1 if sum([check(arguments[0], model, runs) for model in files(arguments[1:])]) else 0


if __name__ == "__main__":
    sys.exit(main())
