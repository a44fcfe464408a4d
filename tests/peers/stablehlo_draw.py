"""Types, shapes and values drawn at random, and the list of kinds of programs. For stablehlo_random.py."""
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

jax.config.update("jax_enable_x64", True)
FLOATS = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16]
SMALL_FLOATS = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3b11fnuz,
                ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2fnuz]
SIGNED = [np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
NARROW = [ml_dtypes.int4, ml_dtypes.uint4]
COMPLEX = [np.complex64, np.complex128]
INTS = SIGNED + UNSIGNED
KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


class Draw:
    """What a program is made of."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def pick(self, options):
        return options[self.rng.integers(len(options))]

    def integer(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def coin(self, chance=0.5):
        return bool(self.rng.random() < chance)

    def shape(self, least=0, most=3, size=5):
        return tuple(self.integer(1, size) for _ in range(self.integer(least, most)))

    def array(self, dtype, shape, special=False, scale=3.0):
        """Values of a type; `special`: with its edges, NaN and infinities."""
        dtype = np.dtype(dtype)
        if dtype == np.bool_:
            return self.rng.random(shape) < 0.5
        if jnp.issubdtype(dtype, jnp.complexfloating):
            parts = [self.array(dtype.type(0).real.dtype, shape, special, scale) for _ in range(2)]
            values = np.empty(shape, dtype)
            values.real, values.imag = parts
            return values
        if jnp.issubdtype(dtype, jnp.floating):
            values = self.rng.standard_normal(shape) * scale
            if special:
                edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 2.5])
                values = np.where(self.rng.random(shape) < 0.4, self.rng.choice(edges, shape), values)
            with np.errstate(all="ignore"):
                return values.astype(dtype)
        info = jnp.iinfo(dtype)
        low, high = max(int(info.min), -9), min(int(info.max), 9)
        values = self.rng.integers(low, high + 1, shape)
        if special:
            edges = np.array([int(info.min), int(info.max), 0, 1, int(info.max) - 1], dtype=object)
            chosen = np.array(self.rng.choice(edges, shape), dtype=object).reshape(shape)
            values = np.where(self.rng.random(shape) < 0.4, chosen, np.asarray(values, dtype=object))
        return np.asarray(values.tolist() if hasattr(values, "tolist") else values, dtype=dtype).reshape(shape)

    def permutation(self, count):
        return [int(i) for i in self.rng.permutation(count)]

    def subset(self, items, least=0):
        items = list(items)
        count = self.integer(min(least, len(items)), len(items))
        return [items[i] for i in sorted(self.rng.permutation(len(items))[:count])]
