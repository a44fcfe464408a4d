"""A script of many methods here and over a link: the replies are the same, files are written at the same places, and
nothing is written outside the cache.

usage: same_replies.py FOLDER SAMPLES
"""
import os
import pathlib
import re
import shutil
import struct
import sys

from engine_client import local_engine, remote_engine, without_times

folder, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)


def npy(path, shape):
    count = 1
    for size in shape:
        count *= size
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{count}f", *(i % 7 for i in range(count))))


def prepare(home):
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    for name in ("softmax.mlir", "matmul_transpose_bias.mlir", "mlp_gelu.mlir"):
        shutil.copy(samples / name, home)
    shutil.copytree(samples / "schedules", home / "schedules")
    (home / "arrays").mkdir()
    npy(home / "arrays" / "arg0.npy", (4, 8))
    (home / "small.mlir").write_text(
        "func.func @add(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {\n  %0 = arith.addf %a, %a : tensor<4x8xf32>\n"
        "  return %0 : tensor<4x8xf32>\n}\n")
    (home / "bad.mlir").write_text("func.func @f() {\n  foo bar\n}\n")
    (home / "results.json").write_text("{}")


def script(engine):
    """Yields what each request came to."""
    def call(method, **params):
        return method, params, without_times(engine.call(method, **params))

    yield call("initialize", version=1)
    yield call("text/lines", snapshot=0, first=0, count=5)  # nothing is open
    yield call("notes/load")
    for path in ("bad.mlir", "nothere.mlir", "arrays", "softmax.mlir"):
        yield call("document/open", path=path)
    yield call("pipeline/list")
    yield call("pipeline/record")
    yield call("text/lines", snapshot=1, first=0, count=400)
    yield call("text/source", snapshot=0, first=0, count=10)
    yield call("graph/scene", snapshot=0)
    yield call("graph/scene", snapshot=2, level="dispatches")
    yield call("graph/outline", snapshot=0)
    yield call("step/diff", step=1)
    yield call("step/graphDiff", step=1)
    yield call("op/details", snapshot=0, id=4)
    yield call("search/find", snapshot=0, text="soft")
    yield call("fusion/report", snapshot=0)
    yield call("buffers/report", snapshot=0)
    yield call("step/rewrites", step=0)
    yield call("text/save", snapshot=1, path="saved.mlir", locations=True)
    yield call("graph/export", snapshot=0, path="picture.svg")
    yield call("graph/export", snapshot=0, path="picture.pdf")
    yield call("graph/export", snapshot=0, path="not_written.svg", write=False)
    yield call("graph/export", snapshot=0, path="nowhere/picture.svg")
    yield call("step/export", path="steps.html")
    yield call("step/export", path="steps.json", format="json")
    yield call("step/reproducer", step=1, path="reproducer.mlir")
    yield call("step/reproducer", step=1, path="schedules")  # a folder
    yield call("notes/save", notes=[])
    yield call("notes/anchor", snapshot=0, id=4)
    yield call("notes/save", notes=[dict(engine.call("notes/anchor", snapshot=0, id=4), text="a note")])
    yield call("notes/load")
    yield call("notes/save", document="other.mlir")
    yield call("notes/save", notes=7)
    yield call("document/open", path="mlp_gelu.mlir")
    yield call("notes/load")
    yield call("fusion/fuse", snapshot=0, all=True, check="never")
    yield call("fusion/save", path="fused.txt")
    yield call("compare/with", snapshot=0, path="softmax.mlir")
    yield call("document/open", path="matmul_transpose_bias.mlir")
    schedule = "schedules/" + sorted(os.listdir("schedules"))[0]
    yield call("schedule/check", path=schedule)
    yield call("schedule/check", path="nothere.mlir")
    yield call("schedule/check", path="typed.mlir", text="module { bad }")
    yield call("schedule/trace", snapshot=0, path=schedule)
    yield call("pipeline/record", schedule=schedule)
    yield call("pipeline/record", pipeline=f"transform-preload-library{{transform-library-paths={schedule}}}")
    yield call("pipeline/record", pipeline="canonicalize,cse")
    yield call("kernel/code", dispatch="0", device="h100", target="ptx")
    yield call("kernel/code", dispatch="0", device="nothere.json", target="ptx")
    yield call("remarks/read", path="bad.mlir", snapshot=0)
    yield call("trace/open", path="bad.mlir")
    yield call("run/results", path="results.json")
    yield call("document/open", path="small.mlir")
    yield call("run/arguments")
    yield call("run/start", inputs={"a": 7})
    yield call("run/start", repeat=1, warmup=1, inputs_folder="arrays")
    yield call("run/start", repeat=1, warmup=1, inputs={"arg0": "@arrays/arg0.npy"})
    yield call("run/start", repeat=1, warmup=1, inputs={"arg0": "@arrays/nothere.npy"})
    yield call("run/start", repeat=1, warmup=1, parameters={"nothere.safetensors": ""})
    yield call("lesson/list")
    yield call("lesson/judge", snapshot=0, goals=["dispatches = 1"])
    yield call("fusion/help")
    yield call("no/method")
    yield call("shutdown")


def snapshot_of(root):
    """The contents of all files, those with times in them without numbers."""
    contents = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return {name: re.sub(rb"[0-9.e-]+", b"", text) if name.startswith("steps.") else text for name, text in contents.items()}


results = []
for name, start in (("here", local_engine), ("there", lambda: remote_engine("sh -c", cache=str(folder / "cache")))):
    home = folder / "work"
    prepare(home)
    os.environ["XDG_DATA_HOME"] = str(folder / "data")
    os.environ["HOME"] = str(folder / "home")
    os.environ["TMPDIR"] = str(folder / "tmp")
    for each in ("data", "home", "cache", "tmp"):
        shutil.rmtree(folder / each, ignore_errors=True)
        (folder / each).mkdir()
    os.chdir(home)
    engine = start()
    replies = list(script(engine))
    print(name, len(replies), "replies, exit code", engine.process.wait())
    results.append((replies, snapshot_of(home), snapshot_of(folder / "data"), snapshot_of(folder / "home")))
    os.chdir(folder)

(here, *files_here), (there, *files_there) = results
different = 0
for (method, params, a), (_, _, b) in zip(here, there):
    if a != b:
        different += 1
        print("DIFFERENT", method, params, "\n  here ", str(a)[:1500], "\n  there", str(b)[:1500])
for a, b in zip(files_here, files_there):
    for path in sorted(a.keys() | b.keys()):
        if a.get(path) != b.get(path):
            different += 1
            print("DIFFERENT FILE", path, len(a.get(path, b"")), len(b.get(path, b"")), str(b.get(path))[:300])
print("written", len(files_there[0]), "different", different)
print("temporary", len(list((folder / "tmp").iterdir())))
left = [path for path in (folder / "cache").rglob("*") if "/sessions/" in str(path)]
print("left of the session", len(left))
