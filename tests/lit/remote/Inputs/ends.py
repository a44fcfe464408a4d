"""How sessions end: without an engine, without a machine, with an engine that dies, with a keeper that is gone, by a
signal, and by being left alone. What is left of each: no process, and no folder.

usage: ends.py FOLDER SAMPLES
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from engine_client import python_command, remote_engine

folder, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)
cache = str(folder / "cache")
shutil.copy(samples / "softmax.mlir", folder)


def processes():
    """The processes of sessions in this cache: each has it in its environment."""
    found = []
    for each in pathlib.Path("/proc").iterdir():
        try:
            if each.name.isdigit() and cache.encode() in (each / "environ").read_bytes():
                found.append((int(each.name), (each / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
        except OSError:
            pass
    return [(pid, line) for pid, line in found if "--far" in line or "serve" in line.split()[1:2]]


def left(patience=10):
    """What is left after a while."""
    sessions = folder / "cache/fuselage/remote/sessions"
    for _ in range(patience * 10):
        folders = list(sessions.iterdir()) if sessions.is_dir() else []
        if not processes() and not folders:
            break
        time.sleep(0.1)
    return f"left {len(processes())} processes {len(folders)} folders"


def show(label, engine, *parts):
    states = [state["state"] for state in engine.states()]
    print(label, *parts, "states", *(state for i, state in enumerate(states) if i == 0 or states[i - 1] != state), left())


# No engine: PATH has none, and neither has the cache.
tools = folder / "tools"
tools.mkdir()
for name in ("sh", "uname", "getconf"):
    (tools / name).symlink_to(shutil.which(name))
engine = remote_engine(f"env PATH={tools} sh -c", cache=cache)
error = engine.call("initialize", version=1)
state = engine.states()[-1]
show("missing", engine, error["message"], bool(state["arch"]), state["glibc"].split()[0], "code", engine.close())

# Another version on PATH is none.
(tools / "fuselage").write_text("#!/bin/sh\necho fuselage 0.0.1\n")
(tools / "fuselage").chmod(0o755)
engine = remote_engine(f"env PATH={tools} sh -c", cache=cache)
engine.call("initialize", version=1)
show("version", engine, "code", engine.close())

# An engine in the cache goes before that on PATH.
name = subprocess.check_output(["fuselage", "remote", "--engine-id"], text=True).strip()
place = folder / "cache/fuselage/engines" / name / "bin"
place.mkdir(parents=True)
(place / "fuselage").symlink_to(shutil.which("fuselage"))
engine = remote_engine(f"env PATH={tools} sh -c", cache=cache)
print("installed", engine.call("initialize", version=1)["version"], "code", engine.close())

engine = remote_engine("false")
show("refused", engine, engine.call("initialize", version=1)["message"], "code", engine.close())
engine = remote_engine("no-such-program")
show("nothing", engine, engine.call("initialize", version=1)["message"], "code", engine.close())

# A login that prints something first.
engine = remote_engine(python_command("chatty.py"), cache=cache)
print("chatty", engine.call("initialize", version=1)["version"], "code", engine.close())

# The engine dies: so does this process, of the same signal.
engine = remote_engine("sh -c", cache=cache)
engine.call("initialize", version=1)
engine.call("document/open", path="softmax.mlir")
pid = next(pid for pid, line in processes() if "--far" not in line)
os.kill(pid, signal.SIGSEGV)
print("died", "code", engine.process.wait(), left())

# Its keeper is gone: a machine that was restarted.
engine = remote_engine("sh -c", cache=cache)
engine.call("initialize", version=1)
for pid, line in processes():
    os.kill(pid, signal.SIGKILL)
print("gone", engine.reply(engine.request("pipeline/list")), "code", engine.process.wait())
shutil.rmtree(folder / "cache/fuselage/remote/sessions")

# Ended by a signal, with work under way.
engine = remote_engine("sh -c", cache=cache)
engine.call("initialize", version=1)
engine.call("document/open", path="softmax.mlir")
engine.request("pipeline/record")
engine.process.send_signal(signal.SIGTERM)
engine.process.wait()
print("ended", left())

# A client that goes away in the middle of a step.
engine = remote_engine("sh -c", cache=cache)
engine.call("initialize", version=1)
engine.call("document/open", path="softmax.mlir")
engine.request("pipeline/record")
engine.process.stdin.close()
engine.process.stdout.close()
engine.process.wait()
print("abandoned", left())

# Killed: the keeper waits, and ends itself.
arguments = json.dumps({"session": "ab" * 16, "new": True, "keep": 2}).encode().hex()
far = subprocess.Popen(["fuselage", "remote", "--far", arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                       env=dict(os.environ, XDG_CACHE_HOME=cache))
far.stdout.readline()
print("far", far.stdout.readline().decode().strip(), len(processes()) >= 2)
far.kill()
far.wait()
print("killed", left())

# All that came in is answered after the end of the input.
engine = remote_engine("sh -c", cache=cache)
numbers = [engine.request("initialize", version=1), engine.request("document/open", path="softmax.mlir"),
           engine.request("pipeline/record")]
engine.process.stdin.close()
print("answered", ["error" not in (engine.reply(number) or {"error": 1}) for number in numbers], engine.process.wait(), left())
