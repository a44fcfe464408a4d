"""A link that breaks at random bytes while a document is opened, recorded, run and exported and a large file is sent:
every request gets the reply that it gets from an engine here.

usage: cut_links.py FOLDER SAMPLES SEED CUTS MEGABYTES [--damage]
"""
import json
import os
import pathlib
import random
import shutil
import struct
import sys
import time

from engine_client import local_engine, python_command, remote_engine, without_times

folder, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
draw, count, megabytes = random.Random(int(sys.argv[3])), int(sys.argv[4]), int(sys.argv[5])
os.chdir(folder)
os.environ["XDG_DATA_HOME"] = str(folder / "data")
for name in ("bert_attention.mlir", "mlp_gelu.mlir"):
    shutil.copy(samples / name, folder)
size = megabytes << 20
header = json.dumps({"weight": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
with open("weights.safetensors", "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header)
    for _ in range(megabytes):
        file.write(draw.randbytes(1 << 20))


def script(engine):
    yield engine.call("initialize", version=1)
    yield engine.call("document/open", path="bert_attention.mlir")
    yield engine.call("pipeline/record")
    # Many at once.
    numbers = [engine.request("text/lines", snapshot=i, first=0, count=1000) for i in range(4)]
    numbers += [engine.request("step/diff", step=i) for i in range(4)]
    numbers += [engine.request("graph/scene", snapshot=i) for i in range(4)]
    yield from map(engine.reply, numbers)
    yield engine.call("text/save", snapshot=2, path="saved.mlir")
    yield engine.call("run/start", snapshot=0, repeat=1, warmup=1, dispatch="0", parameters={"weights.safetensors": ""})
    yield engine.call("step/export", path="steps.html")
    yield engine.call("document/open", path="mlp_gelu.mlir")
    yield engine.call("fusion/fuse", snapshot=0, all=True, check="never")
    yield engine.call("graph/export", snapshot=0, path="picture.svg")
    yield engine.call("shutdown")


def written():
    return [pathlib.Path(name).read_bytes() for name in ("saved.mlir", "picture.svg")] + [
        len(pathlib.Path("steps.html").read_bytes()) // 1000]


engine = local_engine()
here = [without_times(reply) for reply in script(engine)]
engine.process.wait()
files_here = written()
for name in ("saved.mlir", "picture.svg", "steps.html"):
    os.remove(name)

# The first connection lasts until there is an engine; others may break before.
cuts = [draw.randrange(3000, 40_000)]
while len(cuts) < count:
    # Few of the bytes are about something else than the large file.
    cuts.append(draw.choice([draw.randrange(1, 2000), draw.randrange(200_000), draw.randrange(2 * size // count)]))
pathlib.Path("cuts").write_text("\n".join(map(str, cuts)))
engine = remote_engine(python_command("broken_link.py", *sys.argv[6:], "--cuts", folder / "cuts", "sh -c"), cache=str(folder / "cache"))
began = time.time()
there = [without_times(reply) for reply in script(engine)]
code = engine.process.wait()
states = engine.states()
print("replies", len(there), "different", sum(a != b for a, b in zip(here, there)), "exit code", code)
for a, b in zip(here, there):
    if a != b:
        print("here ", str(a)[:1000], "\nthere", str(b)[:1000])
print("files equal", written() == files_here)
print("cuts", count - len(pathlib.Path("cuts").read_text().split()))
print("down", sum(state["state"] == "down" for state in states), [state["text"] for state in states if state["state"] == "down"][:2],
      round(time.time() - began, 1), "s", file=sys.stderr)
