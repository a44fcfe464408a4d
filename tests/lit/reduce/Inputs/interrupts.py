"""Calls IR with a math.log bad. Presses Ctrl-C at the sixth call, the second
after the command was asked four times of the whole. `interrupts.py COUNTS IR`"""
import os
import pathlib
import signal
import sys

counts = pathlib.Path(sys.argv[1])
calls = int(counts.read_text()) + 1 if counts.exists() else 1
counts.write_text(str(calls))
if calls == 6:
    os.kill(os.getppid(), signal.SIGINT)
sys.exit("math.log" in pathlib.Path(sys.argv[2]).read_text())
