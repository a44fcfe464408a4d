"""Kinds of programs of JAX, drawn at random: types, shapes, dimension numbers, modes. For stablehlo_random.py."""
import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from stablehlo_draw import COMPLEX, FLOATS, INTS, NARROW, SIGNED, SMALL_FLOATS, UNSIGNED, kind

# Each kind gives a function, its inputs, and how many units in the last place, or what share of the largest value, its
# results may be off.

@kind
def unary_float(d):
    name = d.pick("abs ceil exp exp2 expm1 floor log log1p logistic neg sign sin cos tan tanh sqrt rsqrt cbrt erf erfc "
                  "is_finite asin acos atan sinh cosh asinh acosh atanh round reciprocal square".split())
    if name == "round":
        method = d.pick([lax.RoundingMethod.AWAY_FROM_ZERO, lax.RoundingMethod.TO_NEAREST_EVEN])
        function = functools.partial(lax.round, rounding_method=method)
    else:
        function = getattr(lax, name)
    return function, [d.array(d.pick(FLOATS), d.shape(), special=d.coin())], 5, 0


@kind
def special_float(d):
    name = d.pick("lgamma digamma erf_inv bessel_i0e bessel_i1e".split())
    x = d.array(d.pick([np.float32, np.float64]), d.shape(1))
    if name == "erf_inv":
        x = np.tanh(x).astype(x.dtype)
    return getattr(lax, name), [x], 64, 1e-5 if x.dtype == np.float32 else 1e-12


@kind
def unary_complex(d):
    name = d.pick("abs exp expm1 log log1p logistic neg sign sin cos tan tanh sqrt rsqrt real imag conj".split())
    dtype = d.pick(COMPLEX)
    return getattr(lax, name), [d.array(dtype, d.shape(1), scale=1.5)], 0, 1e-5 if dtype == np.complex64 else 1e-12


@kind
def unary_integer(d):
    name = d.pick("abs neg sign bitwise_not population_count clz integer_pow".split())
    dtype = d.pick(SIGNED if name in ("abs", "neg", "sign") else UNSIGNED if name == "clz" else INTS)
    function = (lambda x, p=d.integer(0, 5): lax.integer_pow(x, p)) if name == "integer_pow" else getattr(lax, name)
    # XLA of 2025 counts -32 zeros before the sign of a negative constant.
    return function, [d.array(dtype, d.shape(), special=name != "clz")], 0, 0


@kind
def binary(d):
    name = d.pick("add sub mul div rem max min pow atan2 nextafter".split())
    floats = FLOATS + ([np.complex64, np.complex128] if name in ("add", "sub", "mul", "div") else [])
    if name == "nextafter":
        floats = [np.float32, np.float64]
    ints = INTS + NARROW if name in ("add", "sub", "mul", "max", "min") else INTS if name in ("div", "rem") else []
    dtype = d.pick(floats + ints)
    shape = d.shape()
    isSpecial = d.coin() and not jnp.issubdtype(dtype, jnp.complexfloating)
    x, y = d.array(dtype, shape, isSpecial), d.array(dtype, shape, isSpecial)
    if name == "pow":
        x = np.abs(x) if d.coin() else x
    if name in ("div", "rem") and dtype in INTS:  # the smallest by -1, or anything by 0, may kill JAX
        y = d.array(dtype, shape)
        one = np.ones_like(y)
        y = np.where((y + one == 0) | (y == 0), one, y)
    isComplex = jnp.issubdtype(dtype, jnp.complexfloating)
    return getattr(lax, name), [x, y], 5, 1e-5 if isComplex else 0


@kind
def bitwise(d):
    name = d.pick("bitwise_and bitwise_or bitwise_xor shift_left shift_right_logical shift_right_arithmetic".split())
    dtype = d.pick(INTS + ([np.bool_] if name.startswith("bitwise") else []))
    shape = d.shape()
    x, y = d.array(dtype, shape, special=True), d.array(dtype, shape, special=d.coin())
    return getattr(lax, name), [x, y], 0, 0


@kind
def compare(d):
    dtype = d.pick(FLOATS + INTS + NARROW + [np.bool_] + COMPLEX + SMALL_FLOATS)
    names = ["eq", "ne"] if jnp.issubdtype(dtype, jnp.complexfloating) else ["eq", "ne", "lt", "le", "gt", "ge"]
    shape = d.shape()
    return getattr(lax, d.pick(names)), [d.array(dtype, shape, True), d.array(dtype, shape, True)], 0, 0


@kind
def convert(d):
    every = FLOATS + INTS + [np.bool_] + COMPLEX + SMALL_FLOATS + NARROW
    source, target = d.pick(every), d.pick(every)
    if jnp.issubdtype(source, jnp.complexfloating) and not jnp.issubdtype(target, jnp.complexfloating):
        target = d.pick(COMPLEX)
    # What does not fit is up to the implementation.
    x = d.array(source, d.shape(), special=d.coin() and not jnp.issubdtype(source, jnp.floating))
    if jnp.issubdtype(source, jnp.floating) and jnp.issubdtype(target, jnp.unsignedinteger):
        x = np.abs(x)
    return (lambda x: lax.convert_element_type(x, target)), [x], 1, 0


@kind
def clamp_select(d):
    dtype = d.pick(FLOATS + INTS)
    shape = d.shape()
    if d.coin():
        bounds = sorted([d.array(dtype, ()), d.array(dtype, ())])
        return lax.clamp, [bounds[0], d.array(dtype, shape, True), bounds[1]], 0, 0
    return lax.select, [d.array(np.bool_, shape), d.array(dtype, shape), d.array(dtype, shape)], 0, 0


@kind
def select_n(d):
    shape, count = d.shape(), d.integer(2, 4)
    which = d.rng.integers(0, count, shape).astype(np.int32)
    return lax.select_n, [which, *[d.array(np.float32, shape) for _ in range(count)]], 0, 0


@kind
def dot_general(d):
    batch, contract = d.shape(0, 2, 3), d.shape(0, 2, 4)
    dtype = d.pick(FLOATS + INTS + COMPLEX + [np.bool_])

    def side(free):
        dims = ([("b", i, n) for i, n in enumerate(batch)] + [("c", i, n) for i, n in enumerate(contract)] +
                [("f", i, n) for i, n in enumerate(free)])
        dims = [dims[i] for i in d.permutation(len(dims))]
        where = {(k, i): at for at, (k, i, _) in enumerate(dims)}
        return (tuple(n for _, _, n in dims), [where["c", i] for i in range(len(contract))],
                [where["b", i] for i in range(len(batch))])

    a, ca, ba = side(d.shape(0, 2))
    b, cb, bb = side(d.shape(0, 2))
    preferred = d.pick([None, np.float32]) if dtype in (np.float16, ml_dtypes.bfloat16) else None
    function = functools.partial(lax.dot_general, dimension_numbers=((ca, cb), (ba, bb)),
                                 preferred_element_type=preferred)
    return function, [d.array(dtype, a), d.array(dtype, b)], 4, 1e-5


@kind
def convolution(d):
    spatial = d.integer(1, 3)
    groups = d.pick([1, 1, 2, 3])
    batch_groups = d.pick([1, 1, 2]) if groups == 1 else 1
    features, out = groups * d.integer(1, 2), groups * batch_groups * d.integer(1, 2)
    n = batch_groups * d.integer(1, 2)
    kernel = [d.integer(1, 3) for _ in range(spatial)]
    image = [d.integer(3, 6) for _ in range(spatial)]
    letters = "HWD"[:spatial]
    order = lambda a, b: "".join((a + b + letters)[i] for i in d.permutation(spatial + 2))
    spec = (order("N", "C"), order("O", "I"), order("N", "C"))
    size = lambda text, sizes: tuple(sizes[c] for c in text)
    lhs = size(spec[0], {"N": n, "C": features, **dict(zip(letters, image))})
    rhs = size(spec[1], {"O": out, "I": features // groups, **dict(zip(letters, kernel))})
    dtype = d.pick(FLOATS + [np.int32, np.int8, np.complex64])
    padding = [(d.integer(-1, 2), d.integer(-1, 2)) for _ in range(spatial)]
    function = functools.partial(
        lax.conv_general_dilated, window_strides=[d.integer(1, 2) for _ in range(spatial)],
        padding=padding if d.coin(0.7) else d.pick(["SAME", "VALID"]),
        lhs_dilation=[d.integer(1, 2) for _ in range(spatial)], rhs_dilation=[d.integer(1, 2) for _ in range(spatial)],
        dimension_numbers=spec, feature_group_count=groups, batch_group_count=batch_groups)
    return function, [d.array(dtype, lhs), d.array(dtype, rhs)], 8, 1e-5


@kind
def reduction(d):
    name = d.pick("sum prod max min and or argmax argmin all any".split())
    shape = d.shape(1, 3)
    axes = tuple(d.subset(range(len(shape)), 1))
    if name in ("argmax", "argmin"):
        function = functools.partial(getattr(lax, name), axis=axes[0], index_dtype=d.pick([np.int32, np.int64]))
        return function, [d.array(d.pick(FLOATS + INTS), shape, special=d.coin())], 0, 0
    if name in ("all", "any"):
        return (lambda x: getattr(jnp, name)(x, axis=axes)), [d.array(np.bool_, shape)], 0, 0
    dtype = d.pick(INTS if name in ("and", "or") else FLOATS + INTS + (COMPLEX if name in ("sum", "prod") else []))
    op = {"sum": lax.add, "prod": lax.mul, "max": lax.max, "min": lax.min, "and": lax.bitwise_and,
          "or": lax.bitwise_or}[name]
    info = jnp.iinfo(dtype) if jnp.issubdtype(dtype, jnp.integer) else None
    init = {"sum": 0, "prod": 1, "or": 0, "and": -1 if info and info.min < 0 else info.max if info else 0,
            "max": info.min if info else -np.inf, "min": info.max if info else np.inf}[name]
    return (lambda x: lax.reduce(x, np.array(init, dtype), op, axes)), [d.array(dtype, shape)], 8, 1e-5


@kind
def reduce_several(d):
    shape = d.shape(1, 3)
    axes = tuple(d.subset(range(len(shape)), 1))

    def body(a, b):
        takes = a[0] >= b[0]
        return lax.select(takes, a[0], b[0]), lax.select(takes, a[1], b[1])
    values = d.array(np.float32, shape)
    return (lambda x, i: lax.reduce((x, i), (np.float32(-np.inf), np.int32(0)), body, axes)), \
        [values, np.arange(values.size, dtype=np.int32).reshape(shape)], 0, 0


@kind
def window(d):
    shape = d.shape(1, 4, 6)
    rank = len(shape)
    dtype = d.pick(FLOATS + SIGNED)
    op, init = d.pick([(lax.add, 0), (lax.max, None), (lax.min, None), (lax.mul, 1)])
    if init is None:
        edge = (jnp.iinfo(dtype).min, jnp.iinfo(dtype).max) if jnp.issubdtype(dtype, jnp.integer) else (-np.inf, np.inf)
        init = edge[0] if op is lax.max else edge[1]
    function = functools.partial(
        lax.reduce_window, init_value=np.array(init, dtype), computation=op,
        window_dimensions=tuple(d.integer(1, min(3, n)) for n in shape),
        window_strides=tuple(d.integer(1, 2) for _ in range(rank)),
        padding=[(d.integer(0, 2), d.integer(0, 2)) for _ in range(rank)],
        base_dilation=tuple(d.integer(1, 2) for _ in range(rank)), window_dilation=tuple(d.integer(1, 2) for _ in range(rank)))
    return function, [d.array(dtype, shape)], 8, 1e-5


@kind
def cumulative(d):
    name = d.pick("cumsum cumprod cummax cummin cumlogsumexp".split())
    shape = d.shape(1, 3, 7)
    dtype = d.pick([np.float32, np.float64] + ([] if name == "cumlogsumexp" else [np.int32, np.float16, np.uint8]))
    function = functools.partial(getattr(lax, name), axis=d.integer(0, len(shape) - 1), reverse=d.coin())
    return function, [d.array(dtype, shape, scale=1.0)], 16, 1e-4 if dtype == np.float16 else 1e-5


@kind
def pooling_gradient(d):
    shape = (d.integer(1, 2), d.integer(4, 6), d.integer(4, 6), d.integer(1, 3))
    window, strides = (1, d.integer(1, 3), d.integer(1, 3), 1), (1, d.integer(1, 2), d.integer(1, 2), 1)

    def loss(x):
        return lax.reduce_window(x, np.float32(-np.inf), lax.max, window, strides, d_padding).sum()
    d_padding = d.pick(["SAME", "VALID"])
    return jax.grad(loss), [d.array(np.float32, shape)], 8, 1e-5


MODES = [lax.GatherScatterMode.CLIP, lax.GatherScatterMode.FILL_OR_DROP, lax.GatherScatterMode.PROMISE_IN_BOUNDS]


@kind
def gather(d):
    shape = d.shape(1, 3, 5)
    start = d.subset(range(len(shape)), 1)
    collapsed = [i for i in start if d.coin()]
    sizes = [1 if i in collapsed else d.integer(1, n) for i, n in enumerate(shape)]
    indices_shape = d.shape(0, 2, 4) + (len(start),)
    batch = len(indices_shape) - 1
    offsets = len(shape) - len(collapsed)
    offset_dims = tuple(sorted(d.permutation(batch + offsets)[:offsets]))
    numbers = lax.GatherDimensionNumbers(offset_dims=offset_dims, collapsed_slice_dims=tuple(collapsed),
                                         start_index_map=tuple(start[i] for i in d.permutation(len(start))))
    mode = d.pick(MODES)
    if mode == lax.GatherScatterMode.PROMISE_IN_BOUNDS:
        indices = np.zeros(indices_shape, np.int32)
    else:
        indices = d.rng.integers(-2, 7, indices_shape).astype(d.pick([np.int32, np.int64, np.int8]))
    function = functools.partial(lax.gather, dimension_numbers=numbers, slice_sizes=tuple(sizes), mode=mode)
    return function, [d.array(d.pick(FLOATS + INTS + [np.bool_]), shape), indices], 0, 0


@kind
def scatter(d):
    shape = d.shape(1, 3, 5)
    index = d.subset(range(len(shape)), 1)
    inserted = [i for i in index if d.coin()]
    sizes = [d.integer(1, n) for i, n in enumerate(shape) if i not in inserted]
    batch = d.shape(0, 2, 4)
    rank = len(batch) + len(sizes)
    window_dims = tuple(sorted(d.permutation(rank)[:len(sizes)]))
    rest, update_shape = list(batch), []
    left = list(sizes)
    for i in range(rank):
        update_shape.append(left.pop(0) if i in window_dims else rest.pop(0))
    order = [index[i] for i in d.permutation(len(index))]
    numbers = lax.ScatterDimensionNumbers(update_window_dims=window_dims, inserted_window_dims=tuple(inserted),
                                          scatter_dims_to_operand_dims=tuple(order))
    name = d.pick("scatter_add scatter_mul scatter_min scatter_max scatter".split())
    indices_shape = batch + (len(index),)
    # Of a window that lies in the operand in part, the specification writes that part, and XLA nothing.
    window = dict(zip([i for i in range(len(shape)) if i not in inserted], sizes))
    room = [shape[i] - window.get(i, 1) + 1 for i in order]
    indices = np.stack([d.rng.integers(0, n + 1, batch) for n in room], -1).astype(np.int32)
    indices = np.where(indices == room, [shape[i] for i in order], indices).astype(np.int32)
    dtype = d.pick([np.float32, np.float64, np.int32, np.uint8, np.int64])
    if name == "scatter":  # of equal places any update may win
        indices, unique = indices[..., :], batch == () or int(np.prod(batch)) == 1
        if not unique:
            name = "scatter_max"
    function = functools.partial(getattr(lax, name), dimension_numbers=numbers, mode=d.pick(MODES[:2]))
    return function, [d.array(dtype, shape), indices, d.array(dtype, tuple(update_shape))], 8, 1e-5


@kind
def dynamic_slices(d):
    shape = d.shape(1, 3, 6)
    sizes = tuple(d.integer(1, n) for n in shape)
    starts = [np.array(d.integer(-3, 8), d.pick([np.int32, np.int64])) for _ in shape]
    starts = [s.astype(starts[0].dtype) for s in starts]
    dtype = d.pick(FLOATS + INTS + [np.bool_])
    if d.coin():
        return (lambda x, *at: lax.dynamic_slice(x, at, sizes)), [d.array(dtype, shape), *starts], 0, 0
    return (lambda x, u, *at: lax.dynamic_update_slice(x, u, at)), \
        [d.array(dtype, shape), d.array(dtype, sizes), *starts], 0, 0


@kind
def pad(d):
    shape = d.shape(0, 3)
    dtype = d.pick(FLOATS + INTS + [np.bool_] + COMPLEX)
    config = [(d.integer(-2, 3), d.integer(-2, 3), d.integer(0, 2)) for _ in shape]
    return (lambda x, v: lax.pad(x, v, config)), [d.array(dtype, shape), d.array(dtype, ())], 0, 0


@kind
def moves(d):
    shape = d.shape(1, 4)
    dtype = d.pick(FLOATS + INTS + [np.bool_] + COMPLEX + SMALL_FLOATS + NARROW)
    x = d.array(dtype, shape)
    name = d.pick("slice reverse transpose concatenate broadcast reshape expand squeeze tile".split())
    if name == "slice":
        start = [d.integer(0, n - 1) for n in shape]
        limit = [d.integer(s, n) for s, n in zip(start, shape)]
        return (lambda x: lax.slice(x, start, limit, [d_ for d_ in strides])) if (
            strides := [d.integer(1, 2) for _ in shape]) else None, [x], 0, 0
    if name == "reverse":
        return (lambda x, dims=tuple(d.subset(range(len(shape)))): lax.rev(x, dims)), [x], 0, 0
    if name == "transpose":
        return (lambda x, order=d.permutation(len(shape)): lax.transpose(x, order)), [x], 0, 0
    if name == "concatenate":
        axis = d.integer(0, len(shape) - 1)
        others = [d.array(dtype, shape[:axis] + (d.integer(0, 3),) + shape[axis + 1:]) for _ in range(d.integer(0, 3))]
        return (lambda *xs: lax.concatenate(xs, axis)), [x, *others], 0, 0
    if name == "broadcast":
        rank = len(shape) + d.integer(0, 2)
        dims = sorted(d.permutation(rank)[:len(shape)])
        target = [d.integer(1, 3) for _ in range(rank)]
        for at, n in zip(dims, shape):
            target[at] = n
        return (lambda x: lax.broadcast_in_dim(x, target, dims)), [x], 0, 0
    if name == "reshape":
        return (lambda x: lax.reshape(x, (x.size,) if d_flat else (x.size, 1))) if (
            d_flat := d.integer(0, 1)) is not None else None, [x], 0, 0
    if name == "tile":
        return (lambda x, n=[d.integer(1, 2) for _ in shape]: jnp.tile(x, n)), [x], 0, 0
    return (lambda x: x[None].squeeze(0)), [x], 0, 0


@kind
def sort(d):
    shape = d.shape(1, 3, 7)
    dtype = d.pick(FLOATS + INTS + [np.bool_])
    axis = d.integer(0, len(shape) - 1)
    if d.coin():
        return (lambda x: lax.sort(x, dimension=axis, is_stable=True)), [d.array(dtype, shape, special=d.coin())], 0, 0
    others = [d.array(d.pick([np.int32, np.float32]), shape) for _ in range(d.integer(1, 2))]
    keys = d.integer(1, len(others) + 1)
    return (lambda *xs: lax.sort(xs, dimension=axis, num_keys=keys, is_stable=True)), [d.array(dtype, shape), *others], 0, 0


@kind
def top_k(d):
    shape = d.shape(1, 3, 7)
    dtype = d.pick(FLOATS + INTS)
    return (lambda x, k=d.integer(1, shape[-1]): lax.top_k(x, k)), [d.array(dtype, shape, special=d.coin(0.3))], 0, 0


@kind
def iota(d):
    shape = d.shape(1, 3, 6)
    dtype = d.pick(FLOATS + INTS + COMPLEX)
    return (lambda axis=d.integer(0, len(shape) - 1): lax.broadcasted_iota(dtype, shape, axis)), [], 0, 0


@kind
def precision(d):
    exponent, mantissa = d.integer(2, 11), d.integer(1, 24)
    dtype = d.pick(FLOATS)
    x = d.array(dtype, d.shape(), special=True, scale=d.pick([1.0, 1e3, 1e-3]))
    return (lambda x: lax.reduce_precision(x, exponent, mantissa)), [x], 0, 0


@kind
def bitcast(d):
    sizes = {1: [np.int8, np.uint8, *SMALL_FLOATS], 2: [np.int16, np.uint16, np.float16, ml_dtypes.bfloat16],
             4: [np.int32, np.uint32, np.float32], 8: [np.int64, np.uint64, np.float64]}
    source, target = d.pick(list(sizes)), d.pick(list(sizes))
    shape = d.shape(0, 2) + ((target // source,) if target > source else ())
    x = d.array(d.pick(sizes[source]), shape)
    to = d.pick([t for t in sizes[target] if t not in SMALL_FLOATS])
    return (lambda x: lax.bitcast_convert_type(x, to)), [x], 0, 0


@kind
def fft(d):
    name = d.pick(["fft", "ifft", "rfft", "irfft"])
    rank = d.integer(1, 3)
    shape = d.shape(0, 1, 3) + tuple(d.integer(2, 7) for _ in range(rank))
    dtype = d.pick([np.float32, np.float64]) if name == "rfft" else d.pick(COMPLEX)
    kinds = {"fft": lax.FftType.FFT, "ifft": lax.FftType.IFFT, "rfft": lax.FftType.RFFT, "irfft": lax.FftType.IRFFT}
    lengths = shape[-rank:]
    if name == "irfft":
        lengths = lengths[:-1] + (2 * (lengths[-1] - 1),)
    return (lambda x: lax.fft(x, kinds[name], lengths)), [d.array(dtype, shape)], 0, 1e-5


@kind
def solve(d):
    n = d.integer(1, 5)
    batch = d.shape(0, 2, 3)
    a = d.array(np.float32, batch + (n, n)) + 6 * np.eye(n, dtype=np.float32)
    left = d.coin()
    b = d.array(np.float32, batch + ((n, d.integer(1, 3)) if left else (d.integer(1, 3), n)))
    function = functools.partial(lax.linalg.triangular_solve, left_side=left, lower=d.coin(), transpose_a=d.coin(),
                                 unit_diagonal=d.coin())
    return function, [a, b], 0, 1e-3


@kind
def loops(d):
    n = d.integer(0, 6)
    x = d.array(np.float32, d.shape(1))
    name = d.pick("fori while scan cond switch map".split())
    if name == "fori":
        return (lambda x: lax.fori_loop(0, n, lambda i, v: v * 0.5 + i, x)), [x], 8, 1e-5
    if name == "while":
        return (lambda x: lax.while_loop(lambda v: v[0] < n, lambda v: (v[0] + 2, v[1] + v[0]), (0, x))), [x], 8, 1e-5
    if name == "scan":
        return (lambda x: lax.scan(lambda c, v: (c + v, c * v), np.float32(1), x.reshape(-1), reverse=rev)) if (
            rev := d.coin()) is not None else None, [x], 8, 1e-5
    if name == "cond":
        return (lambda p, x: lax.cond(p, jnp.sin, lambda v: v * 2, x)), [np.bool_(d.coin()), x], 5, 1e-5
    if name == "switch":
        branches = [lambda v: v, lambda v: v + 1, lambda v: v * v]
        return (lambda i, x: lax.switch(i, branches, x)), [np.int32(d.integer(-2, 5)), x], 5, 1e-5
    return (lambda x: lax.map(lambda v: (v * v).sum(), x)), [x], 8, 1e-5


@kind
def random_bits(d):
    state = d.array(np.uint32, (4,), special=True).view(np.uint32)
    dtype = d.pick([np.uint32, np.uint64, np.uint8, np.uint16])
    algorithm = d.pick([lax.RandomAlgorithm.RNG_THREE_FRY, lax.RandomAlgorithm.RNG_PHILOX])
    shape = d.shape(1, 3)
    if algorithm == lax.RandomAlgorithm.RNG_THREE_FRY:
        state = state[:2].view(np.uint64)
    else:
        state = np.concatenate([state, state[:2]])[:6].view(np.uint64)
    return (lambda k: lax.rng_bit_generator(k, shape, dtype, algorithm)), [state], 0, 0


@kind
def gamma_functions(d):
    name = d.pick(["igamma", "igammac", "betainc"])
    dtype = d.pick([np.float32, np.float64])
    shape = d.shape(1, 2)
    positive = lambda: np.abs(d.array(dtype, shape)) + dtype(0.1)
    inputs = [positive(), positive()]
    if name == "betainc":
        inputs.append(d.rng.random(shape).astype(dtype))
    return getattr(lax, name), inputs, 0, 1e-4 if dtype == np.float32 else 1e-9


@kind
def transformed(d):
    """Another kind under vmap or grad, which gives batching dimensions, transposed and dilated forms, and scatters."""
    base = d.pick([unary_float, binary, dot_general, convolution, reduction, window, cumulative, gather, scatter,
                   dynamic_slices, pad, moves, sort, top_k, loops, clamp_select, select_n, unary_complex, bitwise, compare])
    function, inputs, ulps, share = base(d)
    isFloat = [jnp.issubdtype(np.asarray(x).dtype, jnp.floating) for x in inputs]
    if any(isFloat) and d.coin():
        at = d.pick([i for i, is_float in enumerate(isFloat) if is_float])

        def loss(*xs):
            leaves = [v for v in jax.tree_util.tree_leaves(function(*xs)) if jnp.issubdtype(v.dtype, jnp.floating)]
            return sum(jnp.sin(v.astype(np.float64)).sum() for v in leaves)
        narrow = np.asarray(inputs[at]).dtype.itemsize < 4
        return jax.grad(loss, argnums=at), inputs, 64, 5e-2 if narrow else 1e-4
    axes = [d.integer(0, np.ndim(x)) if d.coin(0.7) or i == 0 else None for i, x in enumerate(inputs)]
    stacked = [x if a is None else np.stack([x, x[..., ::-1] if np.ndim(x) else x, x], a) for x, a in zip(inputs, axes)]
    return jax.vmap(function, in_axes=tuple(axes), out_axes=d.pick([0, -1])), stacked, ulps, share
