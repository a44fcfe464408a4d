#!/usr/bin/env python3
"""Whatever counts a module says the same numbers: graph, outline, boxes, details, explain, legend, table and run.

  one_count.py FUSELAGE [--run | --long] MODEL...     MLIR files; directories stand for the .mlir files in them

Of each model, as it is opened and after `fuse --all`:
  dispatches, bytes, FLOPs, ops and missed edges of `graph`, `explain`, and the engine's outline, report, cost (of the card Before and After) and counts
  each part of the outline beside its box in the graph and its page of details
  the four states of missed edges in the totals, the list of edges, the text of explain and the legend of a picture
  with --run, the dispatches of a run on the host and their bytes; its FLOPs are those of its kernels, which compute some
  elements again where ops are fused, and leave out those that nobody reads
A run fixes dynamic sizes, so that it is left out where bytes are unknown; of what takes the host long, --long runs all. The exit status is 1 if anything differs. Files that
do not open, or that have no dispatches, are named and left out.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "python"))
from fuselage.engine import Engine, EngineError  # noqa: E402

STATES = {"can_be_fused": "can be fused", "tried_without_success": "tried without success", "not_tried": "not tried yet",
          "cannot_be_fused": "cannot be fused"}
MOST_BOXES = 60  # parts of a model that are looked at
MOST_FLOPS = 4e9  # of what is run without --long


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise EngineError({"message": (done.stderr.strip().splitlines() or ["nothing"])[0]})
    return done.stdout


def added(values):
    values = list(values)
    return -1 if any(value is None or value < 0 for value in values) else sum(values)


class Checker:
    """Collects the problems of one module."""

    def __init__(self, fuselage, path):
        self.fuselage, self.path, self.problems = fuselage, path, []

    def same(self, what, **numbers):
        if len(set(numbers.values())) > 1:
            self.problems.append(f"{what}: " + ", ".join(f"{name} {value}" for name, value in numbers.items()))

    def command_line(self):
        """What `graph` and `explain` say of a file."""
        graph = json.loads(run(self.fuselage, "graph", self.path, "--format", "json"))
        explain = json.loads(run(self.fuselage, "explain", self.path, "--format", "json"))
        functions = graph["functions"]
        called = {dispatch["function"] for function in functions for dispatch in function["dispatches"]}
        dispatches = [dispatch for function in functions if function["name"] not in called or not function["name"]
                      for dispatch in function["dispatches"]]
        totals = explain["totals"]
        self.same("dispatches", graph=len(dispatches), explain=totals["dispatches"], listed=len(explain["dispatches"]))
        moved = added(part for d in dispatches for part in (d["bytes_read"], d["bytes_written"]))
        self.same("bytes", graph=moved, explain=-1 if totals["bytes"] is None else totals["bytes"])
        self.states(explain)
        text = run(self.fuselage, "explain", self.path)
        said = re.search(r"of the (\d+) missed: (.*)", text)
        for state, words in STATES.items():
            number = re.search(r"(\d+) " + words, said[2]) if said else None
            self.same(f"missed edges that are {words}", totals=totals[state], text=int(number[1]) if number else 0)
        picture = run(self.fuselage, "graph", self.path, "--format", "dot", "-o", "-")
        for state, words in STATES.items():
            said = re.search(words + r"  (\d+)", picture)
            if "cluster_legend" in picture:
                self.same(f"picture's edges that are {words}", totals=totals[state], legend=int(said[1]) if said else 0)
        return totals, added(d["flops"] for d in dispatches)

    def states(self, report):
        edges, totals = report["edges"], report["totals"]
        self.same("missed edges", totals=totals["missed"], listed=sum(edge["missed"] for edge in edges),
                  states=sum(totals[state] for state in STATES))
        for state in STATES:
            self.same(f"edges that are {state}", totals=totals[state], listed=sum(edge["state"] == state for edge in edges))
        for edge in edges:
            if (edge["state"] == "can_be_fused") != (edge["missed"] and bool(edge["unlocks"])):
                self.problems.append(f"{edge['from']} to {edge['to']} is {edge['state']}, unlocks {edge['unlocks']}")
            if edge["state"] == "tried_without_success" and not edge.get("tried"):
                self.problems.append(f"{edge['from']} to {edge['to']} was tried by nothing")
        for group in report["groups"]:
            if len({edges[number]["state"] for number in group["edges"]}) > 1:
                self.problems.append("a group of equal edges is in several states")

    def engine(self, engine, snapshot, totals=None, flops=None):
        """What the window shows of a snapshot."""
        report = engine.fusion_report(snapshot=snapshot, prove=True)
        self.states(report)
        own = report["totals"]
        outline = engine.graph_outline(snapshot=snapshot)
        rows = outline["rows"]
        whole = rows[0]
        unknown = -1 if own["bytes"] is None else own["bytes"]
        numbers = {} if totals is None else {"explain": totals["dispatches"]}
        cost = engine.fusion_cost(snapshot=snapshot)
        self.same("dispatches", report=own["dispatches"], outline=whole["dispatches"], cost=cost["dispatches"], **numbers)
        numbers = {} if totals is None else {"explain": -1 if totals["bytes"] is None else totals["bytes"]}
        costs = -1 if cost["bytes"] is None else cost["bytes"]
        self.same("bytes", report=unknown, outline=whole["bytes"], cost=costs, **numbers)
        self.same("ops", outline=whole["ops"], counts=engine.snapshot_counts(snapshot=snapshot)["ops"])
        self.same("missed", report=own["missed"], outline=whole["missed"])
        if flops is not None:
            self.same("FLOPs", graph=flops, outline=whole["flops"])
        self.boxes(engine, snapshot, rows)
        self.legend(engine, snapshot, own)
        return own, whole["flops"]

    def boxes(self, engine, snapshot, rows):
        parts = [row for row in rows if row["kind"] in ("stage", "layer", "block")][:MOST_BOXES]
        parts += [row for row in rows if row["kind"] == "dispatch" and row["cluster"] != -1][:MOST_BOXES // 2]
        for row in parts:
            around, parent = [], row["parent"]
            inner = row
            while parent >= 0:
                around += [inner["outside"]] if "outside" in inner else []
                around += [rows[parent]["cluster"]] if rows[parent]["cluster"] != -1 else []
                inner, parent = rows[parent], rows[parent]["parent"]
            scene = engine.graph_scene(snapshot=snapshot, collapsed=[row["cluster"]], expanded=around)
            name = f"{row['kind']} {row['name']}"
            for node in scene["nodes"]:
                said = re.match(r"(\d+) ops?(?: · (\d+) dispatches)?", node.get("subtitle", ""))
                if node["id"] != row["cluster"] or not said:
                    continue
                self.same(f"ops of {name}", outline=row["ops"], box=int(said[1]))
                if said[2]:
                    self.same(f"dispatches of {name}", outline=row["dispatches"], box=int(said[2]))
            if row["kind"] != "dispatch":
                try:
                    page = engine.op_details(snapshot=snapshot, id=row["cluster"])
                except EngineError as error:
                    self.problems.append(f"no details of {name}: {error}")
                    continue
                self.same(f"ops of {name}", outline=row["ops"], details=page.get("inside", 0))
                self.same(f"FLOPs of {name}", outline=row["flops"], details=page["flops"])
                read, written = page["bytes_read"], page["bytes_written"]
                self.same(f"bytes of {name}", outline=row["bytes"], details=-1 if min(read, written) < 0 else read + written)

    def legend(self, engine, snapshot, totals):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "graph.svg")
            engine.graph_export(snapshot=snapshot, path=path, verdicts=True)
            text = open(path, encoding="utf-8").read()
        for state, words in STATES.items():
            said = re.search(words + r"  (\d+)", text)
            if said or totals[state] and 'id="legend"' in text:
                self.same(f"legend of {words}", totals=totals[state], legend=int(said[1]) if said else 0)

    def host(self, totals, flops):
        """What a run reports."""
        report = json.loads(run(self.fuselage, "run", self.path, "--format", "json", "--device", "host", "--repeat", "1",
                                "--warmup", "0"))
        kernels = [kernel for kernel in report["kernels"] if kernel["kind"] == "dispatch"]
        self.same("dispatches", explain=totals["dispatches"], run=len({kernel["dispatch_index"] for kernel in kernels}))
        if not totals["bytes_at_most"]:
            self.same("bytes", explain=totals["bytes"], run=int(added(kernel["bytes"] for kernel in kernels)))
        computed = added(kernel["flops"] for kernel in kernels)
        if not 0.99 * flops <= computed <= 1.5 * flops:
            self.problems.append(f"FLOPs: graph {flops}, run {computed}")


def check(fuselage, path, most_flops):
    with Engine(fuselage) as engine, tempfile.TemporaryDirectory() as folder:
        try:
            engine.document_open(path=os.path.abspath(path))
            checker = Checker(fuselage, path)
            totals, flops = checker.command_line()
        except (EngineError, json.JSONDecodeError) as error:
            print(f"{os.path.basename(path)}: {str(error)[:120]}; left out")
            return 0
        if totals["dispatches"] == 0:
            print(f"{os.path.basename(path)}: no dispatches; left out")
            return 0
        # Files of other frameworks are normalized in a step of their own: what the command line sees comes after it.
        start = start_of(engine, totals)
        checker.engine(engine, start, totals, flops)
        runs = totals["bytes"] is not None and 0 <= flops <= most_flops
        if runs:
            checker.host(totals, flops)
        problems = [f"before: {problem}" for problem in checker.problems]
        after = Checker(fuselage, os.path.join(folder, "fused.mlir"))
        fused = engine.fusion_fuse(snapshot=start, all=True, check="never")
        own, own_flops = after.engine(engine, len(fused["steps"]))
        after.same("dispatches", fuse=fused["dispatches_after"], report=own["dispatches"])
        run(fuselage, "fuse", "--all", "--no-check", path, "-o", after.path)
        if os.path.exists(after.path):
            fused_totals, fused_flops = after.command_line()
            after.same("dispatches", window=own["dispatches"], file=fused_totals["dispatches"])
            after.same("bytes", window=own["bytes"], file=fused_totals["bytes"])
            after.same("FLOPs", window=own_flops, file=fused_flops)
            if runs:
                after.host(fused_totals, fused_flops)
        problems += [f"after: {problem}" for problem in after.problems]
    ran = "" if runs else ", not run"
    print(f"{os.path.basename(path)}: {totals['dispatches']} dispatches, {own['dispatches']} after fuse --all{ran}: " +
          ("the same everywhere" if not problems else f"{len(problems)} PROBLEMS"))
    for problem in problems[:10]:
        print("  " + problem)
    return len(problems)


def start_of(engine, totals):
    for snapshot in (1, 0):
        try:
            if engine.fusion_report(snapshot=snapshot, prove=False)["totals"]["dispatches"] == totals["dispatches"]:
                return snapshot
        except EngineError:
            pass
    return 0


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(os.path.join(path, name) for name in os.listdir(path) if name.endswith(".mlir"))
        else:
            yield path


def main():
    arguments = [argument for argument in sys.argv[1:] if argument not in ("--run", "--long")]
    most_flops = float("inf") if "--long" in sys.argv else MOST_FLOPS if "--run" in sys.argv else -1
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    return 1 if sum([check(arguments[0], path, most_flops) for path in files(arguments[1:])]) else 0


if __name__ == "__main__":
    sys.exit(main())
