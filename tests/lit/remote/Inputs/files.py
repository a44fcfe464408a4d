"""Files over a link: one whose hash is not that of its content, one that is cancelled on the way, one that another session
goes on with, a journal that grows on the other side, and an output that cannot be written.

usage: files.py FOLDER SAMPLES
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import signal
import sys
import time

from engine_client import python_command, remote_engine

folder, samples = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)
os.environ["XDG_DATA_HOME"] = str(folder / "data")
cache, remote = str(folder / "cache"), folder / "cache/fuselage/remote"
shutil.copy(samples / "softmax.mlir", folder)
content = os.urandom(1 << 20) * 12
pathlib.Path("large.bin").write_bytes(content)
os.utime("large.bin", (1_000_000, 1_000_000))


def start(command="sh -c", *options):
    engine = remote_engine(command, *options, cache=cache)
    engine.call("initialize", version=1)
    return engine


# A hash that is remembered, and is another one than the content has.
engine = start()
engine.call("document/open", path="large.bin")
engine.close()
shutil.rmtree(remote / "files")
true_hash = hashlib.sha256(content).hexdigest()
hashes = (remote / "hashes").read_text()
wrong_hash = "0" * 8 + true_hash[8:]
(remote / "hashes").write_text(hashes.replace(true_hash, wrong_hash))
engine = start()
reply = engine.call("document/open", path="large.bin")
print("wrong hash", reply["message"].replace(true_hash, "TRUE").replace(wrong_hash, "WRONG"))
print("kept", len(list((remote / "files").iterdir())), len(list((remote / "parts").iterdir())))
print("then", "functions" in engine.call("document/open", path="softmax.mlir"), engine.close())
(remote / "hashes").unlink()

# Cancelled while it is sent: what was asked for later does not wait.
engine = start(python_command("broken_link.py", "--delay", 60, "sh -c"), "--keep", "1")
first = engine.request("document/open", path="large.bin")
second = engine.request("document/open", path="softmax.mlir")
time.sleep(0.3)
engine.notify("$/cancel", id=first)
print("cancelled", engine.reply(first)["code"], "functions" in engine.reply(second))

# Killed while it is sent: another session goes on where it was.
other = os.urandom(1 << 20) * 40
pathlib.Path("other.bin").write_bytes(other)
engine.request("document/open", path="other.bin")
part = remote / "parts" / hashlib.sha256(other).hexdigest()
while not part.exists() or not part.stat().st_size:
    time.sleep(0.01)
engine.process.send_signal(signal.SIGKILL)
engine.process.wait()
print("part", 0 < part.stat().st_size < len(other))
with open(part) as file:  # the other end sees that its input has ended, and lets go of the file
    fcntl.flock(file, fcntl.LOCK_EX)
engine = start()
engine.call("document/open", path="other.bin")
stored = remote / "files" / hashlib.sha256(other).hexdigest()
print("resumed", stored.read_bytes() == other, part.exists(), engine.close())

# A folder of many files: no more than some are open at once.
os.mkdir("dumps")
for i in range(1500):
    pathlib.Path(f"dumps/{i:04}.mlir").write_text(f"module attributes {{number = {i}}} {{ func.func @f{i}() {{ return }} }}\n")
engine = start()
opened = engine.call("document/open", path="dumps")
print("folder", len(opened.get("steps", [])) or opened, engine.close())

# A journal grows on the other side, and comes back while it does.
engine = start()
engine.call("document/open", path="softmax.mlir")
engine.call("tune/start", dispatch="0", device="host", trials=4, rounds=3)
for _ in range(600):
    progress = engine.call("tune/poll")
    if not progress.get("running", False):
        break
    time.sleep(0.1)
time.sleep(1.5)
journal = folder / "data/fuselage/tuning.jsonl"
engine.call("pipeline/list")
print("trials", len(journal.read_text().splitlines()) > 2 if journal.exists() else progress, sorted(path.name for path in (folder / "data/fuselage").iterdir()))
read = engine.call("tune/journal")
print("read", len(read.get("trials", [])) > 0, read.get("path") == str(journal))
engine.close()

# Written to a place that cannot be written, and to one that there is no more when it comes back.
engine = start()
engine.call("document/open", path="softmax.mlir")
print("output", engine.call("text/save", snapshot=0, path="nowhere/x.mlir")["message"])
os.mkdir("ro.mlir")
print("output", engine.call("text/save", snapshot=0, path="ro.mlir")["message"])
os.symlink("/etc/passwd", "link.mlir") if os.getuid() else os.symlink(folder / "nothing", "link.mlir")
print("output", engine.call("text/save", snapshot=0, path="link.mlir")["message"])
print("pipeline", engine.call("pipeline/record", pipeline="snapshot-op-locations{filename=x.mlir}")["message"])
print("end", engine.close())
