"""What a hostile host can do to the near side: nothing is written here, memory stays bounded, and it ends when it is asked to.

usage: hostile.py FOLDER
"""
import os
import pathlib
import select
import sys
import time

from engine_client import python_command, remote_engine

folder = pathlib.Path(sys.argv[1])
for name in ("home", "work", "tmp"):
    (folder / name).mkdir()
os.environ.update(HOME=str(folder / "home"), TMPDIR=str(folder / "tmp"), XDG_DATA_HOME=str(folder / "home/data"))
os.chdir(folder / "work")


def files():
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def memory(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) >> 10


for mode in ("silent", "lines", "bytes", "huge", "noise", "long", "lies"):
    before = files()
    engine = remote_engine(python_command("hostile_host.py", mode), cache=str(folder / "cache"))
    first = engine.request("initialize", version=1)
    told = "nothing"
    largest, until = 0, time.monotonic() + (12 if mode == "long" else 4)
    while told == "nothing" and time.monotonic() < until:
        if engine.process.poll() is None:
            largest = max(largest, memory(engine.process) or 0)
        while told == "nothing" and select.select([engine.process.stdout], [], [], 0.1)[0]:
            try:
                message = engine.read()
            except (ValueError, RecursionError):
                continue  # no JSON: clients say so in their log
            if message is None:
                told = "the end"
            elif message.get("id") == first:
                told = message.get("result") or message["error"]["message"].removeprefix("cannot reach box: ")
            elif message.get("method") == "link/state" and message["params"]["state"] == "down":
                told = message["params"]["text"].split(";")[0]
    start = time.monotonic()
    engine.process.stdin.close()
    engine.process.stdout.read()
    engine.process.wait()
    print(mode, "told", told, "| ended in time", time.monotonic() - start < 15, "| memory", "bounded" if largest < 900 else f"{largest} MB",
          "| written", sorted(each for each in files() - before if not each.startswith("cache")))
print("evil", [str(each) for each in folder.rglob("*evil*")] + [each for each in os.listdir("/tmp") if each == "evil-of-fuselage"])
