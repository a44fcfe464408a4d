#!/usr/bin/env python3
"""A worker of `fuselage tune --worker` whose trials sleep instead of computing: what there is to test of workers without a device.

A point costs what its values say, the same in every process, with --flat all the same; the baseline beside it costs 100 us. --sleep SECONDS is how long a trial
takes, and --launches how many times it has; --late: it says a moment later what device it has. What goes wrong, at the N-th trial of a process (from 1): --die N, --hang N, --nonsense N, --close N, --refuse N; with --once FILE only in the
first process that makes FILE. --version and --device are other ones than those of `fuselage`; --pid FILE says which process this is, --asked FILE what it
was asked.
"""
import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--sleep", type=float, default=0)
for what in ("die", "hang", "nonsense", "close", "refuse"):
    parser.add_argument("--" + what, type=int, default=0)
parser.add_argument("--once")
parser.add_argument("--version")
parser.add_argument("--device", default="Sleeper")
parser.add_argument("--late", action="store_true")
parser.add_argument("--flat", action="store_true")
parser.add_argument("--launches", type=int, default=10)
parser.add_argument("--pid")
parser.add_argument("--asked")
options = parser.parse_args()
if options.pid:
    with open(options.pid, "w") as file:
        file.write(str(os.getpid()))


def send(message, stream=sys.stdout.buffer):
    body = json.dumps(message).encode()
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()


def receive(stream=sys.stdin.buffer):
    length = None
    while (line := stream.readline()) not in (b"\r\n", b""):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(stream.read(length)) if length else None


# What the real engine says of itself and of the host is what we say, but for names.
with subprocess.Popen(["fuselage", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as real:
    send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"version": 1}}, real.stdin)
    send({"jsonrpc": "2.0", "id": 2, "method": "tune/worker", "params": {}}, real.stdin)
    greeting, device = receive(real.stdout)["result"], receive(real.stdout)["result"]
    real.stdin.close()
greeting["engine"] = options.version or greeting["engine"]
device.update(id="sleep", name=options.device, driver="1")


def goes_wrong(trial):
    wrong = next((what for what in ("die", "hang", "nonsense", "close", "refuse") if getattr(options, what) == trial), None)
    if wrong and options.once:
        try:
            os.close(os.open(options.once, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return None
    return wrong


def cost(point):
    if options.flat:
        return 100.0
    text = json.dumps(sorted(point.items())).encode()
    return 50 + int.from_bytes(hashlib.sha256(text).digest()[:2], "big") % 1000 / 10


trials = 0
while message := receive():
    if options.asked:
        with open(options.asked, "a") as file:
            print(message["method"], file=file)
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        answer["result"] = greeting
    elif message["method"] == "tune/worker":
        time.sleep(1.5 if options.late else 0)
        answer["result"] = device
    else:
        trials += 1
        point = message["params"]["point"]
        wrong = goes_wrong(trials)
        if wrong == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if wrong == "hang":
            time.sleep(1000)
        if wrong == "close":
            os.close(1)
            time.sleep(1000)
        if wrong == "nonsense":
            sys.stdout.buffer.write(b"Have a nice day\n\n")
            sys.stdout.buffer.flush()
            continue
        if wrong == "refuse":
            send({**answer, "error": {"code": -32000, "message": "no \x1bdevice"}})
            continue
        time.sleep(options.sleep)
        us = [cost(point)] * options.launches
        answer["result"] = {"status": "ok", "kernel": hashlib.sha256(json.dumps(point, sort_keys=True).encode()).hexdigest()[:16], "us": us,
                            "baseline_us": [100.0] * options.launches if "baseline" in message["params"] else []}
    send(answer)
