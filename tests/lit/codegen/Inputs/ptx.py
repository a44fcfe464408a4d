"""Prints the PTX of the gpu.binary ops of a module on stdin."""

import re
import sys


def unescape(text):
    text = re.sub(rb"\\([0-9A-Fa-f]{2})", lambda code: bytes.fromhex(code[1].decode()), text)
    return text.replace(rb"\\", b"\\").rstrip(b"\0")


for kernel in re.findall(rb'"((?:[^"\\]|\\.)*\.version(?:[^"\\]|\\.)*)"', sys.stdin.buffer.read()):
    sys.stdout.buffer.write(unescape(kernel))
