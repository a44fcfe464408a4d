"""An engine as it is on the far side of a slow link: frames take DELAY milliseconds each way, and the link can be cut.

usage: delaying_engine.py DELAY FOLDER ENGINE ARGS..
FOLDER/requests lists what came, a line each with its time in ms, its id, method and parameters, and FOLDER/replies the ids of
those that were answered, with time and size; while FOLDER/down exists, nothing goes either way, and the client is told so; `link/retry` removes it.
"""
import json
import os
import queue
import subprocess
import sys
import threading
import time

delay, folder, command = float(sys.argv[1]) / 1000, sys.argv[2], sys.argv[3:]
down = os.path.join(folder, "down")
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
lock = threading.Lock()


def frames(stream):
    while True:
        length = None
        while True:
            line = stream.readline()
            if not line:
                return
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        yield stream.read(length)


def write(stream, body):
    try:
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()
    except OSError:
        pass


def say(message):
    with lock:
        write(sys.stdout.buffer, json.dumps({"jsonrpc": "2.0", **message}).encode())


def log(name, line):
    with open(os.path.join(folder, name), "a") as file:
        file.write(line + "\n")


def link(state, **more):
    say({"method": "link/state", "params": {"host": "gpu1", "state": state, "text": f"The link is {state}.", "since_ms": 0, "waiting": 0, **more}})


def later(source, sink):
    """Forwards each frame when its time has come, and the link is there."""
    waiting = queue.Queue()

    def forward():
        while True:
            due, body = waiting.get()
            time.sleep(max(0, due - time.monotonic()))
            while os.path.exists(down):
                time.sleep(0.01)
            if body is None:
                return engine.stdin.close() if sink is engine.stdin else os._exit(engine.wait())
            with lock if sink is sys.stdout.buffer else threading.Lock():
                write(sink, body)
            message = json.loads(body)
            if sink is sys.stdout.buffer and "id" in message:
                log("replies", f"{time.monotonic() * 1000:.0f} {message['id']} {len(body)} bytes")

    threading.Thread(target=forward, daemon=True).start()
    for body in frames(source):
        message = json.loads(body)
        if message.get("method") == "link/retry":
            if os.path.exists(down):
                os.remove(down)
            continue
        if sink is engine.stdin and "id" in message:
            log("requests", f"{time.monotonic() * 1000:.0f} {message['id']} {message.get('method')} {json.dumps(message.get('params'))[:160]}")
        waiting.put((time.monotonic() + delay, body))
    waiting.put((time.monotonic(), None))


def watch():
    was_down = False
    while True:
        is_down = os.path.exists(down)
        if is_down != was_down:
            link("down", waiting=3) if is_down else link("up")
        was_down = is_down
        time.sleep(0.02)


link("connecting")
link("up")
threading.Thread(target=watch, daemon=True).start()
threading.Thread(target=later, args=(engine.stdout, sys.stdout.buffer), daemon=True).start()
later(sys.stdin.buffer, engine.stdin)
engine.wait()
