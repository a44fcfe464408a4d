#!/usr/bin/env python3
"""Fuselage's kernels beside IREE's and OpenBLAS's, where those are installed; says so where they are not and exits 0.

For each file and device: the sum of the medians of `fuselage run`, and the median time of a call of the same module
compiled by iree-compile, by turns in one run, so that a machine that slows down slows both. Of all turns the least
counts. Prints a row a file with the ratio IREE / ours (above 1: ours is faster) and the geometric mean; on the host also
a matmul of 1024x1024x1024 beside NumPy's, which calls OpenBLAS. Caches are warm on both sides where `fuselage run` can
be told so. Exits 1 if a file cannot be compared or is slower than --at-least says.

    python3 tests/peers/kernels_beside.py [--device host] [--device vulkan:0] [--fuse] [--rounds 3] [FILE..]
"""
import argparse
import json
import math
import os
import pathlib
import shutil
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
        self.command = [tools.fuselage, "run", file, "--device", device, "--format", "json", *tools.warm]

    def milliseconds(self):
        report = json.loads(run(self.command))
        if report["verdict"] != "ok":
            raise RuntimeError(f"fuselage run says {report['verdict']}")
        return sum(kernel["median_us"] for kernel in report["kernels"] if not kernel.get("once")) / 1000


class Iree:
    """The same module as iree-compile makes it and iree-benchmark-module times it."""

    def __init__(self, file, plain, device, tools, folder):
        program = folder / "program.vmfb"
        name, wanted = arguments(plain)
        flags = self.inputs(wanted, folder, tools.iree)
        kind = device.split(":")[0]
        run([tools.iree / "iree-compile", *TARGETS[kind], "--iree-opt-level=O3", file, "-o", program])
        driver = (["--device=local-task", f"--task_topology_group_count={tools.threads}"] if kind == "host"
                  else ["--device=vulkan"])
        self.command = [tools.iree / "iree-benchmark-module", f"--module={program}", f"--function={name}", *driver,
                        *flags, "--benchmark_repetitions=40", "--benchmark_min_time=1x", "--benchmark_format=json"]

    @staticmethod
    def inputs(wanted, folder, iree):
        """Random ones; zeros of types that NumPy lacks."""
        if any(element not in TYPES for _, element, _, _ in wanted):
            return [f"--input={'x'.join(map(str, shape))}x{element}" for shape, element, _, _ in wanted]
        files = random_inputs(wanted, folder)
        return [*archive(wanted, files, folder, iree),
                *[f"--input=@{file}" for file, argument in zip(files, wanted) if not argument[2]]]

    def milliseconds(self):
        said = run(self.command)
        rows = json.loads(said[said.index("{"):])["benchmarks"]
        units = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
        return next(row["real_time"] * units[row["time_unit"]] for row in rows if row.get("aggregate_name") == "median")


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
    print(f"{name:34} {device:10} {mine:10.3f} {theirs:10.3f} {other:9} {theirs / mine:8.2f}", flush=True)
    return theirs / mine


def beside_iree(file, device, tools):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        fused = folder / "fused.mlir"
        run([tools.fuselage, "fuse", file, "--all", "--no-check", "-o", fused])
        ours = Ours(fused if tools.fuse else file, device, tools)
        return row(file.name, device, "IREE", *by_turns(ours, Iree(file, fused, device, tools, folder), tools.rounds))


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
    parser.add_argument("--fuselage", default=ROOT / "build/bin/fuselage", type=pathlib.Path)
    parser.add_argument("--iree", type=pathlib.Path, help="the folder of iree-compile (default: as PATH says)")
    parser.add_argument("--device", action="append", choices=["host", "vulkan:0"], help="default: host")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of IREE and OpenBLAS on the host")
    parser.add_argument("--rounds", type=int, default=3, help="turns, of which the least counts (default: 3)")
    parser.add_argument("--fuse", action="store_true", help="ours after `fuselage fuse --all`")
    parser.add_argument("--at-least", type=float, default=0, help="exit 1 if a ratio is below")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    tools = parser.parse_args()
    if not tools.iree and (found := shutil.which("iree-compile")):
        tools.iree = pathlib.Path(found).parent
    tools.warm = ["--caches", "warm"] if "--caches" in run([tools.fuselage, "run", "--help"]) else []
    return tools


def main():
    tools = parse()
    ok, ratios = True, {}
    print(f"{'module':34} {'device':10} {'ours ms':>10} {'theirs ms':>10} {'theirs':9} {'ratio':>8}")
    if not tools.iree:
        print("skipped: there is no iree-compile on PATH")
    for device in tools.device or ["host"]:
        for file in (tools.files or [ROOT / f"samples/{name}.mlir" for name in SAMPLES]) if tools.iree else []:
            try:
                ratios.setdefault(device, []).append(beside_iree(file, device, tools))
            except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
                takes = "iree-compile" not in str(error)
                print(f"{file.name:34} {device:10} {'FAILED' if takes else 'skipped'}: {error}", flush=True)
                ok &= not takes
    if "host" in (tools.device or ["host"]):
        if has_openblas():
            ok &= beside_blas(1024, tools) >= tools.at_least
        else:
            print("skipped: there is no NumPy with OpenBLAS")
    for device, all_of in ratios.items():
        mean = math.exp(sum(math.log(ratio) for ratio in all_of) / len(all_of))
        print(f"{device}: IREE's time is {mean:.2f} of ours (geometric mean of {len(all_of)}), {min(all_of):.2f} at the least")
        ok &= min(all_of) >= tools.at_least
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
