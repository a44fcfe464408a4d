#!/usr/bin/env python3
"""Whole programs of JAX: opened, fused and run here, beside JAX's results and IREE's dispatches.

usage: jax_models.py FUSELAGE [--device D] [--write DIR] [NAME ...]    (needs jax and flax; says so where they are not)

For each program: the time to open it, the dispatches that `fuse --all` leaves and those that IREE makes at O3 (where
iree-compile is installed), and whether the results on the device are JAX's. --write keeps text and inputs in DIR.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
except ImportError as error:
    print(f"jax_models: skipped: {error}")
    sys.exit(0)

rng = np.random.default_rng(3)


def f32(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def ints(*shape, high):
    return rng.integers(0, high, shape).astype(np.int32)


class Block(nn.Module):
    heads: int = 4

    @nn.compact
    def __call__(self, x, mask):
        y = nn.LayerNorm()(x)
        x = x + nn.MultiHeadDotProductAttention(self.heads)(y, mask=mask)
        y = nn.LayerNorm()(x)
        return x + nn.Dense(x.shape[-1])(nn.gelu(nn.Dense(4 * x.shape[-1])(y)))


class Transformer(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(97, 64)(tokens) + self.param("places", nn.initializers.normal(), (tokens.shape[1], 64))
        for _ in range(2):
            x = Block()(x, nn.make_causal_mask(tokens))
        return nn.Dense(97)(nn.LayerNorm()(x))


def transformer():
    model, tokens = Transformer(), ints(2, 16, high=97)
    params = model.init(jax.random.key(0), tokens)
    return lambda params, tokens: model.apply(params, tokens), (params, tokens)


def transformer_cache():
    """One step of a decoder, whose keys and values are in a cache."""
    heads, size, length = 4, 16, 32

    def attend(x, wq, wk, wv, wo, keys, values, at):
        q, k, v = (jnp.reshape(x @ w, (x.shape[0], heads, size)) for w in (wq, wk, wv))
        keys = lax.dynamic_update_slice(keys, k[:, None], (0, at, 0, 0))
        values = lax.dynamic_update_slice(values, v[:, None], (0, at, 0, 0))
        scores = jnp.einsum("bhd,bshd->bhs", q, keys) / np.float32(np.sqrt(size))
        scores = jnp.where(jnp.arange(length) <= at, scores, np.float32(-1e9))
        mixed = jnp.einsum("bhs,bshd->bhd", jax.nn.softmax(scores), values)
        return x + mixed.reshape(x.shape[0], -1) @ wo, keys, values

    weights = [f32(64, 64, scale=0.125) for _ in range(4)]
    return attend, (f32(2, 64), *weights, f32(2, length, heads, size), f32(2, length, heads, size), np.int32(5))


def scan_rnn():
    def step(carry, x, w, u, b):
        carry = jnp.tanh(x @ w + carry @ u + b)
        return carry, carry

    def f(xs, w, u, b):
        return lax.scan(lambda c, x: step(c, x, w, u, b), jnp.zeros((4, 32)), xs)

    return f, (f32(20, 4, 16), f32(16, 32, scale=0.2), f32(32, 32, scale=0.2), f32(32))


def while_loop():
    """Newton's method until it stands still."""
    def f(x):
        def go_on(state):
            return jnp.logical_and(jnp.max(jnp.abs(state[1])) > 1e-5, state[2] < 50)

        def step(state):
            y, _, n = state
            delta = (y * y - x) / (2 * y)
            return y - delta, delta, n + 1

        root, _, rounds = lax.while_loop(go_on, step, (x, jnp.ones_like(x), 0))
        return root, rounds

    return f, (np.abs(f32(64)) + 0.5,)


def vmap_gather():
    def f(table, starts, weights):
        windows = jax.vmap(lambda row, s: lax.dynamic_slice(row, (s, 0), (4, 8)))(table, starts)
        return jnp.einsum("bwd,de->bwe", windows, weights).sum(1)

    return f, (f32(6, 32, 8), ints(6, high=32), f32(8, 16))


def conv_training():
    """A step of training with Adam."""
    def network(params, x):
        for kernel, bias in params[:-1]:
            x = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.relu(x + bias)
            x = lax.reduce_window(x, -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        w, b = params[-1]
        return x.reshape(x.shape[0], -1) @ w + b

    def loss(params, x, labels):
        logits = network(params, x)
        return -(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, 10)).sum(-1).mean()

    def step(params, m, v, t, x, labels):
        value, grads = jax.value_and_grad(loss)(params, x, labels)
        m = jax.tree_util.tree_map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree_util.tree_map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
        scale = jnp.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t)
        new = jax.tree_util.tree_map(lambda p, m, v: p - 0.001 * scale * m / (jnp.sqrt(v) + 1e-8), params, m, v)
        return value, new, m, v

    params = [(f32(3, 3, 3, 8, scale=0.2), f32(8)), (f32(3, 3, 8, 16, scale=0.2), f32(16)), (f32(4 * 4 * 16, 10, scale=0.1), f32(10))]
    zeros = jax.tree_util.tree_map(np.zeros_like, params)
    return step, (params, zeros, zeros, np.float32(1), f32(4, 16, 16, 3), ints(4, high=10))


def fft_filter():
    def f(x, gain):
        return jnp.fft.irfft(jnp.fft.rfft(x) * gain, n=x.shape[-1])

    return f, (f32(3, 64), f32(33))


def sort_top_k():
    def f(x):
        values, places = lax.top_k(x, 5)
        return jnp.sort(x, axis=-1), jnp.argsort(-x, axis=-1), values, places

    return f, (f32(4, 40),)


def random_numbers():
    def f(key):
        first, second = jax.random.split(jax.random.wrap_key_data(key))
        return jax.random.uniform(first, (5, 7)), jax.random.normal(second, (8,)), jax.random.randint(first, (9,), 0, 100)

    return f, (np.array([3, 4], np.uint32),)


def moe_one_hot():
    def f(x, router, up, down):
        gates = jax.nn.softmax(x @ router)
        best, which = lax.top_k(gates, 2)
        dispatch = (jax.nn.one_hot(which, 4) * best[..., None]).sum(1)
        hidden = jax.nn.gelu(jnp.einsum("td,edf->etf", x, up))
        return jnp.einsum("etf,efd,te->td", hidden, down, dispatch)

    return f, (f32(16, 32), f32(32, 4), f32(4, 32, 64, scale=0.2), f32(4, 64, 32, scale=0.2))


def moe_sort():
    """Tokens are sorted by expert; each expert takes its part."""
    def f(x, router, up, down):
        which = jnp.argmax(x @ router, axis=-1)
        order = jnp.argsort(which)
        sorted_x = x[order]
        mine = which[order]
        hidden = jax.nn.gelu(jnp.einsum("td,tdf->tf", sorted_x, up[mine]))
        out = jnp.einsum("tf,tfd->td", hidden, down[mine])
        return jnp.zeros_like(x).at[order].set(out)

    return f, (f32(16, 32), f32(32, 4), f32(4, 32, 64, scale=0.2), f32(4, 64, 32, scale=0.2))


def diffusion_block():
    def norm(x, scale, bias, groups=4):
        n, h, w, c = x.shape
        y = x.reshape(n, h, w, groups, c // groups)
        mean, var = y.mean((1, 2, 4), keepdims=True), y.var((1, 2, 4), keepdims=True)
        return ((y - mean) / jnp.sqrt(var + 1e-5)).reshape(x.shape) * scale + bias

    def conv(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def f(x, t, s1, b1, k1, wt, s2, b2, k2):
        frequencies = jnp.exp(-np.log(10000.0) * jnp.arange(8) / 8)
        angles = t[:, None] * frequencies
        embedding = jax.nn.silu(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)) @ wt
        h = conv(jax.nn.silu(norm(x, s1, b1)), k1) + embedding[:, None, None]
        return x + conv(jax.nn.silu(norm(h, s2, b2)), k2)

    return f, (f32(2, 8, 8, 16), f32(2), f32(16), f32(16), f32(3, 3, 16, 16, scale=0.1), f32(16, 16), f32(16), f32(16),
               f32(3, 3, 16, 16, scale=0.1))


MODELS = [transformer, transformer_cache, scan_rnn, while_loop, vmap_gather, conv_training, fft_filter, sort_top_k,
          random_numbers, moe_one_hot, moe_sort, diffusion_block]


def command(*words, timeout=300):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=timeout)


def dispatches_of_iree(file, folder):
    if not shutil.which("iree-compile"):
        return None
    out = folder / "flow.mlir"
    done = command("iree-compile", "--iree-input-type=stablehlo", "--compile-to=flow", "--iree-hal-target-backends=llvm-cpu",
                   "--iree-llvmcpu-target-cpu=generic", "--iree-opt-level=O3", file, "-o", out)
    return len(re.findall(r"flow\.dispatch @", out.read_text())) if done.returncode == 0 else None


def compare(folder, expected):
    worst = 0.0
    for number, want in enumerate(expected):
        got = np.load(folder / f"result{number}.npy")
        want = np.asarray(want)
        if want.dtype.kind in "iub":
            if not np.array_equal(got.astype(np.int64), want.astype(np.int64)):
                return f"result {number} differs"
            continue
        scale = max(float(np.abs(want).max()), 1e-6)
        error = float(np.abs(got - want).max()) / scale
        worst = max(worst, error)
        if not error < 2e-4:
            return f"result {number} differs by {error:.1e} of its largest element"
    return f"ok, {worst:.0e}"


def check(fuselage, make, folder, device):
    function, inputs = make()
    flat, tree = jax.tree_util.tree_flatten(inputs)
    flat = [np.asarray(value) for value in flat]
    jitted = jax.jit(lambda *leaves: function(*jax.tree_util.tree_unflatten(tree, leaves)), keep_unused=True)
    file = folder / f"{make.__name__}.mlir"
    file.write_text(jitted.lower(*flat).as_text())
    for number, value in enumerate(flat):
        np.save(folder / f"arg{number}.npy", value)
    expected = jax.tree_util.tree_leaves(jitted(*flat))
    start = time.monotonic()
    opened = command(fuselage, "graph", file)
    seconds = time.monotonic() - start
    left = sum("stays as it is" in line for line in opened.stderr.splitlines())
    fused = command(fuselage, "fuse", "--all", file, "-o", folder / "fused.mlir")
    found = re.search(r"dispatches: (\d+) before, (\d+) after", fused.stdout + fused.stderr)
    ran = command(fuselage, "run", file, "--inputs", folder, "--output", folder / "out", "--repeat", "1", "--baselines", "none",
                  "--device", device)
    try:
        result = compare(folder / "out", expected)
    except FileNotFoundError:
        lines = [line for line in ran.stderr.splitlines() if "error" in line or line.startswith("fuselage:")]
        result = "refused: " + " | ".join(lines[:2])[:200]
    before, after = found.groups() if found else ("?", "?")
    print(f"{make.__name__:18} opened in {seconds:.2f} s, {left} ops stay; dispatches {before} -> {after}, "
          f"IREE {dispatches_of_iree(file, folder)}; {device}: {result}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fuselage")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device", default="host")
    parser.add_argument("--write", type=pathlib.Path)
    args = parser.parse_args()
    for make in MODELS:
        if args.names and make.__name__ not in args.names:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            check(args.fuselage, make, folder, args.device)
            if args.write:
                shutil.copytree(folder, args.write / make.__name__, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
