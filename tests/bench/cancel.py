#!/usr/bin/env python3
"""How long the engine takes from a cancel to its next reply, in the middle of everything that takes long.

  cancel.py FUSELAGE MODEL [ACTION ...]     actions: all of those below unless said

Each action is first let run to its end (at most 20 s), then cancelled after shares of that time. Printed are how long
it takes, and the longest time from `$/cancel` to the reply of a request that comes after it: the engine is idle then.
What does not stop is ended with its process by the window (EngineSession::cancel): that is not measured here.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

SHARES = (0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
MOST_SECONDS = 20


class Engine:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.last = 0
        self.call("initialize", version=1)

    def send(self, method, request=True, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            self.last += 1
            message["id"] = self.last
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.last

    def wait(self, number):
        while True:
            length = None
            while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
                length = int(line.split(b":")[1])
            if length is None:
                raise EOFError
            body = self.process.stdout.read(length)
            if b'"id":%d,' % number in body[:40] or b'"id":%d,' % number in body[-200:]:
                return body

    def call(self, method, **params):
        return self.wait(self.send(method, **params))

    def end(self):
        self.process.kill()
        self.process.wait()


def actions(model, folder):
    """Name: what comes before it, and the request."""
    opened = [("document/open", {"path": model})]
    recorded = opened + [("pipeline/record", {})]
    out = os.path.join(folder, "out")
    return {
        "open": ([], ("document/open", {"path": model})),
        "graph": (opened, ("graph/scene", {"snapshot": 0, "repeats": "expand", "packed": True})),
        "outline": (opened, ("graph/outline", {"snapshot": 0})),
        "text": (opened, ("text/find", {"snapshot": 0, "pattern": "(a|m).*(u|x)l.*z"})),
        "search": (opened, ("search/prepare", {"snapshot": 0})),
        "explain": (opened, ("fusion/report", {"snapshot": 0})),
        "fuse": (opened, ("fusion/fuse", {"snapshot": 0, "all": True, "check": "never"})),
        "fuse, checked": (opened, ("fusion/fuse", {"snapshot": 0, "all": True})),
        "step": (opened, ("pipeline/record", {})),
        "buffers": (opened, ("buffers/report", {"snapshot": 0})),
        "compare": (opened, ("compare/with", {"snapshot": 0, "path": model, "fuseAll": True})),
        "diff": (recorded, ("step/diff", {"step": 0})),
        "graph diff": (recorded, ("step/graphDiff", {"step": 0})),
        "rewrites": (recorded, ("step/rewrites", {"step": 0})),
        "export of the graph": (opened, ("graph/export", {"snapshot": 0, "path": out + ".svg", "repeats": "expand"})),
        "export of the steps": (recorded, ("step/export", {"path": out + ".html"})),
        "save": (opened, ("text/save", {"snapshot": 0, "path": out + ".mlir"})),
        "run": (opened, ("run/start", {"snapshot": 0, "device": "host", "repeat": 1})),
        "bisect": (opened, ("step/blame", {"pipeline": "canonicalize,cse"})),
    }


def measure(program, name, before, request):
    method, params = request
    whole, longest, stopped = None, 0, 0
    for share in (None, *SHARES):
        engine = Engine(program)
        try:
            for prepared, arguments in before:
                engine.call(prepared, **arguments)
            start = time.monotonic()
            number = engine.send(method, **params)
            if share is None:
                import select
                ready, _, _ = select.select([engine.process.stdout], [], [], MOST_SECONDS)
                if ready:
                    engine.wait(number)
                whole = min(time.monotonic() - start, MOST_SECONDS)
                continue
            time.sleep(whole * share)
            cancelled = time.monotonic()
            engine.send("$/cancel", request=False, id=number)
            after = engine.send("forms/help")
            reply = engine.wait(number)
            stopped += b"-32800" in reply or b'"cancelled"' in reply
            engine.wait(after)
            longest = max(longest, time.monotonic() - cancelled)
        finally:
            engine.end()
    print(f"{name:22} {whole * 1e3:8.0f} ms   cancelled {longest * 1e3:6.0f} ms   ended by it {stopped} of {len(SHARES)}", flush=True)


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        for name, (before, request) in actions(os.path.abspath(sys.argv[2]), folder).items():
            if not sys.argv[3:] or name in sys.argv[3:]:
                measure(sys.argv[1], name, before, request)
    return 0


if __name__ == "__main__":
    sys.exit(main())
