#!/usr/bin/env python3
"""How long the engine takes for what J and K show of each recorded step.

  each_step.py FUSELAGE MODEL

Records the default pipeline, then asks for every step as the window does (what changed, the graph, a screen of text, the
outline), forth and back. Printed are the longest times until the graph is there, and until all is: for the first time,
when the window has drawn the step beforehand while the one before it was on screen, and for the second.
"""
import json
import os
import sys
import time

from cancel import Engine


def times_of(engine, steps):
    longest = [0, 0]
    for number, step in steps:
        start = time.monotonic()
        snapshot = step["after"]
        engine.call("step/graphDiff", step=number)
        engine.call("graph/scene", snapshot=snapshot, packed=True)
        longest[0] = max(longest[0], time.monotonic() - start)
        engine.call("text/lines", snapshot=snapshot, first=0, count=100)
        engine.call("graph/outline", snapshot=snapshot, judge=False)
        longest[1] = max(longest[1], time.monotonic() - start)
    return "graph {:.0f} ms, all {:.0f} ms".format(*(seconds * 1e3 for seconds in longest))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    engine = Engine(sys.argv[1])
    engine.call("document/open", path=os.path.abspath(sys.argv[2]))
    reply = json.loads(engine.call("pipeline/record"))["result"]
    steps = [(number, step) for number, step in enumerate(reply["steps"]) if step["changed"]]
    print(f"{len(steps)} steps that change anything")
    print("first time: ", times_of(engine, steps))
    print("again, back:", times_of(engine, steps[::-1]))
    engine.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
