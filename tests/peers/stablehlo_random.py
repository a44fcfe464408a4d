#!/usr/bin/env python3
"""Random programs of one op of JAX each: types, shapes, dimension numbers, modes. They compute here what they do in JAX.

usage: stablehlo_random.py FUSELAGE [COUNT [SEED [NAME]]]    (needs jax; says so where it is not installed)

Inputs are constants of the program, so that types without a .npy form take part. COUNT programs are drawn (default: 600)
from a seed; with NAME only those of one kind. A kind that JAX itself refuses for some draw is drawn again.
"""
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    import stablehlo_kinds  # fills the list
    from stablehlo_draw import KINDS, NARROW, Draw
except ImportError as error:
    print(f"stablehlo_random: skipped: {error}")
    sys.exit(0)


def narrowed(values):
    """Integers of 4 bits are written to .npy files in 8, and floats of fewer than 32 bits but f16 as f32."""
    values = np.asarray(values)
    if values.dtype in NARROW:
        return values.astype(np.int8)
    isFloat = jnp.issubdtype(values.dtype, jnp.floating)
    return values.astype(np.float32) if isFloat and values.dtype.itemsize < 4 and values.dtype != np.float16 else values


def difference(got, want, ulps, share):
    """What is wrong, or an empty string."""
    dtype = np.asarray(want).dtype
    want = narrowed(want)
    if got.shape != want.shape:
        return f"it has the shape {got.shape}, not {want.shape}"
    if not jnp.issubdtype(dtype, jnp.inexact):
        got = got.astype(np.int8) if got.dtype == np.uint8 and dtype in NARROW else got
        return "" if np.array_equal(got, want) else f"{got.ravel()[:6]} for {want.ravel()[:6]}"
    with np.errstate(all="ignore"):
        if jnp.issubdtype(dtype, jnp.complexfloating):
            parts = dtype.type(0).real.dtype
            got, want, real = np.atleast_1d(got).view(parts), np.atleast_1d(want).view(parts), parts
        else:
            real = dtype
        tiny, eps = float(jnp.finfo(real).tiny), float(jnp.finfo(real).eps)
        size = np.abs(want.astype(np.float64))
        finite = size[np.isfinite(size)]
        allowed = ulps * eps * np.maximum(size, tiny) + share * (finite.max() if finite.size else 0)
        apart = np.abs(got.astype(np.float64) - want.astype(np.float64))
        same = (got == want) | (np.isnan(got) & np.isnan(want)) | (apart <= allowed)
    if same.all():
        return ""
    at = np.unravel_index(np.argmin(same), same.shape)
    return f"element {at} is {got[at]!r} for {want[at]!r} ({int((~same).sum())} of {same.size})"


def check(fuselage, folder, function, inputs, ulps, share):
    program = jax.jit(lambda: function(*inputs))
    # On CPUs, JAX calls LAPACK.
    platform = "tpu" if isinstance(function, functools.partial) and function.func is lax.linalg.triangular_solve else "cpu"
    text = program.trace().lower(lowering_platforms=(platform,)).as_text()
    expected = jax.tree_util.tree_leaves(program())
    (folder / "f.mlir").write_text(text)
    done = subprocess.run([fuselage, "run", folder / "f.mlir", "--output", folder / "out", "--repeat", "1",
                           "--baselines", "none"], capture_output=True, text=True, timeout=120)
    for number, want in enumerate(expected):
        path = folder / "out" / f"result{number}.npy"
        if not path.exists():
            said = [line for line in done.stderr.splitlines() if re.search("error|remark|fuselage:", line)]
            return "refused: " + " | ".join(said[:2])[:300]
        what = difference(np.load(path), want, ulps, share)
        if what:
            return f"result {number}: {what}"
    # A run may say that the rounding errors of what it was given are too large to show anything.
    isFine = done.returncode == 0 or "show nothing" in done.stderr
    return "" if isFine else f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"


def main():
    fuselage = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = sys.argv[4:5] or list(KINDS)
    wrong = ran = 0
    for number in range(count):
        name = names[number % len(names)]
        with tempfile.TemporaryDirectory() as where:
            folder = pathlib.Path(where)
            try:
                function, inputs, ulps, share = KINDS[name](Draw([seed, number]))
                jax.eval_shape(lambda: function(*inputs))
                program = jax.jit(lambda: function(*inputs))
                jax.block_until_ready(program())
            except Exception:  # not a program of JAX
                continue
            ran += 1
            try:
                what = check(fuselage, folder, function, inputs, ulps, share)
            except subprocess.TimeoutExpired:
                what = "it takes more than two minutes"
            if what:
                wrong += 1
                keep = pathlib.Path(tempfile.gettempdir()) / f"stablehlo_random_{seed}_{number}.mlir"
                keep.write_text((folder / "f.mlir").read_text())
                print(f"{number} {name}: {what}  [{keep}]", flush=True)
    print(f"{ran} programs, {wrong} differ or are refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
