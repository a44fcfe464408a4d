#!/usr/bin/env python3
"""Errors of math functions in units in the last place, over the whole range of each type, beside numpy's longdouble.

A unit is that of the type at the exact value, so that rounding alone is 0.5. Arguments and results below the least normal
number are left out, as devices may take them for zero; "special" counts elements that are NaN or infinite on one side only.
numpy is needed; erf and erfc are those of the system's library, in double precision.

    tests/peers/math_functions.py --fuselage build/ci/bin/fuselage --device host --device vulkan:0 --only sin,cos
"""
import argparse
import ctypes
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit("numpy is not installed: nothing to compare with")

LONG = np.longdouble
# bits of the significand, the least exponent of a normal number, the largest number
TYPES = {"f32": (24, -126, np.finfo(np.float32).max), "f16": (11, -14, 65504.0),
         "bf16": (8, -126, float.fromhex("0x1.fep127")), "f64": (53, -1022, np.finfo(np.float64).max)}
INFINITY = float("inf")


def by_libm(name):
    function = getattr(ctypes.CDLL("libm.so.6"), name)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    return lambda x: np.array([function(float(v)) for v in x], dtype=LONG)


def power(x, y):
    with np.errstate(all="ignore"):
        return np.power(x, y)


def half_away(x):
    return np.copysign(np.floor(np.abs(x) + LONG(0.5)), x)


# name: (reference, intervals of arguments with a name each; None is the whole range)
EVERYWHERE = {"": None}
FUNCTIONS = {
    "sin": (np.sin, {"to pi": (-math.pi, math.pi), "to 1e5": (-1e5, 1e5), "": None}),
    "cos": (np.cos, {"to pi": (-math.pi, math.pi), "to 1e5": (-1e5, 1e5), "": None}),
    "tan": (np.tan, {"to 1.5": (-1.5, 1.5), "to 1e5": (-1e5, 1e5), "": None}),
    "asin": (np.arcsin, {"": (-1, 1)}), "acos": (np.arccos, {"": (-1, 1)}), "atan": (np.arctan, EVERYWHERE),
    "sinh": (np.sinh, EVERYWHERE), "cosh": (np.cosh, EVERYWHERE), "tanh": (np.tanh, EVERYWHERE),
    "asinh": (np.arcsinh, EVERYWHERE), "acosh": (np.arccosh, {"": (1, INFINITY)}), "atanh": (np.arctanh, {"": (-1, 1)}),
    "exp": (np.exp, EVERYWHERE), "exp2": (np.exp2, EVERYWHERE), "expm1": (np.expm1, EVERYWHERE),
    "log": (np.log, {"": (0, INFINITY)}), "log2": (np.log2, {"": (0, INFINITY)}), "log10": (np.log10, {"": (0, INFINITY)}),
    "log1p": (np.log1p, {"": (-1, INFINITY)}),
    "sqrt": (np.sqrt, {"": (0, INFINITY)}), "rsqrt": (lambda x: 1 / np.sqrt(x), {"": (0, INFINITY)}), "cbrt": (np.cbrt, EVERYWHERE),
    "erf": (by_libm("erf"), EVERYWHERE), "erfc": (by_libm("erfc"), EVERYWHERE),
    "ceil": (np.ceil, EVERYWHERE), "floor": (np.floor, EVERYWHERE), "round": (half_away, EVERYWHERE),
    "roundeven": (np.rint, EVERYWHERE), "trunc": (np.trunc, EVERYWHERE), "absf": (np.abs, EVERYWHERE),
    "powf": (power, {"": (0, INFINITY)}), "atan2": (np.arctan2, EVERYWHERE), "fpowi": (power, EVERYWHERE),
}
TWO = {"powf", "atan2", "fpowi"}


def rounded(values, kind):
    """To the nearest number of a type."""
    bits, least, largest = TYPES[kind]
    with np.errstate(all="ignore"):
        values = np.clip(values.astype(np.float64), -largest, largest)
        fraction, exponent = np.frexp(values)
        step = np.ldexp(1.0, np.maximum(exponent, least + 1) - bits)
        return np.rint(values / step) * step


def arguments_of(kind, interval, count, random):
    """Half of them of every magnitude, a quarter from -10 to 10, a quarter where the interval is."""
    bits, least, largest = TYPES[kind]
    low, high = interval or (-INFINITY, INFINITY)
    top = math.log2(largest)
    magnitudes = np.exp2(random.uniform(least, top, count // 2)) * random.choice([-1.0, 1.0], count // 2)
    near = random.uniform(max(low, -10), min(high, 10), count // 4)
    far = random.uniform(max(low, -100 if low < 0 else low), min(high, 100), count - count // 2 - count // 4)
    values = rounded(np.concatenate([magnitudes, near, far]), kind)
    inside = (values >= low) & (values <= high) & (np.abs(values) >= 2.0**least)
    return np.where(inside, values, rounded(random.uniform(max(low, 0.01), min(high, 2.0) if high > 0.01 else high, count), kind))


def errors_of(got, exact, kind):
    """The largest error in units in the last place and where it is, and how many differ in being finite."""
    bits, least, largest = TYPES[kind]
    with np.errstate(all="ignore"):
        exact_finite = np.isfinite(exact) & (np.abs(exact) <= LONG(largest) * (1 + LONG(2.0) ** -(bits + 1)))
        near_end = np.isfinite(exact) & (np.abs(exact) > LONG(largest) * (1 - LONG(2.0) ** (3 - bits)))
        special = int(np.sum((np.isfinite(got) != exact_finite) & ~near_end | (np.isnan(got) != np.isnan(exact))))
        counts = exact_finite & np.isfinite(got) & (np.abs(exact) >= LONG(2.0) ** least)
        exponent = np.frexp(np.where(counts, exact, LONG(1)))[1]
        unit = np.ldexp(LONG(1), exponent - bits)
        errors = np.where(counts, np.abs(got.astype(LONG) - exact) / unit, LONG(0))
    worst = int(np.argmax(errors))
    return float(errors[worst]), worst, special


def body(name, kind, second):
    memory = "f64" if kind == "f64" else "f32"
    lines, x, y = [], "%x", "%y"
    if memory != kind:
        lines.append(f"%xn = arith.truncf %x : f32 to {kind}")
        x = "%xn"
    if name == "fpowi":
        lines.append(f"%r = math.fpowi {x}, %y : {kind}, i32")
    elif second:
        if memory != kind:
            lines.append(f"%yn = arith.truncf %y : f32 to {kind}")
            y = "%yn"
        lines.append(f"%r = math.{name} {x}, {y} : {kind}")
    else:
        lines.append(f"%r = math.{name} {x} : {kind}")
    result = "%r"
    if memory != kind:
        lines.append(f"%w = arith.extf %r : {kind} to f32")
        result = "%w"
    return "\n    ".join(lines + [f"linalg.yield {result} : {memory}"])


def module_of(name, kind, count):
    memory = "f64" if kind == "f64" else "f32"
    second = "i32" if name == "fpowi" else memory
    tensor, other, identity = f"tensor<{count}x{memory}>", f"tensor<{count}x{second}>", "affine_map<(i) -> (i)>"
    maps = ", ".join([identity] * (3 if name in TWO else 2))
    more = name in TWO
    return f"""func.func @main(%a: {tensor}{f", %b: {other}" if more else ""}) -> {tensor} {{
  %e = tensor.empty() : {tensor}
  %t = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins(%a{", %b" if more else ""} : {tensor}{f", {other}" if more else ""}) outs(%e : {tensor}) {{
  ^bb0(%x: {memory}, {f"%y: {second}, " if more else ""}%o: {memory}):
    {body(name, kind, more)}
  }} -> {tensor}
  return %t : {tensor}
}}
"""


def measure(options, name, kind, interval, device, folder):
    reference, _ = FUNCTIONS[name]
    random = np.random.default_rng(options.seed)
    dtype = np.float64 if kind == "f64" else np.float32
    x = arguments_of(kind, interval, options.count, random)
    inputs = [x.astype(dtype)]
    exact_arguments = [x.astype(LONG)]
    if name in TWO:
        if name == "fpowi":
            y = random.integers(-20, 21, options.count).astype(np.int32)
        elif name == "powf":
            y = rounded(random.uniform(-20, 20, options.count), kind).astype(dtype)
        else:
            y = arguments_of(kind, None, options.count, random).astype(dtype)
        inputs.append(y)
        exact_arguments.append(y.astype(LONG))
    source = folder / "main.mlir"
    source.write_text(module_of(name, kind, options.count))
    command = [options.fuselage, "run", str(source), "--device", device, "--repeat", "1", "--output", str(folder / "out")]
    for number, value in enumerate(inputs):
        np.save(folder / f"arg{number}.npy", value)
        command += ["--input", f"arg{number}=@{folder}/arg{number}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if device != "host" and "on the host" in done.stdout + done.stderr:
        return None
    files = sorted((folder / "out").glob("*.npy"))
    if not files:
        sys.exit(f"{name} of {kind} on {device}: {done.stdout}{done.stderr}")
    got = np.load(files[0])
    with np.errstate(all="ignore"):
        exact = reference(*exact_arguments)
    error, worst, special = errors_of(got, exact, kind)
    verdict = "ok" if done.returncode == 0 else "not ok"
    return error, tuple(float(value[worst]) for value in inputs), special, verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default="build/ci/bin/fuselage")
    parser.add_argument("--device", action="append", dest="devices")
    parser.add_argument("--only", default="", help="functions, with commas")
    parser.add_argument("--types", default="f32,f16,bf16,f64")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", action="store_true", help="say where the error is, and what the run said")
    options = parser.parse_args()
    devices = options.devices or ["host", "vulkan:0"]
    kinds = options.types.split(",")
    print("| function | " + " | ".join(f"{device} {kind}" for device in devices for kind in kinds) + " |")
    print("|---|" + "---:|" * (len(devices) * len(kinds)))
    for name, (_, intervals) in FUNCTIONS.items():
        if options.only and name not in options.only.split(","):
            continue
        for label, interval in intervals.items():
            cells = []
            for device in devices:
                for kind in kinds:
                    with tempfile.TemporaryDirectory() as folder:
                        found = measure(options, name, kind, interval, device, pathlib.Path(folder))
                    if found is None:
                        cells.append("-")
                        continue
                    error, where, special, verdict = found
                    text = f"{error:.1f}" if error < 1000 else f"{error:.0e}"
                    if special:
                        text += f" ({special} special)"
                    if options.worst:
                        text += f" at {', '.join(f'{v:g}' for v in where)}, {verdict}"
                    cells.append(text)
            print(f"| {name}{' ' + label if label else ''} | " + " | ".join(cells) + " |", flush=True)


main()
