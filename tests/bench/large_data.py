#!/usr/bin/env python3
"""Opens text with much data beside the same text without it: seconds of CPU time and in all, and peak of memory.

  large_data.py FUSELAGE [MIB] [FORM ...]     MIB of data, 1024 unless said; forms: all of FORMS unless said

Text of 1 GiB of data has 2 GiB; it is written to $TMPDIR (else /var/tmp) and read once before it is measured, so that
the disk plays no part. Exit status: 1 if a command takes over twice the memory that it takes without the data, or over
10 s of CPU time more. Not part of ./dev test.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

FORMS = ["resource", "arith", "stablehlo", "generic", "split"]
COMMANDS = ["graph", "explain", "step"]
BLOB_MIB = 16
MOST_SECONDS, MOST_MEMORY = 10, 2.0
TYPE = f"tensor<1024x{BLOB_MIB << 8}xf32>"
SEED = random.Random(1).randbytes(1 << 16)


def digits(number):
    """Floats that differ from blob to blob and are no splat."""
    block = bytearray((byte * (2 * number + 1) + number) & 0xFF for byte in SEED)
    block[3::4] = b"\x3c" * (len(block) // 4)
    return bytes(block).hex().upper().encode() * ((BLOB_MIB << 20) // len(block))


def constant(form, number):
    if form == "resource":
        return f"arith.constant dense_resource<w{number}> : {TYPE}".encode()
    literal = b'dense<"0x' + digits(number) + b'"> : ' + TYPE.encode()
    if form == "stablehlo":
        return b"stablehlo.constant " + literal
    if form == "generic":
        return b'"stablehlo.constant"() <{value = ' + literal + b"}> : () -> " + TYPE.encode()
    return b"arith.constant " + literal


def function(form, name, numbers):
    yield f"func.func @{name}(%x: {TYPE}) -> {TYPE} {{\n  %e = tensor.empty() : {TYPE}\n".encode()
    last = "%x"
    for number in numbers:
        yield f"  %w{number} = ".encode() + constant(form, number) + b"\n"
        yield (f"  %a{number} = linalg.add ins({last}, %w{number} : {TYPE}, {TYPE}) outs(%e : {TYPE}) -> {TYPE}\n"
               f"  %r{number} = linalg.tanh ins(%a{number} : {TYPE}) outs(%e : {TYPE}) -> {TYPE}\n").encode()
        last = f"%r{number}"
    yield f"  return {last} : {TYPE}\n}}\n".encode()


def write(path, form, blobs):
    """`blobs` constants; a form of None has none of their data."""
    with open(path, "wb") as file:
        halves = [range(blobs // 2), range(blobs // 2, blobs)] if form == "split" else [range(blobs)]
        for number, half in enumerate(halves):
            file.writelines([b"// -----\n"] if number else [])
            file.writelines(function(form or "resource", f"f{number}", half))
        if form in (None, "resource"):
            file.write(b"{-#\n  dialect_resources: {\n    builtin: {\n")
            for number in range(blobs):
                data = digits(number) if form else b"00000000"
                file.write(f'      w{number}: "0x40000000'.encode() + data + b'"' + b"," * (number + 1 < blobs) + b"\n")
            file.write(b"    }\n  }\n#-}\n")


def measure(program, command, path):
    """Seconds of CPU time and in all, and the peak of resident memory in MiB, children included."""
    start = time.monotonic()
    child = subprocess.Popen([program, command, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"large_data: fuselage {command} {path} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, mib = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    blobs, isWorse = max(mib // BLOB_MIB, 2), False
    print(f"{'':24}{'with data: CPU':>14}{'in all':>10}{'peak':>12}{'without: CPU':>16}{'in all':>10}{'peak':>12}")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        bare, text = pathlib.Path(folder, "bare.mlir"), pathlib.Path(folder, "text.mlir")
        write(bare, None, blobs)
        without = {command: measure(program, command, bare) for command in COMMANDS}
        for form in sys.argv[3:] or FORMS:
            write(text, form, blobs)
            for command in COMMANDS:
                cpu, wall, memory = measure(program, command, text)
                least_cpu, least_wall, least_memory = without[command]
                isBad = cpu > least_cpu + MOST_SECONDS or memory > MOST_MEMORY * least_memory
                isWorse |= isBad
                print(f"{form:12}{command:12}{cpu:12.2f} s{wall:8.2f} s{memory:8.0f} MiB{least_cpu:14.2f} s"
                      f"{least_wall:8.2f} s{least_memory:8.0f} MiB{'   too much' if isBad else ''}", flush=True)
    sys.exit(1 if isWorse else 0)


main()
