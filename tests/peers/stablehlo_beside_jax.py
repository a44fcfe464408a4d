#!/usr/bin/env python3
"""Programs of JAX, op by op and whole: their StableHLO runs here as it runs in JAX.

usage: stablehlo_beside_jax.py FUSELAGE [NAME ...]    (needs jax; says so where it is not installed)

Each program is lowered by jax.jit(f).lower(...).as_text(), written with its inputs as .npy files, run on the host by
`fuselage run`, and compared with what JAX computes. Programs named on the command line, or all.
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
except ImportError as error:
    print(f"stablehlo_beside_jax: skipped: {error}")
    sys.exit(0)

jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(7)


def f32(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def positive(*shape):
    return (np.abs(f32(*shape)) + 0.1).astype(np.float32)


def f64(*shape):
    return rng.standard_normal(shape)


def c64(*shape):
    return (f32(*shape) + 1j * f32(*shape)).astype(np.complex64)


def ints(*shape, low=-9, high=9, dtype=np.int32):
    return rng.integers(low, high, shape).astype(dtype)


def conv(lhs, rhs, strides, padding, dims, **options):
    return lax.conv_general_dilated(lhs, rhs, strides, padding, dimension_numbers=dims, **options)


PROGRAMS = {}


def program(name, function, *inputs, rtol=1e-5, atol=1e-5, platform="cpu"):
    """`platform` is the one that JAX lowers for: on CPUs it calls LAPACK."""
    PROGRAMS[name] = (function, inputs, rtol, atol, platform)


# Elementwise.
for name in "abs ceil exp expm1 floor log1p logistic neg round sign sin cos tan tanh erf".split():
    program(f"unary_{name}", getattr(lax, name), f32(5, 7))
for name in "log rsqrt sqrt cbrt".split():
    program(f"unary_{name}", getattr(lax, name), positive(5, 7))
for name in "acos asin atanh".split():
    program(f"unary_{name}", getattr(lax, name), np.tanh(f32(5, 7)))
for name in "acosh asinh atan cosh sinh erfc is_finite".split():
    program(f"unary_{name}", getattr(lax, name), positive(5, 7) + np.float32(1))
for name in "add sub mul div max min atan2 rem pow".split():
    program(f"binary_{name}", getattr(lax, name), positive(5, 7), f32(5, 7))
for name in "add sub mul div max min rem bitwise_and bitwise_or bitwise_xor shift_left shift_right_arithmetic".split():
    program(f"ints_{name}", getattr(lax, name), ints(5, 7), ints(5, 7, low=-3, high=40))
for name in "add sub mul div max min rem shift_right_logical".split():
    program(f"unsigned_{name}", getattr(lax, name), ints(5, 7, low=0, high=2**32 - 1, dtype=np.uint32),
            ints(5, 7, low=0, high=40, dtype=np.uint32))
for name in "add sub mul div".split():
    program(f"complex_{name}", getattr(lax, name), c64(5, 7), c64(5, 7))
for name in "exp log sin cos tanh sqrt rsqrt abs neg real imag conj sign log1p expm1".split():
    program(f"complex_{name}", getattr(lax, name), c64(5, 7), rtol=1e-4)
for name in "eq ne lt le gt ge".split():
    program(f"compare_{name}", getattr(lax, name), np.array([1, 2, np.nan, -0.0, np.inf], np.float32),
            np.array([2, 2, np.nan, 0.0, np.inf], np.float32))
    program(f"compare_u8_{name}", getattr(lax, name), ints(9, low=0, high=255, dtype=np.uint8),
            ints(9, low=0, high=255, dtype=np.uint8))
program("integer_pow", lambda x: lax.integer_pow(x, 5), f32(5, 7))
program("ints_pow", lambda x, y: jnp.power(x, y), ints(5, 7), ints(5, 7, low=0, high=6))
program("population_count", lax.population_count, ints(9))
program("clz", lax.clz, ints(9, low=0))
program("bitwise_not", lax.bitwise_not, ints(9))
program("clamp", lambda x: lax.clamp(np.float32(-0.5), x, np.float32(0.5)), f32(5, 7))
program("select", lambda p, x, y: lax.select(p, x, y), f32(5, 7) > 0, f32(5, 7), f32(5, 7))
program("select_n", lambda p, x, y: lax.select_n(p, x, y), f32(5, 7) > 0, f32(5, 7), f32(5, 7))
for to in "int32 uint8 bool float64 float16 bfloat16 int64 complex64".split():
    program(f"convert_f32_{to}", lambda x, to=to: x.astype(to).astype(np.float32 if to in ("bfloat16", "float16") else to),
            np.concatenate([f32(30) * 50, np.array([0, -0.0, 300, -7, 0.5, 1.5], np.float32)]))
    program(f"convert_u8_{to}", lambda x, to=to: x.astype(to).astype(np.float32 if to in ("bfloat16", "float16") else to),
            ints(30, low=0, high=255, dtype=np.uint8))
program("convert_saturates", lambda x: x.astype(np.int32), np.array([1e20, -1e20, 2147483648, 3.9, -3.9], np.float32))
program("reduce_precision", lambda x: lax.reduce_precision(x, 5, 10), f32(50) * 1000)
program("reduce_precision_e8m3", lambda x: lax.reduce_precision(x, 8, 3), f32(50) * 1000)
program("nextafter_bits", lambda x: lax.bitcast_convert_type(x, np.int32), f32(9))
program("complex_make", lambda x, y: lax.complex(x, y), f32(9), f32(9))
# Shapes.
program("iota", lambda: lax.broadcasted_iota(np.int32, (3, 4), 1))
program("iota_f32", lambda: lax.broadcasted_iota(np.float32, (3, 4), 0))
program("broadcast", lambda x: lax.broadcast_in_dim(x, (3, 4, 5), (1,)), f32(4))
program("broadcast_unit", lambda x: lax.broadcast_in_dim(x, (3, 4, 5), (0, 2)), f32(3, 1))
program("broadcast_scalar", lambda x: jnp.broadcast_to(x, (2, 3)), f32())
program("reshape", lambda x: x.reshape(4, 6), f32(2, 3, 4))
program("reshape_scalar", lambda x: x.reshape(()), f32(1, 1))
program("transpose", lambda x: jnp.transpose(x, (2, 0, 1)), f32(2, 3, 4))
program("reverse", lambda x: lax.rev(x, (0, 2)), f32(2, 3, 4))
program("slice", lambda x: x[1:4:2, 1:], f32(5, 6))
program("pad", lambda x: lax.pad(x, np.float32(7), [(1, 2, 0), (0, 1, 0)]), f32(3, 4))
program("pad_negative", lambda x: lax.pad(x, np.float32(7), [(-1, 2, 0), (0, -2, 0)]), f32(3, 4))
program("pad_interior", lambda x: lax.pad(x, np.float32(7), [(1, -2, 2), (0, 0, 1)]), f32(3, 4))
program("concatenate", lambda x, y: jnp.concatenate([x, y, x], 1), f32(3, 4), f32(3, 2))
program("dynamic_slice", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), f32(5, 6), np.int32(4), np.int32(-2))
program("dynamic_update_slice", lambda x, y, i: lax.dynamic_update_slice(x, y, (i, np.int32(1))), f32(5, 6), f32(2, 3), np.int32(9))
# Contractions.
program("dot", lambda x, y: x @ y, f32(4, 8), f32(8, 5))
program("dot_batch", lambda x, y: jnp.einsum("bij,bjk->bik", x, y), f32(2, 4, 8), f32(2, 8, 5))
program("dot_transposed", lambda x, y: jnp.einsum("ij,kj->ik", x, y), f32(4, 8), f32(5, 8))
program("dot_attention", lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k), f32(2, 5, 3, 4), f32(2, 6, 3, 4))
program("dot_many", lambda x, y: jnp.einsum("abcd,cdef->abef", x, y), f32(2, 3, 4, 5), f32(4, 5, 2, 3))
program("dot_vector", lambda x, y: x @ y, f32(4, 8), f32(8))
program("dot_inner", lambda x, y: x @ y, f32(8), f32(8))
program("dot_outer", lambda x, y: jnp.einsum("i,j->ij", x, y), f32(4), f32(5))
program("dot_i8", lambda x, y: lax.dot(x, y, preferred_element_type=np.int32), ints(4, 8, dtype=np.int8, low=-128, high=127),
        ints(8, 5, dtype=np.int8, low=-128, high=127))
program("dot_u8", lambda x, y: lax.dot(x, y, preferred_element_type=np.uint32),
        ints(4, 8, dtype=np.uint8, low=0, high=255), ints(8, 5, dtype=np.uint8, low=0, high=255))
program("dot_c64", lambda x, y: x @ y, c64(4, 8), c64(8, 5), rtol=1e-4)
program("conv_nhwc", lambda x, k: conv(x, k, (1, 1), "SAME", ("NHWC", "HWIO", "NHWC")), f32(2, 8, 9, 3), f32(3, 3, 3, 5), rtol=1e-4)
program("conv_nchw", lambda x, k: conv(x, k, (2, 1), "VALID", ("NCHW", "OIHW", "NCHW")), f32(2, 3, 8, 9), f32(5, 3, 3, 3), rtol=1e-4)
program("conv_mixed", lambda x, k: conv(x, k, (1, 2), [(1, 0), (2, 1)], ("NCHW", "HWIO", "NHWC")), f32(2, 3, 8, 9), f32(3, 3, 3, 5), rtol=1e-4)
program("conv_grouped", lambda x, k: conv(x, k, (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), feature_group_count=3), f32(2, 8, 9, 6), f32(3, 3, 2, 9), rtol=1e-4)
program("conv_depthwise", lambda x, k: conv(x, k, (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), feature_group_count=6), f32(2, 8, 9, 6), f32(3, 3, 1, 6), rtol=1e-4)
program("conv_batch_groups", lambda x, k: conv(x, k, (1, 1), "SAME", ("NHWC", "HWIO", "NHWC"), batch_group_count=2), f32(4, 8, 9, 6), f32(3, 3, 6, 8), rtol=1e-4)
program("conv_dilated", lambda x, k: conv(x, k, (1, 1), "VALID", ("NHWC", "HWIO", "NHWC"), rhs_dilation=(2, 2)), f32(1, 9, 9, 2), f32(3, 3, 2, 4), rtol=1e-4)
program("conv_transposed", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), f32(1, 5, 5, 2), f32(3, 3, 2, 4), rtol=1e-4)
program("conv_1d", lambda x, k: conv(x, k, (1,), "SAME", ("NWC", "WIO", "NWC")), f32(2, 8, 3), f32(3, 3, 5), rtol=1e-4)
program("conv_3d", lambda x, k: conv(x, k, (1, 1, 1), "SAME", ("NDHWC", "DHWIO", "NDHWC")), f32(1, 4, 5, 6, 2), f32(2, 3, 3, 2, 3), rtol=1e-4)
program("conv_grad", jax.grad(lambda k, x: conv(x, k, (2, 2), "SAME", ("NHWC", "HWIO", "NHWC")).sum()), f32(3, 3, 3, 5), f32(2, 8, 9, 3), rtol=1e-4)
# Reductions and windows.
for name in "sum prod max min argmax argmin any all mean var cumsum cumprod".split():
    inputs = (f32(4, 6) > -0.5,) if name in ("any", "all") else (f32(4, 6),)
    program(f"reduce_{name}", lambda x, name=name: getattr(jnp, name)(x, axis=1), *inputs)
program("reduce_all", lambda x: x.sum(), f32(4, 6))
program("reduce_logsumexp", lambda x: jax.nn.logsumexp(x, axis=0), f32(4, 6))
program("cummax", lambda x: lax.cummax(x, 1), f32(4, 6))
program("cumlogsumexp", lambda x: lax.cumlogsumexp(x, 1), f32(4, 6))
program("reduce_window_max", lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2, 3, 1), (1, 2, 2, 1), "SAME"), f32(2, 6, 7, 3))
program("reduce_window_sum", lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), [(1, 0), (2, 2)]), f32(6, 7))
program("reduce_window_dilated", lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 1), "VALID", base_dilation=(2, 1), window_dilation=(1, 2)), f32(6, 7))
program("max_pool_grad", jax.grad(lambda x: (lax.reduce_window(x, -np.inf, lax.max, (2, 2), (2, 2), "VALID") ** 2).sum()), f32(6, 6))
program("max_pool_grad_overlap", jax.grad(lambda x: (lax.reduce_window(x, -np.inf, lax.max, (3, 3), (2, 2), "SAME") ** 2).sum()), f32(7, 7))
# Indexing.
program("take", lambda x, i: x[i], f32(9, 4), ints(5, low=0, high=9))
program("take_out_of_bounds", lambda x, i: jnp.take(x, i, axis=0, mode="clip"), f32(9, 4), ints(5, low=-20, high=20))
program("take_fill", lambda x, i: jnp.take(x, i, axis=1), f32(3, 9), ints(2, 5, low=0, high=20))
program("take_along_axis", lambda x, i: jnp.take_along_axis(x, i, axis=1), f32(3, 9), ints(3, 5, low=0, high=9))
program("gather_vmap", jax.vmap(lambda x, i: lax.dynamic_slice(x, (i,), (3,))), f32(4, 9), ints(4, low=0, high=9))
program("gather_pairs", lambda x, i, j: x[i, j], f32(5, 6, 3), ints(7, low=0, high=5), ints(7, low=0, high=6))
program("gather_grad", jax.grad(lambda x, i: (x[i] ** 2).sum()), f32(9, 4), ints(5, low=0, high=9))
program("scatter_add", lambda x, i, u: x.at[i].add(u), f32(9, 4), ints(5, low=0, high=9), f32(5, 4))
program("scatter_set", lambda x, i, u: x.at[i, 1].set(u), f32(9, 4), np.array([1, 4, 7], np.int32), f32(3))
program("scatter_max", lambda x, i, u: x.at[:, i].max(u), f32(9, 4), ints(3, low=0, high=4), f32(9, 3))
program("scatter_mul_oob", lambda x, i, u: x.at[i].mul(u, mode="drop"), f32(5), ints(8, low=0, high=9), f32(8))
program("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 4), f32(9, 2), ints(9, low=0, high=4))
program("one_hot", lambda i: jax.nn.one_hot(i, 6), ints(5, low=0, high=6))
# Sorting.
program("sort", lambda x: jnp.sort(x, axis=1), f32(4, 17))
program("sort_nan", lambda x: jnp.sort(x), np.array([1, np.nan, -0.0, 0.0, -np.inf, np.inf, 2, np.nan], np.float32))
program("sort_first", lambda x: jnp.sort(x, axis=0), ints(33, 3, dtype=np.int32))
program("argsort", lambda x: jnp.argsort(x, axis=1), ints(4, 17))
program("sort_pairs", lambda x, y: lax.sort((x, y), num_keys=2), ints(30, low=0, high=4), ints(30, low=0, high=4))
program("top_k", lambda x: lax.top_k(x, 3), f32(4, 17))
program("top_k_ties", lambda x: lax.top_k(x, 5), ints(4, 17, low=0, high=4))
program("median", lambda x: jnp.median(x, axis=1), f32(4, 9))
program("unique_sized", lambda x: jnp.unique(x, size=6), ints(12, low=0, high=5))
program("searchsorted", lambda a, v: jnp.searchsorted(a, v), np.sort(f32(20)), f32(7))
# Control.
program("while", lambda x: lax.while_loop(lambda s: s[0] < 7, lambda s: (s[0] + 1, s[1] * 1.5), (0, x)), f32(4))
program("while_condition", lambda x: lax.while_loop(lambda s: (s ** 2).sum() < 100, lambda s: s * 1.5, x), f32(4))
program("fori", lambda n, x: lax.fori_loop(0, n, lambda i, s: s + i, x), np.int32(5), f32(4))
program("scan", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros((3,), np.float32), xs), f32(5, 3))
program("scan_reverse", lambda xs: lax.scan(lambda c, x: (c + x, c * x), jnp.zeros((3,), np.float32), xs, reverse=True), f32(5, 3))
program("cond", lambda p, x: lax.cond(p, lambda x: x + 1, lambda x: x * 2, x), np.bool_(True), f32(4))
program("switch", lambda i, x: lax.switch(i, [lambda x: x + 1, lambda x: x * 2, lambda x: -x], x), np.int32(7), f32(4))
program("map", lambda x: lax.map(lambda r: jnp.sort(r), x), f32(4, 5))
program("associative_scan", lambda x: lax.associative_scan(jnp.add, x), f32(9))
# Linear algebra and transforms.
spd = f32(4, 4)
spd = (spd @ spd.T + 4 * np.eye(4)).astype(np.float32)
program("cholesky", lambda x: lax.linalg.cholesky(x, symmetrize_input=False), spd, rtol=1e-4, platform="tpu")
for side in (True, False):
    for lower in (True, False):
        for trans in (True, False):
            program(f"triangular_solve_{side:d}{lower:d}{trans:d}",
                    lambda a, b, side=side, lower=lower, trans=trans: lax.linalg.triangular_solve(
                        a, b, left_side=side, lower=lower, transpose_a=trans),
                    (np.tril(f32(4, 4)) + 3 * np.eye(4)).astype(np.float32) if lower else (np.triu(f32(4, 4)) + 3 * np.eye(4)).astype(np.float32),
                    f32(4, 5) if side else f32(5, 4), rtol=1e-3, atol=1e-4, platform="tpu")
program("fft", lambda x: jnp.fft.fft(x), c64(3, 12), rtol=1e-4, atol=1e-4)
program("ifft", lambda x: jnp.fft.ifft(x), c64(3, 12), rtol=1e-4, atol=1e-4)
program("rfft", lambda x: jnp.fft.rfft(x), f32(3, 12), rtol=1e-4, atol=1e-4)
program("irfft", lambda x: jnp.fft.irfft(x), c64(3, 7), rtol=1e-4, atol=1e-4)
program("irfft_odd", lambda x: jnp.fft.irfft(x, 11), c64(3, 6), rtol=1e-4, atol=1e-4)
program("fft2", lambda x: jnp.fft.fft2(x), c64(3, 4, 6), rtol=1e-4, atol=1e-4)
program("rfft2", lambda x: jnp.fft.rfft2(x), f32(3, 4, 6), rtol=1e-4, atol=1e-4)
program("irfft2", lambda x: jnp.fft.irfft2(x), c64(3, 4, 4), rtol=1e-4, atol=1e-4)
# Random numbers.
# Random bits, bit by bit, and the state after them.
KEY = np.array([3, 2**32 - 1, 7, 2**31], np.uint32)
for algorithm in ("RNG_THREE_FRY", "RNG_PHILOX"):
    for bits in ("uint8", "uint16", "uint32", "uint64"):
        program(f"{algorithm.lower()}_{bits}",
                lambda k, a=algorithm, b=bits: lax.rng_bit_generator(k, (3, 5), dtype=b, algorithm=getattr(lax.RandomAlgorithm, a)),
                KEY, rtol=0, atol=0)
# Functions of CHLO.
for name in "lgamma digamma bessel_i1e erfc".split():
    program(name, getattr(lax, name), positive(5, 7))
    program(f"{name}_f64", getattr(lax, name), np.abs(f64(5, 7)) + 0.1, rtol=1e-12, atol=1e-13)
for name in "acos acosh asin asinh atan atanh cosh sinh tan tanh expm1 log1p log sqrt".split():
    program(f"{name}_complex", getattr(lax, name), c64(5, 7))
program("erf_inv", lax.erf_inv, np.float32([-0.999, -0.3, 0.0, 0.5, 0.99]))
program("erf_inv_f64", lax.erf_inv, np.float64([-0.999999, -0.3, 0.0, 0.5, 0.99]), rtol=1e-12)
program("next_after", lax.nextafter, f32(9), f32(9), rtol=0, atol=0)
program("zeta", lax.zeta, positive(9) + 1, positive(9), rtol=1e-4)
program("polygamma", lax.polygamma, np.float64([0, 1, 2, 5]), np.float64([0.3, 1.5, 2.5, 9.0]), rtol=1e-12)
program("bitcast_split", lambda x: lax.bitcast_convert_type(x, jnp.uint8), f32(3, 2))
program("bitcast_join", lambda x: lax.bitcast_convert_type(x, jnp.float64), ints(3, 2))
program("approx_max_k", lambda x: lax.approx_max_k(x, 3), f32(4, 16))
program("random_uniform", lambda k: jax.random.uniform(jax.random.wrap_key_data(k), (7,)), np.array([1, 2], np.uint32))
program("random_normal", lambda k: jax.random.normal(jax.random.wrap_key_data(k), (4, 3)), np.array([1, 2], np.uint32))
program("random_permutation", lambda k: jax.random.permutation(jax.random.wrap_key_data(k), 16), np.array([1, 2], np.uint32))
program("random_categorical", lambda k, x: jax.random.categorical(jax.random.wrap_key_data(k), x), np.array([1, 2], np.uint32), f32(4, 5))
# Functions of networks.
program("softmax", jax.nn.softmax, f32(4, 9))
program("gelu", jax.nn.gelu, f32(4, 9))
program("gelu_exact", lambda x: jax.nn.gelu(x, approximate=False), f32(4, 9))
program("layer_norm", lambda x: (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5), f32(4, 9))
program("mlp_grad", jax.grad(lambda w, x: jnp.tanh(x @ w).sum()), f32(8, 5), f32(4, 8))
program("float64", lambda x: jnp.sin(x) @ x.T, f64(4, 5), rtol=1e-12, atol=1e-12)
program("float16", lambda x: (x * 2 + 1).astype(np.float32), f32(9).astype(np.float16), rtol=1e-3)


def run(fuselage, name, folder):
    function, inputs, rtol, atol, platform = PROGRAMS[name]
    jitted = jax.jit(function, keep_unused=True)
    (folder / "f.mlir").write_text(jitted.trace(*inputs).lower(lowering_platforms=(platform,)).as_text())
    expected = jax.tree_util.tree_leaves(jitted(*inputs))
    for number, value in enumerate(inputs):
        np.save(folder / f"arg{number}.npy", np.asarray(value))
    done = subprocess.run(
        [fuselage, "run", folder / "f.mlir", *(["--inputs", folder] if inputs else []), "--output", folder / "out", "--repeat", "1",
         "--baselines", "none"], capture_output=True, text=True, timeout=120)
    lines = (done.stderr + done.stdout).strip().splitlines()
    for number, want in enumerate(expected):
        path = folder / "out" / f"result{number}.npy"
        if not path.exists():
            said = [line for line in lines if "error" in line or "remark" in line or "fuselage:" in line]
            return "refused: " + " | ".join(said[:3])[:300]
        got, want = np.load(path), np.asarray(want)
        if want.dtype.name in ("bfloat16",):
            want = want.astype(np.float32)
        if got.dtype != want.dtype and got.dtype.itemsize == want.dtype.itemsize and want.dtype.kind == "u":
            got = got.view(want.dtype)
        if got.shape != want.shape:
            return f"result {number} has the shape {got.shape}, not {want.shape}"
        close = np.allclose(got.astype(want.dtype) if want.dtype.kind not in "b" else got.astype(bool), want,
                            rtol=rtol, atol=atol, equal_nan=True)
        if not close:
            return f"result {number} differs: {got.ravel()[:5]} for {want.ravel()[:5]}"
    # Where there is nothing to run but a reshape, or the results are NaN, the exit code is 1, too.
    wrong = [line for line in lines if "WRONG" in line]
    return " | ".join(wrong[:2])


def main():
    fuselage, names = sys.argv[1], sys.argv[2:] or list(PROGRAMS)
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            try:
                what = run(fuselage, name, pathlib.Path(folder))
            except Exception as error:  # of JAX's versions, which differ
                what = f"{type(error).__name__}: {error}"[:300]
        if what:
            wrong += 1
            print(f"{name}: {what}", flush=True)
    print(f"{len(names)} programs, {wrong} differ or are refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
