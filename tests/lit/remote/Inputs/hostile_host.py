"""A command as `ssh host`, whose other side is hostile.

usage: hostile_host.py MODE SCRIPT
"""
import json
import os
import struct
import sys
import time
import zlib

mode = sys.argv[1]
out = sys.stdout.buffer


def say(data):
    out.write(data)
    out.flush()


def frame(kind, number, payload=b""):
    head = b"FL" + kind + b"\0" + struct.pack("<IQ", len(payload), number)
    return head + struct.pack("<I", zlib.crc32(payload, zlib.crc32(head)) if payload else zlib.crc32(head)) + payload


numbers = 0


def message(kind, text, ending=b"."):
    global numbers
    numbers += 1
    say(frame(b"D", numbers, kind + ending + text))


def note(kind, body=b"", **header):
    message(kind, json.dumps(header).encode() + b"\n" + body)


def forever(data):
    try:
        while True:
            say(data)
    except OSError:
        sys.exit(0)


def requests():
    """Ids of the requests as they come, by their text: the frames are not taken apart."""
    seen = b""
    while data := os.read(0, 65536):
        seen += data
        while (at := seen.find(b'"id":')) >= 0:
            digits = seen[at + 5:at + 15].split(b",")[0].split(b"}")[0].strip()
            seen = seen[at + 5:]
            if digits.isdigit():
                yield int(digits)


if mode == "silent":
    time.sleep(600)
if mode == "lines":
    forever(b"Welcome!\n" * 1000)
if mode == "bytes":
    forever(os.urandom(4096).replace(b"\n", b"."))
say(b"\nfuselage-link ready\n")
if mode == "huge":
    say(b"FLD\0" + b"\xff" * 12)
    forever(b"\xff" * 65536)
say(frame(b"H", 0, b"1"))
if mode == "noise":
    forever(os.urandom(4096))
if mode == "long":
    try:
        while True:
            message(b"M", b" " * 65000, b"+")
    except OSError:
        sys.exit(0)
# "lies"
evil = ["../../evil", "/tmp/evil-of-fuselage", os.path.join(os.environ["HOME"], "evil")]
for path in ["", "/", "..", evil[0]]:
    note(b"S", folder=path)
for number in range(-2, 6):
    note(b"O", b"evil", id=number, offset=0, isLast=True, path=evil[0], at=evil[1])
for offset in (0, -1, 1 << 62):
    note(b"Q", hash="0" * 64, offset=offset)
note(b"Q", hash="../../../etc/passwd", offset=0)
message(b"O", b"no header")
message(b"?", b"unknown")
message(b"M", b"no json")
message(b"M", b'{"id":' + b"[" * 100000)
for number in (7, 99, "x", None, -1, 1 << 70):
    message(b"M", json.dumps({"jsonrpc": "2.0", "id": number, "result": {"path": evil[1]}}).encode())
message(b"L", b"\x1b]0;title\x07 a line for the log\n")
for number in requests():
    message(b"M", json.dumps({"id": number, "jsonrpc": "2.0", "result": {"answer": number}}).encode())
