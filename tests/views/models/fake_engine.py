#!/usr/bin/env python3
"""A small engine for tests of the client: canned answers, and ways to misbehave.

usage: fake_engine.py [MODE]   banner: noise before the first message; version: speaks another
version; deaf: never answers; crash-step: kills itself with SIGSEGV in the second step, unless a
limit stops before it; crash-open: dies whenever a file is opened; crash-expendable: dies of a file where
the client says that it may; crash-scene: dies whenever a
graph is asked for
"""
import json
import os
import signal
import sys
import threading

mode = sys.argv[1] if len(sys.argv) > 1 else ""
out = sys.stdout.buffer


def write(message, chunk=0):
    data = json.dumps(dict(message, jsonrpc="2.0"), ensure_ascii=False).encode()
    frame = b"Content-Length: %d\r\n\r\n" % len(data) + data
    for i in range(0, len(frame), chunk or len(frame)):
        out.write(frame[i : i + (chunk or len(frame))])
        out.flush()


def notify(method, params):
    write({"method": method, "params": params})


def read():
    length = None
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line.strip() == b"" and length is not None:
            return json.loads(sys.stdin.buffer.read(length))
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])


def step(i):
    return {
        "index": i, "name": f"step {i}", "pass": f"pass-{i}", "options": "",
        "pipeline": f"builtin.module(pass-{i})", "teaches": "", "milliseconds": 1.5,
        "changed": i != 1, "failed": False, "op_delta": {"linalg.fill": -i}, "diagnostics": [],
    }


def record(params):
    if params.get("pipeline") == "typo":
        raise ValueError("unknown pass 'typo'; did you mean 'type'?")
    steps = []
    for i in range(min(3, params.get("limit", 3))):
        notify("step/started", {"index": i, "total": 3, "name": f"step {i}", "pass": f"pass-{i}",
                                "pipeline": f"builtin.module(pass-{i})"})
        if mode == "crash-step" and i == 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        if mode == "hang-step" and i == 1:
            threading.Event().wait()
        steps.append(step(i))
        notify("step/finished", steps[-1])
    return {"steps": steps, "failed": False}


def answer(method, params):
    if method == "initialize":
        if mode == "version":
            raise ValueError("this engine speaks version 2 of the protocol")
        return {"version": 1, "engine": "fake", "mlir": "none", "pid": os.getpid()}
    if method == "document/open":
        if mode == "crash-open" or (mode == "crash-expendable" and params.get("expendable")):
            os.kill(os.getpid(), signal.SIGKILL)
        if "bad" in params["path"]:
            raise ValueError("expected an operation")
        return {"path": params["path"], "name": "fake", "functions": ["f"], "ops": 3, "lines": 5,
                "bytes": 100, "diagnostics": []}
    if method == "graph/scene" and mode == "crash-scene":
        os.kill(os.getpid(), signal.SIGSEGV)
    if method == "pipeline/record":
        return record(params)
    if method == "text/lines":
        total = 100000
        first, count = params["first"], params["count"]
        return {"first": first, "total": total,
                "lines": [f"line {i} µ" for i in range(first, min(total, first + count))]}
    if method == "run/start":
        threading.Event().wait(None if mode == "hang-run" else 0.2)
        return {"device": params.get("device", "host"), "function": "f", "kernels": [], "outputs": [], "ok": True}
    return {}


if mode == "banner":
    out.write(b"Welcome to the machine\nLast login: today\n\n")
    out.flush()
print("fake engine is up", file=sys.stderr, flush=True)
methods = {}
while True:
    request = read()
    if request.get("method") == "$/cancel":
        notify("log", {"severity": "cancelled", "message": methods.get(request["params"].get("id"), "whatever runs")})
    if mode == "deaf" or "id" not in request:
        continue
    methods[request["id"]] = request["method"]
    try:
        reply = {"id": request["id"], "result": answer(request["method"], request.get("params", {}))}
    except ValueError as error:
        diagnostic = {"severity": "error", "message": str(error), "file": "bad.mlir", "line": 3, "column": 7,
                      "notes": [{"severity": "note", "message": "see here", "file": "bad.mlir", "line": 1, "column": 1}]}
        reply = {"id": request["id"], "error": {"code": -32000, "message": str(error),
                                                "data": {"diagnostics": [diagnostic]}}}
    write(reply, chunk=7 if mode == "banner" else 0)
    if request["method"] == "shutdown":
        sys.exit(0)
