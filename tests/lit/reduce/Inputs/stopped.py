"""Runs a command that may be stopped by Ctrl-C, and prints how it ended."""
import signal
import subprocess
import sys

signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit ignores it, and so would what it starts
print("ended with", subprocess.run(sys.argv[1:]).returncode)
