#!/usr/bin/env python3
"""Random graphs of linalg ops: what `fuselage run` computes on each device, beside numpy.

Every `run` compares a device with a reference of our own; this asks whether the reference is right, too, and whether
`kernel --check-races` and `fuse --all` agree. A graph that differs is written to --keep with its inputs. numpy is needed.

    tests/peers/random_graphs.py --fuselage build/ci/bin/fuselage --count 50 --device vulkan:0
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    sys.exit("numpy is not installed: nothing to compare with")

SIZES = [1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 48, 64, 65]
KINDS = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32, "i8": np.int8, "i64": np.int64}
ROUNDOFF = {"f32": 2.0**-24, "f64": 2.0**-53, "f16": 2.0**-11}
NOTHING = "there is nothing to run"  # of a graph that only views its inputs


def type_of(shape, kind):
    return "tensor<" + "".join(f"{size}x" for size in shape) + kind + ">"


class Value:
    def __init__(self, name, shape, kind, array):
        self.name, self.shape, self.kind, self.array = name, tuple(shape), kind, array
        self.type = type_of(shape, kind)


class Graph:
    """A function, and what numpy makes of it as it is written. Floats are held in double precision, whatever their type."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)
        self.lines, self.values, self.arguments, self.count = [], [], [], 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def argument(self, shape, kind):
        if kind[0] == "f":
            array = (self.numpy.integers(-16, 17, shape) / 8).astype(KINDS[kind]).astype(np.float64)
        else:
            array = self.numpy.integers(-7, 8, shape).astype(KINDS[kind])
        value = Value(f"%arg{len(self.arguments)}", shape, kind, array)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def add(self, text, shape, kind, array):
        """text holds {r}: the name of the result."""
        name = self.name()
        self.lines.append(text.replace("{r}", name))
        if kind[0] == "i":
            array = array.astype(KINDS[kind])
        value = Value(name, shape, kind, array)
        self.values.append(value)
        return value

    def constant(self, kind, number):
        name = self.name()
        self.lines.append(f"{name} = arith.constant {number} : {kind}")
        return name

    def empty(self, shape, kind):
        name = self.name()
        self.lines.append(f"{name} = tensor.empty() : {type_of(shape, kind)}")
        return name

    def filled(self, shape, kind, number):
        zero, empty, name = self.constant(kind, number), self.empty(shape, kind), self.name()
        type_ = type_of(shape, kind)
        self.lines.append(f"{name} = linalg.fill ins({zero} : {kind}) outs({empty} : {type_}) -> {type_}")
        return name

    def zero(self, kind):
        return "0.0" if kind[0] == "f" else "0"

    def pick(self, wanted=lambda value: True):
        options = [value for value in self.values if wanted(value)]
        return self.random.choice(options[-4:] if self.random.random() < 0.7 else options) if options else None

    def size(self):
        return self.random.choice(SIZES)

    # Each makes one op, or nothing where no value fits.

    def generic(self, value, out_shape, out_kind, in_maps, out_map, iterators, body, array, inputs, init=None):
        dims = ", ".join(f"d{i}" for i in range(len(iterators)))
        maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(m)})>" for m in in_maps + [out_map])
        init = init or self.empty(out_shape, out_kind)
        args = ", ".join(f"%x{i}: {v.kind}" for i, v in enumerate(inputs))
        names, types = ", ".join(v.name for v in inputs), ", ".join(v.type for v in inputs)
        iters = ", ".join(f'"{i}"' for i in iterators)
        out = type_of(out_shape, out_kind)
        return self.add(
            f"{{r}} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iters}]}} ins({names} : {types}) outs({init} : {out}) {{\n"
            f"    ^bb0({args}, %o: {out_kind}):\n      {body}\n    }} -> {out}",
            out_shape, out_kind, array)

    def elementwise(self):
        a = self.pick(lambda v: len(v.shape) >= 1)
        if not a:
            return
        rank = len(a.shape)
        order = list(range(rank))
        self.random.shuffle(order)
        shape = [a.shape[d] for d in order]
        # another operand of some of the dimensions: a broadcast, in any order
        kept = [i for i in range(rank) if self.random.random() < 0.6]
        self.random.shuffle(kept)
        b = self.pick(lambda v: v.kind == a.kind and v.shape == tuple(shape[i] for i in kept)) or self.argument([shape[i] for i in kept], a.kind)
        in_map = [""] * rank
        for position, d in enumerate(order):
            in_map[d] = f"d{position}"
        left = np.transpose(a.array, order)
        right = np.transpose(b.array, np.argsort(kept)) if kept else b.array
        right = right.reshape([shape[i] if i in kept else 1 for i in range(rank)])
        f = a.kind[0] == "f"
        choice = self.random.choice(["add", "mul", "max", "select", "sub"])
        t = a.kind
        body, array = {
            "add": (f"%y = arith.add{'f' if f else 'i'} %x0, %x1 : {t}", left + right),
            "sub": (f"%y = arith.sub{'f' if f else 'i'} %x0, %x1 : {t}", left - right),
            "mul": (f"%h = arith.constant {'0.25' if f else '1'} : {t}\n      %z = arith.mul{'f' if f else 'i'} %x0, %x1 : {t}\n"
                    f"      %y = arith.mul{'f' if f else 'i'} %z, %h : {t}", left * right * (0.25 if f else 1)),
            "max": (f"%y = arith.{'maximumf' if f else 'maxsi'} %x0, %x1 : {t}", np.maximum(left, right)),
            "select": (f"%c = arith.cmp{'f ogt' if f else 'i sgt'}, %x0, %x1 : {t}\n      %y = arith.select %c, %x1, %x0 : {t}",
                       np.where(left > right, right, left)),
        }[choice]
        self.generic(a, shape, t, [in_map, [f"d{i}" for i in kept]], [f"d{i}" for i in range(rank)], ["parallel"] * rank,
                     body + f"\n      linalg.yield %y : {t}", array, [a, b])

    def index(self):
        a = self.pick(lambda v: len(v.shape) >= 1)
        if not a:
            return
        rank, d = len(a.shape), self.random.randrange(len(a.shape))
        t, f = a.kind, a.kind[0] == "f"
        positions = np.arange(a.shape[d]).reshape([-1 if i == d else 1 for i in range(rank)])
        body = f"%i = linalg.index {d} : index\n      %j = arith.index_cast %i : index to {'i32' if f else t}\n"
        body += (f"      %k = arith.sitofp %j : i32 to {t}\n      %y = arith.addf %x0, %k : {t}\n" if f else f"      %y = arith.addi %x0, %j : {t}\n")
        identity = [f"d{i}" for i in range(rank)]
        self.generic(a, a.shape, t, [identity], identity, ["parallel"] * rank, body + f"      linalg.yield %y : {t}", a.array + positions, [a])

    def unary(self):
        a = self.pick(lambda v: v.kind in ("f32", "f64", "f16"))
        if not a:
            return
        op, function = self.random.choice([("tanh", np.tanh), ("abs", np.abs), ("negf", np.negative), ("floor", np.floor)])
        if op == "floor" and not np.all(np.abs(a.array - np.round(a.array)) > 1e-2):
            return
        self.add(f"{{r}} = linalg.{op} ins({a.name} : {a.type}) outs({self.empty(a.shape, a.kind)} : {a.type}) -> {a.type}",
                 a.shape, a.kind, function(a.array))

    def matmul(self):
        a = self.pick(lambda v: len(v.shape) in (2, 3) and v.kind in ("f32", "f16", "i8", "f64"))
        if not a:
            return
        batched, transposed_a, transposed_b = len(a.shape) == 3, self.random.random() < 0.3, self.random.random() < 0.4
        rows, depth = a.shape[-2:] if not transposed_a else a.shape[:-3:-1]
        columns = self.size()
        shape = [depth, columns] if not transposed_b else [columns, depth]
        shape = ([a.shape[0]] if batched else []) + shape
        b = self.pick(lambda v: v.kind == a.kind and v.shape == tuple(shape)) or self.argument(shape, a.kind)
        kind = {"f32": "f32", "f16": self.random.choice(["f16", "f32"]), "i8": "i32", "f64": "f64"}[a.kind]
        out = ([a.shape[0]] if batched else []) + [rows, columns]
        wide = np.float64 if kind[0] == "f" else np.int64
        left = np.swapaxes(a.array, -1, -2) if transposed_a else a.array
        right = np.swapaxes(b.array, -1, -2) if transposed_b else b.array
        array = left.astype(wide) @ right.astype(wide)
        dims = "d0, d1, d2, d3" if batched else "d0, d1, d2"
        p, (m, n, k) = ("d0, " if batched else ""), (("d1", "d2", "d3") if batched else ("d0", "d1", "d2"))
        maps = ", ".join(f"affine_map<({dims}) -> ({p}{x})>" for x in
                         (f"{k}, {m}" if transposed_a else f"{m}, {k}", f"{n}, {k}" if transposed_b else f"{k}, {n}", f"{m}, {n}"))
        attributes = f" indexing_maps = [{maps}]" if transposed_a or transposed_b else ""
        init, type_ = self.filled(out, kind, self.zero(kind)), type_of(out, kind)
        value = self.add(f"{{r}} = linalg.{'batch_' if batched else ''}matmul{attributes} ins({a.name}, {b.name} : {a.type}, {b.type}) "
                         f"outs({init} : {type_}) -> {type_}", out, kind, array)
        if kind[0] == "f":
            self.scale(value, depth)

    def scale(self, value, terms):
        """Keeps numbers small."""
        factor = 1 / 2 ** max(0, int(np.log2(terms)))
        rank = len(value.shape)
        identity, t = [f"d{i}" for i in range(rank)], value.kind
        self.generic(value, value.shape, t, [identity], identity, ["parallel"] * rank,
                     f"%c = arith.constant {factor:.17e} : {t}\n      %y = arith.mulf %x0, %c : {t}\n      linalg.yield %y : {t}", value.array * factor, [value])

    def reduce(self):
        a = self.pick(lambda v: len(v.shape) >= 1 and v.kind != "i8")
        if not a:
            return
        rank = len(a.shape)
        gone = sorted(self.random.sample(range(rank), self.random.randint(1, rank)))
        shape = [size for i, size in enumerate(a.shape) if i not in gone]
        f = a.kind[0] == "f"
        op, number, function = self.random.choice([
            ("arith.addf" if f else "arith.addi", self.zero(a.kind), np.sum),
            ("arith.maximumf" if f else "arith.maxsi", "-100.0" if f else "-100", lambda x, axis: np.maximum(np.max(x, axis=axis), -100)),
            ("arith.minimumf" if f else "arith.minsi", "100.0" if f else "100", lambda x, axis: np.minimum(np.min(x, axis=axis), 100))])
        init, type_ = self.filled(shape, a.kind, number), type_of(shape, a.kind)
        value = self.add(f"{{r}} = linalg.reduce {{ {op} }} ins({a.name} : {a.type}) outs({init} : {type_}) dimensions = {gone}",
                         shape, a.kind, np.asarray(function(a.array, axis=tuple(gone))))
        if op == "arith.addf":
            self.scale(value, int(np.prod([a.shape[d] for d in gone])))

    def transpose(self):
        a = self.pick(lambda v: len(v.shape) >= 2)
        if not a:
            return
        order = list(range(len(a.shape)))
        self.random.shuffle(order)
        shape = [a.shape[d] for d in order]
        self.add(f"{{r}} = linalg.transpose ins({a.name} : {a.type}) outs({self.empty(shape, a.kind)} : {type_of(shape, a.kind)}) permutation = {order}",
                 shape, a.kind, np.transpose(a.array, order))

    def pad(self):
        a = self.pick(lambda v: len(v.shape) >= 1 and max(v.shape) < 100)
        if not a:
            return
        low, high = ([self.random.choice([0, 0, 1, 2, 3]) for _ in a.shape] for _ in range(2))
        shape = [l + s + h for l, s, h in zip(low, a.shape, high)]
        number = self.random.choice([0, 1, 2])
        constant = self.constant(a.kind, f"{number}.0" if a.kind[0] == "f" else number)
        args = ", ".join(f"%i{i}: index" for i in range(len(shape)))
        self.add(f"{{r}} = tensor.pad {a.name} low{low} high{high} {{\n    ^bb0({args}):\n      tensor.yield {constant} : {a.kind}\n"
                 f"    }} : {a.type} to {type_of(shape, a.kind)}", shape, a.kind,
                 np.pad(a.array, list(zip(low, high)), constant_values=number))

    def slice(self):
        a = self.pick(lambda v: len(v.shape) >= 1)
        if not a:
            return
        strides = [self.random.choice([1, 1, 2]) for _ in a.shape]
        offsets = [self.random.randrange(size) for size in a.shape]
        sizes = [self.random.randint(1, (size - offset - 1) // stride + 1) for size, offset, stride in zip(a.shape, offsets, strides)]
        index = tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, strides))
        self.add(f"{{r}} = tensor.extract_slice {a.name}{offsets} {sizes} {strides} : {a.type} to {type_of(sizes, a.kind)}", sizes, a.kind, a.array[index])

    def insert(self):
        a = self.pick(lambda v: len(v.shape) >= 1)
        b = a and self.pick(lambda v: v.kind == a.kind and len(v.shape) == len(a.shape) and all(x <= y for x, y in zip(v.shape, a.shape)))
        if not b or a is b:
            return
        offsets = [self.random.randint(0, y - x) for x, y in zip(b.shape, a.shape)]
        array = a.array.copy()
        array[tuple(slice(o, o + n) for o, n in zip(offsets, b.shape))] = b.array
        self.add(f"{{r}} = tensor.insert_slice {b.name} into {a.name}{offsets} {list(b.shape)} {[1] * len(offsets)} : {b.type} into {a.type}", a.shape, a.kind, array)

    def collapse(self):
        a = self.pick(lambda v: len(v.shape) >= 2)
        if not a:
            return
        groups = [[0]]
        for d in range(1, len(a.shape)):
            if self.random.random() < 0.5:
                groups[-1].append(d)
            else:
                groups.append([d])
        shape = [int(np.prod([a.shape[d] for d in group])) for group in groups]
        self.add(f"{{r}} = tensor.collapse_shape {a.name} {groups} : {a.type} into {type_of(shape, a.kind)}", shape, a.kind, a.array.reshape(shape))

    def expand(self):
        a = self.pick(lambda v: 1 <= len(v.shape) <= 4)
        if not a:
            return
        shape, groups = [], []
        for size in a.shape:
            factor = self.random.choice([f for f in range(1, size + 1) if size % f == 0])
            parts = [factor, size // factor] if self.random.random() < 0.6 else [size]
            groups.append(list(range(len(shape), len(shape) + len(parts))))
            shape += parts
        self.add(f"{{r}} = tensor.expand_shape {a.name} {groups} output_shape {shape} : {a.type} into {type_of(shape, a.kind)}", shape, a.kind, a.array.reshape(shape))

    def concat(self):
        a = self.pick(lambda v: len(v.shape) >= 1)
        if not a:
            return
        d = self.random.randrange(len(a.shape))
        b = self.pick(lambda v: v.kind == a.kind and len(v.shape) == len(a.shape) and all(x == y or i == d for i, (x, y) in enumerate(zip(v.shape, a.shape))))
        shape = list(a.shape)
        shape[d] += b.shape[d]
        self.add(f"{{r}} = tensor.concat dim({d}) {a.name}, {b.name} : ({a.type}, {b.type}) -> {type_of(shape, a.kind)}", shape, a.kind,
                 np.concatenate([a.array, b.array], axis=d))

    def softmax(self):
        a = self.pick(lambda v: v.kind == "f32" and len(v.shape) >= 1)
        if not a:
            return
        d = self.random.randrange(len(a.shape))
        e = np.exp(a.array - np.max(a.array, axis=d, keepdims=True))
        self.add(f"{{r}} = linalg.softmax dimension({d}) ins({a.name} : {a.type}) outs({self.empty(a.shape, a.kind)} : {a.type}) -> {a.type}",
                 a.shape, a.kind, e / np.sum(e, axis=d, keepdims=True))

    def convolution(self):
        n, h, w, c, f = self.random.choice([1, 2]), *(self.random.choice([5, 6, 9, 14]) for _ in range(2)), *(self.random.choice([1, 3, 4, 8]) for _ in range(2))
        kh, kw, stride = self.random.choice([1, 2, 3]), self.random.choice([1, 3]), self.random.choice([1, 2])
        kind = self.random.choice(["f32", "f32", "f16"])
        x = self.pick(lambda v: v.kind == kind and len(v.shape) == 4 and v.shape[1] >= kh and v.shape[2] >= kw) or self.argument([n, h, w, c], kind)
        n, h, w, c = x.shape
        filters = self.argument([kh, kw, c, f], kind)
        oh, ow = (h - kh) // stride + 1, (w - kw) // stride + 1
        array = np.zeros([n, oh, ow, f])
        for i in range(kh):
            for j in range(kw):
                window = x.array[:, i : i + (oh - 1) * stride + 1 : stride, j : j + (ow - 1) * stride + 1 : stride, :]
                array += window.astype(np.float64) @ filters.array[i, j].astype(np.float64)
        init, type_ = self.filled([n, oh, ow, f], kind, "0.0"), type_of([n, oh, ow, f], kind)
        value = self.add(f"{{r}} = linalg.conv_2d_nhwc_hwcf {{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}} "
                         f"ins({x.name}, {filters.name} : {x.type}, {filters.type}) outs({init} : {type_}) -> {type_}", [n, oh, ow, f], kind, array)
        self.scale(value, kh * kw * c)

    def pack(self):
        a = self.pick(lambda v: len(v.shape) == 2 and v.kind in ("f32", "i32"))
        if not a:
            return
        tiles = [self.random.choice([2, 4, 8]), self.random.choice([3, 8, 16])]
        outer = [-(-size // tile) for size, tile in zip(a.shape, tiles)]
        shape = outer + tiles
        zero = self.constant(a.kind, self.zero(a.kind))
        padded = np.pad(a.array, [(0, o * t - s) for o, t, s in zip(outer, tiles, a.shape)])
        array = padded.reshape(outer[0], tiles[0], outer[1], tiles[1]).transpose(0, 2, 1, 3)
        packed = self.add(f"{{r}} = linalg.pack {a.name} padding_value({zero} : {a.kind}) inner_dims_pos = [0, 1] inner_tiles = {tiles} "
                          f"into {self.empty(shape, a.kind)} : {a.type} -> {type_of(shape, a.kind)}", shape, a.kind, array)
        if self.random.random() < 0.6:
            self.add(f"{{r}} = linalg.unpack {packed.name} inner_dims_pos = [0, 1] inner_tiles = {tiles} into {self.empty(a.shape, a.kind)} "
                     f": {packed.type} -> {a.type}", a.shape, a.kind, a.array)

    def gather(self):
        table = self.pick(lambda v: len(v.shape) == 2)
        if not table:
            return
        count = self.size()
        indices = self.numpy.integers(0, table.shape[0], [count])
        ids = Value(f"%arg{len(self.arguments)}", [count], "i64", indices)
        self.arguments.append(ids)
        shape, t = [count, table.shape[1]], table.kind
        self.generic(ids, shape, t, [["d0"]], ["d0", "d1"], ["parallel", "parallel"],
                     f"%j = linalg.index 1 : index\n      %i = arith.index_cast %x0 : i64 to index\n"
                     f"      %y = tensor.extract {table.name}[%i, %j] : {table.type}\n      linalg.yield %y : {t}", table.array[indices], [ids])

    def convert(self):
        a = self.pick(lambda v: v.kind in ("f32", "i8", "f16", "i32"))
        if not a:
            return
        to, op = {"f32": ("f64", "extf"), "i8": ("i32", "extsi"), "f16": ("f32", "extf"), "i32": ("i64", "extsi")}[a.kind]
        if a.kind == "f32" and self.random.random() < 0.5:
            to, op = "f16", "truncf"
        rank = len(a.shape)
        identity = [f"d{i}" for i in range(rank)]
        self.generic(a, a.shape, to, [identity], identity, ["parallel"] * rank, f"%y = arith.{op} %x0 : {a.kind} to {to}\n      linalg.yield %y : {to}", a.array, [a])

    STEPS = [elementwise] * 4 + [matmul] * 3 + [reduce] * 2 + [softmax, convolution, pack, gather, convert, concat, expand, collapse, insert, slice, pad,
                                                             transpose, unary, index]

    def grow(self, steps):
        for _ in range(self.random.choice([1, 1, 2])):
            self.argument([self.size() for _ in range(self.random.choice([1, 2, 2, 2, 3, 4]))][:4] if self.random.random() < 0.95 else [],
                          self.random.choice(["f32", "f32", "f32", "f16", "i32", "i8", "f64"]))
        for _ in range(steps):
            if sum(v.array.size for v in self.values) < 2_000_000:
                self.random.choice(self.STEPS)(self)

    def results(self):
        text = "\n".join(self.lines)
        made = [v for v in self.values if v not in self.arguments]
        unused = [v for v in made if not re.search(re.escape(v.name) + r"\b", text.split(v.name + " = ", 1)[1])]
        return unused or made[-1:]

    def text(self):
        results = self.results()
        arguments = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        types = ", ".join(v.type for v in results)
        body = "\n  ".join(self.lines + [f"return {', '.join(v.name for v in results)} : {types}"])
        return f"func.func @main({arguments}) -> ({types}) {{\n  {body}\n}}\n"


def differs(got, value, ops):
    """What is wrong with a result; None if nothing is. An error may grow with each op on the way."""
    if tuple(got.shape) != value.shape:
        return f"shape {got.shape} instead of {value.shape}"
    if value.kind[0] == "i":
        wrong = got != value.array
        return f"{int(np.sum(wrong))} of {wrong.size} numbers differ" if np.any(wrong) else None
    got, wanted = got.astype(np.float64), value.array.astype(np.float64)
    bound = max(ROUNDOFF["f16"] if ops else 0, ROUNDOFF[value.kind] * 64) * 8 * (1 + np.max(np.abs(wanted), initial=0))
    worst = np.max(np.abs(got - wanted), initial=0)
    return None if worst <= bound else f"off by {worst:g}, more than {bound:g}"


def value_differs(fuselage, folder, value, inputs, half):
    """What `run --value` says of a value inside of the graph, beside numpy's array and figures."""
    out = folder / "value"
    code, said = call([fuselage, "run", str(folder / "g.mlir"), "--value", value.name, "--format", "json",
                       "--report", str(folder / "value.json"), "--output", str(out)] + inputs, 300)
    got = np.load(out / "value.npy") if code == 0 else None
    wrong = differs(got, value, half) if code == 0 else f"{code}: {said[-500:]}"
    if wrong:
        return wrong
    said = json.loads((folder / "value.json").read_text())["statistics"]
    numbers = got.astype(np.longdouble)
    for name, wanted in [("min", numbers.min()), ("max", numbers.max())]:
        if value.array.size and got.dtype.type(float(said[name]) if value.kind[0] == "f" else int(said[name])) != wanted:
            return f"{name} {said[name]} instead of {wanted}"
    for name, wanted in [("mean", numbers.mean()), ("deviation", numbers.std())]:
        if abs(said[name] - float(wanted)) > 1e-13 * max(1.0, float(np.max(np.abs(numbers), initial=0))):
            return f"{name} {said[name]} instead of {wanted}"
    if said["zeros"] != int(np.sum(got == 0)) or said["elements"] != got.size or said["nan"] != 0:
        return f"counts {said}"
    return None


def call(command, limit):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, errors="replace")
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, "no end"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuselage", default="fuselage")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--device", action="append")
    parser.add_argument("--races", action="store_true", help="kernel --check-races, too")
    parser.add_argument("--fuse", action="store_true", help="fuse --all first, and run what it leaves, too")
    parser.add_argument("--values", action="store_true", help="each value inside, too, by run --value")
    parser.add_argument("--keep", default="build/random_graphs", help="where graphs that fail are kept")
    options = parser.parse_args()
    keep, bad = pathlib.Path(options.keep), 0
    for seed in range(options.seed, options.seed + options.count):
        graph = Graph(seed)
        graph.grow(options.steps)
        if not graph.lines:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder, problems = pathlib.Path(name), []
            (folder / "g.mlir").write_text(graph.text())
            inputs = []
            for i, value in enumerate(graph.arguments):
                np.save(folder / f"arg{i}.npy", value.array.astype(KINDS[value.kind]))
                inputs += ["--input", f"arg{i}=@{folder}/arg{i}.npy"]
            files = ["g.mlir"]
            if options.fuse:
                code, said = call([options.fuselage, "fuse", str(folder / "g.mlir"), "--all", "-o", str(folder / "fused.mlir")], 300)
                if code != 0:
                    problems.append(f"fuse: {code}: {said[-500:]}")
                else:
                    files.append("fused.mlir")
            half = "f16" in graph.text()
            for file in files:
                for device in options.device or ["host"]:
                    out = folder / "out"
                    code, said = call([options.fuselage, "run", str(folder / file), "--device", device, "--repeat", "1", "--output", str(out)] + inputs, 300)
                    if code != 0 and NOTHING not in said:
                        problems.append(f"run {file} on {device}: {code}: {said[-700:]}")
                        if not out.exists():
                            continue
                    for i, value in enumerate(graph.results()):
                        wrong = differs(np.load(out / f"result{i}.npy"), value, half)
                        if wrong:
                            problems.append(f"run {file} on {device}: result {i}: {wrong}")
            for value in graph.values if options.values else []:
                wrong = value_differs(options.fuselage, folder, value, inputs, half)
                if wrong:
                    problems.append(f"run --value {value.name}: {wrong}")
            if options.races:
                code, said = call([options.fuselage, "kernel", str(folder / "g.mlir"), "--check-races", "--target", "ptx", "--chip", "sm_80"], 600)
                if code != 0 and NOTHING not in said:
                    problems.append(f"kernel --check-races: {code}: {said[-700:]}")
            if problems:
                bad += 1
                kept = keep / str(seed)
                kept.mkdir(parents=True, exist_ok=True)
                for file in folder.glob("*.*"):
                    (kept / file.name).write_bytes(file.read_bytes())
                (kept / "problems.txt").write_text("\n".join(problems) + "\n")
                print(f"seed {seed}: " + "\n  ".join(problems), flush=True)
    print(f"{options.count} graphs, {bad} with a problem")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
