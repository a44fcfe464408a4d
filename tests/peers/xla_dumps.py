#!/usr/bin/env python3
"""Dumps of XLA: what JAX's compiler writes of whole programs opens here, beside the StableHLO that it came from.

usage: xla_dumps.py FUSELAGE [--write DIR] [NAME ...]    (needs jax and flax; says so where they are not)

Each program of jax_models.py is compiled for the CPU with --xla_dump_to. Both dumps of it, from before and after
optimizations, have to open. The one from after them is compared with the StableHLO, fused: how many of XLA's kernels
have a counterpart, and what opening takes. Fails if a dump does not open, or if less than 95 % of the transformers'
kernels are paired. --write keeps text and dumps in DIR.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DUMPS = tempfile.mkdtemp(prefix="xla-dumps-")
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_dump_to={DUMPS} --xla_dump_hlo_as_text"
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import jax_models  # noqa: E402  (says so and ends where jax is missing)
import jax  # noqa: E402

TRANSFORMERS = {"transformer", "transformer_cache"}
LEAST_PAIRED = 0.95


def command(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300)


def dump(make, folder):
    """Writes f.mlir, before.txt and after.txt."""
    program, inputs = make()
    for old in pathlib.Path(DUMPS).glob("*.txt"):
        old.unlink()
    lowered = jax.jit(program).lower(*inputs)
    (folder / "f.mlir").write_text(lowered.as_text(debug_info=True))
    lowered.compile()
    for name, pattern in (("before.txt", "*.before_optimizations.txt"), ("after.txt", "*after_optimizations.txt")):
        largest = max(pathlib.Path(DUMPS).glob(pattern), key=lambda path: path.stat().st_size)
        shutil.copy(largest, folder / name)


def instructions(*words):
    """Millions of instructions that a command takes; empty without perf."""
    if not shutil.which("perf"):
        return ""
    counted = command("perf", "stat", "-x,", "-e", "instructions:u", *words)
    found = re.search(r"^(\d+),", counted.stderr, re.MULTILINE)
    return f"{int(found[1]) / 1e6:.0f} M" if found else ""


def opens(fuselage, file):
    graph = command(fuselage, "graph", str(file), "--format", "json", "-o", "-")
    if graph.returncode != 0:
        print(graph.stderr, file=sys.stderr)
        return None
    return sum(len(function["nodes"]) for function in json.loads(graph.stdout)["functions"])


def check(fuselage, make, folder):
    name = make.__name__
    dump(make, folder)
    nodes = [opens(fuselage, folder / file) for file in ("before.txt", "after.txt")]
    if None in nodes:
        print(f"{name:18} does not open")
        return False
    compared = command(fuselage, "compare", str(folder / "after.txt"), str(folder / "f.mlir"), "--fuse-all", "--format", "json")
    if compared.returncode != 0:
        print(f"{name:18} cannot be compared: {compared.stderr}")
        return False
    comparison = json.loads(compared.stdout)
    kernels, ours = (len(comparison[side]["dispatches"]) for side in "ab")
    paired = kernels - sum(len(row["a"]) for row in comparison["rows"] if row["relation"] == "only_a")
    share = paired / max(kernels, 1)
    cost = instructions(fuselage, "graph", str(folder / "after.txt"), "--format", "json", "-o", os.devnull)
    print(f"{name:18} {nodes[0]:5} {nodes[1]:5} nodes  {paired:4} of {kernels:4} kernels paired {100 * share:5.1f} %  "
          f"ours {ours:3}  {cost}")
    return share >= LEAST_PAIRED or name not in TRANSFORMERS


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("fuselage")
    parser.add_argument("--write")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for make in jax_models.MODELS:
            if arguments.names and make.__name__ not in arguments.names:
                continue
            folder = pathlib.Path(arguments.write or scratch) / make.__name__
            folder.mkdir(parents=True, exist_ok=True)
            results.append(check(arguments.fuselage, make, folder))
    shutil.rmtree(DUMPS, ignore_errors=True)
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
