"""How often a client waits for a slow link: once for any number of requests, and once to open a small file.

usage: round_trips.py FOLDER SAMPLES
"""
import os
import pathlib
import shutil
import sys
import time

from engine_client import local_engine, python_command, remote_engine

folder, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)
shutil.copy(samples / "softmax.mlir", folder)
DELAY = 0.5  # each way: what the engine itself takes is little beside it


def open_file(engine):
    return [engine.request("document/open", path="softmax.mlir")]


def record(engine):
    return [engine.request("pipeline/record")]


def step(engine):
    return [engine.request("text/lines", snapshot=1, first=0, count=80), engine.request("step/diff", step=0),
            engine.request("graph/scene", snapshot=1, packed=True), engine.request("step/graphDiff", step=0),
            engine.request("graph/outline", snapshot=1)]


def save(engine):
    return [engine.request("text/save", snapshot=1, path="saved.mlir")]


def times(engine):
    engine.call("initialize", version=1)
    taken = []
    for ask in (open_file, record, step, save):
        began = time.monotonic()
        for number in ask(engine):
            assert "code" not in engine.reply(number)
        taken.append(time.monotonic() - began)
    engine.call("shutdown")
    return taken


here = times(local_engine())
there = times(remote_engine(python_command("broken_link.py", "--delay", int(DELAY * 1000), "sh -c"), cache=str(folder / "cache")))
for name, a, b in zip(("open", "record", "step", "save"), here, there):
    print(name, "round trips", round((b - a) / (2 * DELAY)))
