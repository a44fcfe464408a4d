#!/usr/bin/env python3
"""Fuselage's kernels beside IREE's and OpenBLAS's, where those are installed; says so where they are not and exits 0.

For each file and device: the sum of the medians of `fuselage run`, and the median time of a call of the same module
compiled by iree-compile, by turns in one run, so that a machine that slows down slows both. Of all turns the least
counts. Prints a row a file with the ratio IREE / ours (above 1: ours is faster) and the geometric mean; on the host also
a matmul of 1024x1024x1024 beside NumPy's, which calls OpenBLAS. With --dearest N, instead of each file as a whole the N
dispatches of it that take the longest, those that compute the same counted once and together, each as a module of its own on
both sides. Caches are warm on both sides where `fuselage run` can
be told so. Exits 1 if a file cannot be compared or is slower than --at-least says.

    python3 tests/peers/kernels_beside.py [--device host] [--device vulkan:0] [--fuse] [--dearest N] [--rounds 3] [FILE..]
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from beside_iree import ROOT, TYPES, archive, arguments, random_inputs, run

SAMPLES = ["softmax", "bert_attention", "mlp_gelu", "matmul_transpose_bias", "conv_bias_relu", "batch_matmul",
           "transpose_slice_reshape", "int4_dequant_matmul_small"]
TARGETS = {"host": ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host"],
           "vulkan": ["--iree-hal-target-backends=vulkan-spirv"]}
MATMUL = """func.func @matmul(%a: tensor<{n}x{n}xf32>, %b: tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{n}x{n}xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>)
      outs(%fill : tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32>
  return %c : tensor<{n}x{n}xf32>
}}
"""


class Ours:
    """A module as `fuselage run` times it."""

    def __init__(self, file, device, tools):
        self.command = [tools.fuselage, "run", file, "--device", device, "--format", "json", *tools.run]

    def milliseconds(self):
        report = json.loads(run(self.command))
        if report["verdict"] != "ok":
            raise RuntimeError(f"fuselage run says {report['verdict']}")
        return sum(kernel["median_us"] for kernel in report["kernels"] if not kernel.get("once")) / 1000


class Iree:
    """The same module as iree-compile makes it and iree-benchmark-module times it: 3 to 40 calls, some 10 s in all."""

    def __init__(self, file, plain, device, tools, folder):
        program = folder / "program.vmfb"
        name, wanted = arguments(plain)
        flags = self.inputs(wanted, folder, tools.iree)
        kind = device.split(":")[0]
        run([tools.iree / "iree-compile", *TARGETS[kind], "--iree-opt-level=O3", file, "-o", program])
        driver = (["--device=local-task", f"--task_topology_group_count={tools.threads}"] if kind == "host"
                  else ["--device=vulkan"])
        self.command = [tools.iree / "iree-benchmark-module", f"--module={program}", f"--function={name}", *driver,
                        *flags, "--benchmark_min_time=1x", "--benchmark_format=json"]
        self.repetitions = max(3, min(40, int(10_000 / self.times(1)[0])))

    @staticmethod
    def inputs(wanted, folder, iree):
        """Random ones; zeros of types that NumPy lacks."""
        if any(element not in TYPES for _, element, _, _ in wanted):
            return [f"--input={'x'.join(map(str, shape))}x{element}" for shape, element, _, _ in wanted]
        files = random_inputs(wanted, folder)
        return [*archive(wanted, files, folder, iree),
                *[f"--input=@{file}" for file, argument in zip(files, wanted) if not argument[2]]]

    def milliseconds(self):
        return statistics.median(self.times(self.repetitions))

    def times(self, repetitions):
        said = run([*self.command, f"--benchmark_repetitions={repetitions}"])
        rows = json.loads(said[said.index("{"):])["benchmarks"]
        units = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
        return [row["real_time"] * units[row["time_unit"]] for row in rows if row["run_type"] == "iteration"]


class Blas:
    """NumPy's matmul, the median of 15."""

    def __init__(self, size, threads):
        self.command = [sys.executable, "-c", f"""
import numpy, time
a, b = (numpy.random.default_rng(seed).standard_normal(({size}, {size}), dtype="float32") for seed in (1, 2))
times = []
for _ in range(18):
    start = time.perf_counter()
    a @ b
    times.append(time.perf_counter() - start)
print(sorted(times[3:])[7] * 1000)"""]
        self.environment = dict(os.environ, OPENBLAS_NUM_THREADS=str(threads))

    def milliseconds(self):
        return float(subprocess.run(self.command, env=self.environment, capture_output=True, text=True, check=True).stdout)


def by_turns(ours, theirs, rounds):
    mine, other = [], []
    for _ in range(rounds):
        mine.append(ours.milliseconds())
        other.append(theirs.milliseconds())
    return min(mine), min(other)


def row(name, device, other, mine, theirs):
    print(f"{name:54} {device:10} {mine:10.3f} {theirs:10.3f} {other:9} {theirs / mine:8.2f}", flush=True)
    return theirs / mine


def beside_iree(file, device, tools):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        fused = folder / "fused.mlir"
        run([tools.fuselage, "fuse", file, "--all", "--no-check", "-o", fused])
        ours = Ours(fused if tools.fuse else file, device, tools)
        return row(file.name, device, "IREE", *by_turns(ours, Iree(file, fused, device, tools, folder), tools.rounds))


def as_module(code):
    """What a dispatch computes, as a module that any MLIR tool reads: without the marks of this project."""
    code = re.sub(r"(?:, )?fuselage\.[a-z_]+(?: = [^,}]*)?", "", code)
    code = re.sub(r"(\{)\s*,\s*", r"\1", code)
    return re.sub(r" attributes \{\s*\}| \{\s*\}(?= (?:ins|outs))", "", code).replace("func.func private", "func.func")


def dearest(file, device, count, tools):
    """The dispatches of a program that take the longest: name, code and milliseconds of all that compute the same."""
    report = json.loads(run([tools.fuselage, "run", file, "--device", device, "--repeat", "2", "--format", "json"]))
    times = {}
    for kernel in report["kernels"]:
        if kernel["kind"] == "dispatch" and not kernel.get("once"):
            times[kernel["dispatch"]] = times.get(kernel["dispatch"], 0) + kernel["median_us"] / 1000
    same = {}
    for name, milliseconds in sorted(times.items(), key=lambda each: -each[1])[:8 * count]:
        code = as_module(run([tools.fuselage, "kernel", file, "--dispatch", name, "--stage", "linalg", "--bare"]))
        names = {}
        key = re.sub(r"[%@][\w.$-]+", lambda name: names.setdefault(name[0], str(len(names))), code)
        first, _, whole = same.get(key, (name, code, 0))
        same[key] = (first, code, whole + milliseconds)
    return sorted(same.values(), key=lambda each: -each[2])[:count]


def dearest_beside_iree(file, device, tools):
    """The ratio of each of a program's dearest dispatches."""
    ratios = []
    for name, code, whole in dearest(file, device, tools.dearest, tools):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            module = folder / "dispatch.mlir"
            module.write_text(code)
            try:
                times = by_turns(Ours(module, device, tools), Iree(module, module, device, tools, folder), tools.rounds)
                ratios.append(row(f"{file.stem[:12]} {name[-40:]}", device, "IREE", *times))
            except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
                print(f"{file.stem[:12]} {name}: {str(error)[:300]}", flush=True)
                if "iree-compile" not in str(error):
                    raise
    return ratios


def beside_blas(size, tools):
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "matmul.mlir"
        file.write_text(MATMUL.format(n=size))
        return row(f"matmul {size}x{size}x{size}", "host", "OpenBLAS",
                   *by_turns(Ours(file, "host", tools), Blas(size, tools.threads), tools.rounds))


def has_openblas():
    """Whether NumPy is there and was built with OpenBLAS."""
    try:
        import numpy
        return "openblas" in json.dumps(numpy.show_config(mode="dicts")).lower()
    except (ImportError, TypeError):
        return False


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default=ROOT / "build/release/bin/fuselage", type=pathlib.Path)
    parser.add_argument("--iree", type=pathlib.Path, help="the folder of iree-compile (default: as PATH says)")
    parser.add_argument("--device", action="append", choices=["host", "vulkan:0"], help="default: host")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of IREE and OpenBLAS on the host")
    parser.add_argument("--rounds", type=int, default=3, help="turns, of which the least counts (default: 3)")
    parser.add_argument("--fuse", action="store_true", help="ours after `fuselage fuse --all`")
    parser.add_argument("--dearest", type=int, default=0, metavar="N", help="the N dearest distinct dispatches of each file")
    parser.add_argument("--at-least", type=float, default=0, help="exit 1 if a ratio is below")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    tools = parser.parse_args()
    if not tools.iree and (found := shutil.which("iree-compile")):
        tools.iree = pathlib.Path(found).parent
    # Not by what somebody tuned on this machine.
    tools.run = ["--caches", "warm", "--tuned", "none"]
    return tools


def main():
    tools = parse()
    ok, ratios = True, {}
    print(f"{'module':54} {'device':10} {'ours ms':>10} {'theirs ms':>10} {'theirs':9} {'ratio':>8}")
    if not tools.iree:
        print("skipped: there is no iree-compile on PATH")
    for device in tools.device or ["host"]:
        for file in (tools.files or [ROOT / f"samples/{name}.mlir" for name in SAMPLES]) if tools.iree else []:
            try:
                ratios.setdefault(device, []).extend(dearest_beside_iree(file, device, tools) if tools.dearest
                                                     else [beside_iree(file, device, tools)])
            except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
                takes = "iree-compile" not in str(error)
                print(f"{file.name:54} {device:10} {'FAILED' if takes else 'skipped'}: {error}", flush=True)
                ok &= not takes
    if "host" in (tools.device or ["host"]):
        if has_openblas():
            ok &= beside_blas(1024, tools) >= tools.at_least
        else:
            print("skipped: there is no NumPy with OpenBLAS")
    for device, all_of in ((device, each) for device, each in ratios.items() if each):
        mean = math.exp(sum(math.log(ratio) for ratio in all_of) / len(all_of))
        print(f"{device}: IREE's time is {mean:.2f} of ours (geometric mean of {len(all_of)}), {min(all_of):.2f} at the least")
        ok &= min(all_of) >= tools.at_least
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
