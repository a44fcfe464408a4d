#!/usr/bin/env python3
"""Shardings of JAX: the parts of each value on each device, as `fuselage mesh` reads them and as JAX has them.

usage: mesh_shards.py FUSELAGE [--count N] [--seed S]    (needs jax; says so where it is not there)

Programs with random meshes and shardings are exported, with Shardy and with GSPMD. For each argument, the shape of a part
(`sharding.shard_shape`), the elements on each device (`devices_indices_map`) and the bytes are compared. A transformer block
on a mesh of 2 x 4 is lowered and compiled, too: its shardings are read, and each collective of shard_map.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
except ImportError as error:
    print(f"mesh_shards: skipped: {error}")
    sys.exit(0)

rng = np.random.default_rng(0)
FACTORS = [(8,), (2, 4), (4, 2), (2, 2, 2), (1, 8), (2, 1, 4), (4,), (2, 2), (2, 3)]


def random_mesh():
    shape = FACTORS[rng.integers(len(FACTORS))]
    devices = np.array(jax.devices()[: int(np.prod(shape))])
    if rng.integers(3) == 0:
        devices = rng.permutation(devices)
    return Mesh(devices.reshape(shape), tuple("abc"[: len(shape)]))


def random_argument(mesh):
    """A shape that divides, and a sharding."""
    rank = int(rng.integers(1, 4))
    spec = [[] for _ in range(rank)]
    for axis in rng.permutation(mesh.axis_names):
        if rng.integers(3):
            spec[rng.integers(rank)].append(str(axis))
    shape = []
    for axes in spec:
        parts = int(np.prod([mesh.shape[a] for a in axes], initial=1))
        shape.append(parts * int(rng.integers(1, 5)))
    dtype = [np.float32, np.float16, np.int8][rng.integers(3)]
    entries = [tuple(a) if len(a) > 1 else a[0] if a else None for a in spec]
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, PartitionSpec(*entries)))


def report(fuselage, text, folder):
    path = folder / "program.mlir"
    path.write_text(text)
    done = subprocess.run([fuselage, "mesh", str(path), "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def difference(value, found, mesh_devices):
    """Why what was found of an argument is not what JAX has; empty if it is."""
    if "layout" not in found["value"]:
        return f"not known: {found['value'].get('problem')}"
    layout = found["layout"]
    shard = [dim["shard"] for dim in layout["dims"]]
    if tuple(shard) != value.sharding.shard_shape(value.shape):
        return f"a part has {shard}, in JAX {value.sharding.shard_shape(value.shape)}"
    if layout["shard_bytes"] != int(np.prod(shard)) * value.dtype.itemsize:
        return f"a part has {layout['shard_bytes']} bytes"
    # Programs number devices by their place in the assignment, which is the mesh flattened.
    number = {device: place for place, device in enumerate(mesh_devices)}
    places = {device: place for place, device in enumerate(found["mesh"]["devices"])}
    for device, slices in value.sharding.devices_indices_map(value.shape).items():
        place = places[number[device]]
        for dim, wanted in zip(layout["dims"], slices):
            part = dim["places"][place]
            begin, end, _ = wanted.indices(dim["size"])
            if (dim["begins"][part], dim["ends"][part]) != (begin, end):
                return f"device {device.id} has {dim['begins'][part]}:{dim['ends'][part]}, in JAX {begin}:{end}"
    return ""


def compare_random(fuselage, count, folder):
    compared = wrong = 0
    while compared < count:
        mesh = random_mesh()
        values = [random_argument(mesh) for _ in range(10)]
        # An argument that every axis splits, so that GSPMD's strings say what the mesh is.
        shardy = bool(rng.integers(2))
        jax.config.update("jax_use_shardy_partitioner", shardy)
        lowered = jax.jit(lambda *a: [x + 1 for x in a]).lower(*values).as_text()
        read = report(fuselage, lowered, folder)
        arguments = [v for v in read["values"] if v["place"] == "argument"]
        by_number = {v["number"]: v for v in arguments}
        for number, value in enumerate(values):
            if number not in by_number:
                if shardy or not value.sharding.is_fully_replicated:
                    print(f"WRONG: argument {number}, {value.shape} {value.sharding.spec}: it is not listed")
                    wrong += 1
                continue
            entry = by_number[number]
            found = {"value": entry}
            if "layout" in entry:
                found["layout"] = read["layouts"][entry["layout"]]
                found["mesh"] = read["meshes"][found["layout"]["mesh"]]
            elif value.sharding.is_fully_replicated:
                continue  # all of GSPMD's strings are: there is no mesh to find
            why = difference(value, found, list(mesh.devices.flat))
            compared += 1
            if why:
                wrong += 1
                print(f"WRONG: {value.shape} {value.sharding.spec} on {dict(mesh.shape)}, "
                      f"{'sdy' if shardy else 'gspmd'}: {why}")
    print(f"{compared} random shardings: {wrong} differ from JAX's")
    return wrong


def block(x, wq, wk, wv, wo, w1, w2):
    q, k, v = (jnp.reshape(x @ w, (*x.shape[:2], 4, -1)) for w in (wq, wk, wv))
    p = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4.0, -1)
    x = x + jnp.einsum("bhqk,bkhd->bqhd", p, v).reshape(x.shape) @ wo
    return x + jax.nn.gelu(x @ w1) @ w2


def compare_block(fuselage, folder):
    """The parts that the real partitioner makes of a block's arguments are those that are read of its annotations."""
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
    specs = [("data",), (None, "model"), (None, "model"), (None, "model"), ("model",), (None, "model"), ("model",)]
    shapes = [(4, 32, 64), (64, 64), (64, 64), (64, 64), (64, 64), (64, 256), (256, 64)]
    values = [jax.ShapeDtypeStruct(shape, np.float32, sharding=NamedSharding(mesh, PartitionSpec(*spec)))
              for shape, spec in zip(shapes, specs)]
    wrong = 0
    for shardy in (True, False):
        jax.config.update("jax_use_shardy_partitioner", shardy)
        lowered = jax.jit(block).lower(*values)
        read = report(fuselage, lowered.as_text(), folder)
        entry = lowered.compile().as_text().split("ENTRY ")[1].splitlines()
        parameters = [line for line in entry if " parameter(" in line]
        for value in read["values"]:
            if value["place"] != "argument":
                continue
            dims = read["layouts"][value["layout"]]["dims"]
            local = "f32[" + ",".join(str(dim["shard"]) for dim in dims) + "]"
            line = next(p for p in parameters if f" parameter({value['number']})" in p)
            if local not in line:
                wrong += 1
                print(f"WRONG: argument {value['number']} of the block: read as {local}, compiled as {line.strip()}")
    print(f"a transformer block, {len(specs)} arguments, sdy and gspmd: {wrong} differ from what XLA compiles")
    return wrong


def compare_shard_map(fuselage, folder):
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))

    def body(x, w):
        y = jax.lax.psum(x @ w, "model")
        z = jax.lax.all_gather(y, "data", axis=0, tiled=True)
        r = jax.lax.ppermute(y, "model", [(i, (i + 1) % 4) for i in range(4)])
        return z, jax.lax.all_to_all(r, "model", split_axis=0, concat_axis=1, tiled=True)

    wanted = [("all-reduce", ["model"], 4), ("all-gather", ["data"], 2), ("permute", ["model"], 4),
              ("all-to-all", ["model"], 4)]
    wrong = 0
    for shardy in (True, False):
        jax.config.update("jax_use_shardy_partitioner", shardy)
        mapped = jax.shard_map(body, mesh=mesh, in_specs=(PartitionSpec("data", "model"), PartitionSpec("model")),
                               out_specs=(PartitionSpec(None), PartitionSpec("data")), check_vma=False)
        text = jax.jit(mapped).lower(jnp.zeros((32, 64)), jnp.zeros((64, 64))).as_text()
        found = [(c["kind"], c["axes"], c["group_size"])
                 for c in report(fuselage, text, folder)["collectives"] if not c.get("annotation")]
        axes = {"data": "data" if shardy else "axis0", "model": "model" if shardy else "axis1"}
        expected = [(kind, [axes[a] for a in names], size) for kind, names, size in wanted]
        if found != expected:
            wrong += 1
            print(f"WRONG: collectives of shard_map: {found}, not {expected}")
    print(f"shard_map, four collectives, sdy and gspmd: {wrong} differ")
    return wrong


def main():
    global rng
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuselage")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=3)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrong = compare_random(arguments.fuselage, arguments.count, folder)
        wrong += compare_block(arguments.fuselage, folder)
        wrong += compare_shard_map(arguments.fuselage, folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
