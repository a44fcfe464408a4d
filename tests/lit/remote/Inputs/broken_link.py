"""A command as `ssh host`, whose link is slow and breaks.

usage: broken_link.py [--delay MS] [--cuts FILE] [--damage] COMMAND.. SCRIPT

Runs the command with its last argument. FILE has numbers, one a line: each connection takes one and breaks when so many
bytes have gone either way; connections after the last one hold. With --damage, a byte is changed instead.
"""
import os
import select
import subprocess
import sys
import time

arguments = sys.argv[1:]
delay, cuts, damages = 0.0, None, False
while arguments[0].startswith("--"):
    option = arguments.pop(0)
    if option == "--delay":
        delay = int(arguments.pop(0)) / 1000
    elif option == "--cuts":
        cuts = arguments.pop(0)
    else:
        damages = True

left = None
if cuts and os.path.exists(cuts):
    numbers = open(cuts).read().split()
    if numbers:
        left = int(numbers[0])
        open(cuts, "w").write("\n".join(numbers[1:]))
process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
ways = {0: process.stdin.fileno(), process.stdout.fileno(): 1}
waiting = []  # (when, to, bytes), in order of time for each way
while True:
    timeout = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    for fd in select.select(list(ways), [], [], timeout)[0]:
        data = os.read(fd, 65536)
        if not data:
            for _, to, late in waiting:
                os.write(to, late)
            process.stdin.close()
            sys.exit(process.wait())
        if left is not None and left < len(data):
            if not damages:
                os.write(ways[fd], data[:left])
                process.kill()
                os._exit(255)
            data = data[:left] + bytes([data[left] ^ 0x55]) + data[left + 1 :]
            left = None
        elif left is not None:
            left -= len(data)
        waiting.append((time.monotonic() + delay, ways[fd], data))
    while waiting and waiting[0][0] <= time.monotonic():
        _, to, data = waiting.pop(0)
        while data:
            try:
                data = data[os.write(to, data) :]
            except BrokenPipeError:
                process.kill()
                os._exit(255)
