#!/usr/bin/env python3
"""Fuselage beside IREE, where IREE's tools and NumPy are installed; says so and exits 0 where they are not.

For each file: `fuselage fuse --all --dispatches` writes a module, a stock iree-compile takes it, and the compiled program
computes on random inputs what the original computes, compiled by the same iree-compile. Beside that the numbers of
dispatches: what fuse predicts, what IREE makes of the module that it wrote, and of the original. Exits 1 if a module is
refused, a result differs, or (with --counts) IREE makes more of what fuse wrote than of the original.

    python3 tests/peers/beside_iree.py [--fuselage build/release/bin/fuselage] [--iree FOLDER] [--counts] [FILE..]
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ["softmax", "bert_attention", "mlp_gelu", "matmul_transpose_bias", "conv_bias_relu"]
TARGET = ["--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic"]
DYNAMIC = 8  # what a dynamic dimension has
TYPES = {"f32": "float32", "f16": "float16", "f64": "float64", "i64": "int64", "i32": "int32", "i8": "int8", "i1": "bool", "index": "int64"}


def run(command, limit=900):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=limit)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise RuntimeError(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: {' '.join(said[:3])[:400]}")
    return done.stdout


def arguments(module):
    """The public function's name and what it takes: (shape, element, parameter or None, bounds or None)."""
    text = module.read_text()
    head = re.search(r"func\.func @([\w$.]+)\((.*?)\) ->", text, re.S)
    found = []
    for part in re.findall(r"%[^:\s]+: tensor<([^>]*)>( \{[^}]*\})?", head[2]):
        *extents, element = part[0].split("x")
        parameter = re.search(r'fuselage\.parameter = "([^"]*)"', part[1])
        bounds = re.search(r"fuselage\.bounds = array<i64: (-?\d+), (-?\d+)>", part[1])
        found.append(([DYNAMIC if extent == "?" else int(extent) for extent in extents], element, parameter and parameter[1],
                      bounds and (int(bounds[1]), int(bounds[2]))))
    return head[1], found


def random_inputs(wanted, folder):
    """As .npy files: weights by their fan-in, vectors around 1 (scales, variances), indices within their bounds."""
    import numpy
    generator = numpy.random.default_rng(1)
    files = []
    for number, (shape, element, _, bounds) in enumerate(wanted):
        kind = numpy.dtype(TYPES[element])
        if kind.kind == "f":
            fan_in = shape[-1] if len(shape) > 1 else 1
            value = generator.standard_normal(shape) / fan_in**0.5 if len(shape) > 1 else generator.uniform(0.5, 1.5, shape)
        elif kind.kind == "b":
            value = numpy.ones(shape)
        else:
            low, high = bounds or (0, 1)
            value = generator.integers(low, min(high, 1000) + 1, shape)
        files.append(folder / f"in{number}.npy")
        numpy.save(files[-1], value.astype(kind))
    return files


def archive(wanted, files, folder, iree):
    """The weights as parameter files that iree-run-module reads, a scope a file."""
    scopes = {}
    for (_, _, parameter, _), file in zip(wanted, files):
        if parameter:
            scope, _, key = parameter.rpartition("::")
            scopes.setdefault(scope, {})[key] = file
    import numpy
    from iree.runtime import ParameterIndex
    flags = []
    for number, (scope, weights) in enumerate(scopes.items()):
        index = ParameterIndex()
        for key, file in weights.items():
            index.add_buffer(key, numpy.ascontiguousarray(numpy.load(file)).tobytes())
        path = folder / f"weights{number}.irpa"
        index.create_archive_file(str(path))
        flags.append(f"--parameters={scope}={path}" if scope else f"--parameters={path}")
    return flags


def results(module, name, inputs, flags, folder, iree, label):
    import numpy
    program = folder / f"{label}.vmfb"
    run([iree / "iree-compile", *TARGET, module, "-o", program])
    outputs = [folder / f"{label}{n}.npy" for n in range(16)]
    for count in range(1, 17):
        try:
            run([iree / "iree-run-module", f"--module={program}", "--device=local-task", f"--function={name}", *flags,
                 *[f"--input=@{file}" for file in inputs], *[f"--output=@{file}" for file in outputs[:count]]])
            return [numpy.load(file) for file in outputs[:count]]
        except RuntimeError as error:
            if "outputs" not in str(error) and "expect" not in str(error):
                raise
    raise RuntimeError("more than 16 results")


def dispatches(module, iree, folder, level):
    flow = folder / "flow.mlir"
    run([iree / "iree-compile", *TARGET, *level, "--compile-to=flow", module, "-o", flow])
    return len(re.findall(r"flow\.dispatch @", flow.read_text()))


def compare(file, tools, counts):
    import numpy
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        ours = folder / "ours.mlir"
        said = run([tools.fuselage, "fuse", file, "--all", "--dispatches", "--no-check", "-o", ours])
        mine = int(re.search(r"dispatches: \d+ before, (\d+) after", said)[1])
        theirs = dispatches(file, tools.iree, folder, ["--iree-opt-level=O3"])
        made = dispatches(ours, tools.iree, folder, ["--iree-opt-level=O3"])
        name, wanted = arguments(ours)
        unknown = sorted({element for _, element, _, _ in wanted} - TYPES.keys())
        if unknown:
            print(f"{file.name}: skipped: NumPy has no {', '.join(unknown)}", flush=True)
            return True
        files = random_inputs(wanted, folder)
        user = [file for file, argument in zip(files, wanted) if not argument[2]]
        before = results(file, name, user, archive(wanted, files, folder, tools.iree), folder, tools.iree, "theirs")
        after = results(ours, name, files, [], folder, tools.iree, "ours")
        worst = 0.0
        for old, new in zip(before, after):
            if not numpy.isfinite(old).all() or old.shape != new.shape:
                raise RuntimeError("IREE's own results are not finite, or of another shape: they show nothing")
            size = numpy.abs(old.astype("float64")).max() or 1.0
            differs = numpy.abs(old.astype("float64") - new.astype("float64")).max() / size
            worst = max(worst, float(differs) if numpy.isfinite(differs) else float("inf"))
        ok = worst < 1e-3 and len(before) == len(after) and (not counts or made <= theirs)
        print(f"{file.name}: {mine} dispatches, IREE at O3 makes {made} of them and {theirs} of the original; results differ by at most {worst:.1e} of the largest "
              f"value: {'ok' if ok else 'FAILED'}", flush=True)
        return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default=ROOT / "build/release/bin/fuselage", type=pathlib.Path)
    parser.add_argument("--iree", type=pathlib.Path, help="the folder of iree-compile (default: as PATH says)")
    parser.add_argument("--counts", action="store_true", help="also fail where IREE makes fewer dispatches")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    tools = parser.parse_args()
    if not tools.iree:
        found = shutil.which("iree-compile")
        if not found:
            print("skipped: there is no iree-compile on PATH")
            return 0
        tools.iree = pathlib.Path(found).parent
    try:
        import numpy, iree.runtime  # noqa: F401
    except ImportError as missing:
        print(f"skipped: {missing}")
        return 0
    ok = True
    for file in tools.files or [ROOT / f"samples/{name}.mlir" for name in SAMPLES]:
        try:
            ok &= compare(file, tools, tools.counts)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{file.name}: FAILED: {error}", flush=True)
            ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
