"""Another compiler on the other side of a link: what it is started with is what was typed, and its steps come back.

usage: tool.py FOLDER SAMPLES TOOL
TOOL stands for the compiler; a script before it notes what it was started with.
"""
import os
import pathlib
import shutil
import sys
import time

from engine_client import local_engine, remote_engine

folder, samples, tool = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
os.chdir(folder)
os.environ["XDG_DATA_HOME"] = str(folder / "data")
name = "a model; $(touch evil) `touch evil`.mlir"
shutil.copy(samples / "softmax.mlir", name)
noting = folder / "noting"
noting.write_text(f'#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done >>"{folder}/words"\necho end >>"{folder}/words"\nexec {tool} "$@"\n')
noting.chmod(0o755)


def steps(engine, command):
    opened = engine.call("tool/start", path=name, command=command)
    if "code" in opened:
        return opened["message"]
    names = [each["name"] for each in opened["steps"]]
    while True:
        progress = engine.call("tool/poll")
        names[progress["first"]:] = [each["name"] for each in progress["steps"]]
        if not progress["running"]:
            return names, progress["problem"], os.path.basename(opened["path"])
        time.sleep(0.05)


def words():
    text = pathlib.Path("words").read_text() if os.path.exists("words") else ""
    pathlib.Path("words").unlink(missing_ok=True)
    runs = [run.splitlines() for run in text.split("end\n") if run]
    return [[os.path.basename(word) if name in word else word for word in run] for run in runs]


command = f"{noting} --mlir-print-ir-after-all '--canonicalize' \"--cse\" {{}}"
results = {}
for where, engine in (("here", local_engine()), ("there", remote_engine("sh -c", cache=str(folder / "cache")))):
    engine.call("initialize", version=1)
    got = steps(engine, command)
    results[where] = got, words()
    print(where, "steps", len(got[0]) > 1, "problem", repr(got[1]), "runs", len(results[where][1]))
    for wrong in (f"{noting} $(touch evil) {{}}", f"{noting} --canonicalize {{}} | touch evil", f"{noting} --canonicalize {{}}; touch evil",
                  "no-such-compiler {}"):
        said = steps(engine, wrong)
        print(where, "refused", said if isinstance(said, str) else said[:2])
    words()
    engine.call("shutdown")
    engine.close()
print("same", results["here"] == results["there"])
if results["here"] != results["there"]:
    print(results)
print("evil", [str(each) for each in folder.rglob("evil")])
