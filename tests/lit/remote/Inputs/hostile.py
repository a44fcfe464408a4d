"""What a hostile host can do to the near side: nothing is written here, memory stays bounded, and it ends when it is asked to.

usage: hostile.py FOLDER
"""
import os
import pathlib
import queue
import sys
import threading
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


def listen(engine, messages):
    while True:
        try:
            message = engine.read()
        except (ValueError, RecursionError):
            continue  # no JSON: clients say so in their log
        messages.put(message)
        if message is None:
            return


def told_by(message, first):
    """What a message says of the first request; empty: nothing."""
    if message is None:
        return "the end"
    if message.get("id") == first:
        return message.get("result") or message["error"]["message"].removeprefix("cannot reach box: ")
    if message.get("method") == "link/state" and message["params"]["state"] == "down":
        return message["params"]["text"].split(";")[0]
    return ""


for mode in ("silent", "lines", "bytes", "huge", "noise", "long", "lies"):
    before = files()
    engine = remote_engine(python_command("hostile_host.py", mode), cache=str(folder / "cache"))
    first = engine.request("initialize", version=1)
    messages = queue.Queue()
    listener = threading.Thread(target=listen, args=(engine, messages))
    listener.start()
    told, largest, until = "", 0, time.monotonic() + (4 if mode == "silent" else 60)
    while not told and time.monotonic() < until:
        if engine.process.poll() is None:
            largest = max(largest, memory(engine.process) or 0)
        try:
            told = told_by(messages.get(timeout=0.1), first)
        except queue.Empty:
            pass
    start = time.monotonic()
    engine.process.stdin.close()
    listener.join()
    engine.process.wait()
    print(mode, "told", told or "nothing", "| ended in time", time.monotonic() - start < 15, "| memory", "bounded" if largest < 900 else f"{largest} MB",
          "| written", sorted(each for each in files() - before if not each.startswith("cache")))
print("evil", [str(each) for each in folder.rglob("*evil*")] + [each for each in os.listdir("/tmp") if each == "evil-of-fuselage"])
