"""A command whose login prints something, on both outputs, and then runs its last argument."""
import os
import sys

print("Welcome to box!\nfuselage is great\n\nLast login: never")
print("a warning", file=sys.stderr)
sys.stdout.flush()
os.execvp("sh", ["sh", "-c", sys.argv[-1]])
