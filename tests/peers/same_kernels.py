#!/usr/bin/env python3
"""Compares the kernels that two builds of Fuselage generate, byte by byte.

For each file, device and dispatch: the text of `fuselage kernel --bare` (PTX, SPIR-V; with --host also assembly). Kernels of
the first build can be kept in a folder (--keep), so that later comparisons compile only the second one. Prints one line for
each kernel that differs, then the count. Exits 1 if a kernel differs or only one build can compile it.

    python3 tests/peers/same_kernels.py --before OLD/fuselage --after build/release/bin/fuselage [--keep DIR] [FILE..]
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICES = sorted(path.stem for path in (ROOT / "resources/devices").glob("*.json") if path.stem != "host")
NO_TUNING = dict(os.environ, XDG_DATA_HOME="/nonexistent")


def run(command, seconds):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=NO_TUNING)
    except subprocess.TimeoutExpired:
        return None, f"took more than {seconds} s"
    return (done.stdout, done.stderr) if done.returncode == 0 else (None, done.stderr.strip())


def dispatch_count(tool, file):
    """The number of dispatches of a file: without --dispatch, `kernel` lists them."""
    text, error = run([tool, "kernel", file, "--target", "spirv", "--stage", "none"], 120)
    if text is not None:
        return 1
    listed = re.search(r"those that there are: (.*)", error)
    return len(re.findall(r"(?:^|, )\d+ ", listed.group(1))) if listed else 0


def target(device):
    return ["--target", "host", "--stage", "asm"] if device == "host" else ["--target-device", device]


def kernel(tool, file, number, device):
    text, error = run([tool, "kernel", file, "--dispatch", str(number), *target(device), "--bare"], 120)
    return text if text is not None else "refused: " + error


def kept(folder, tool, file, number, device):
    """The kernel from `folder`, compiled once. The key is the file's content, not its place."""
    content = hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()[:24]
    path = folder / f"{content}-{number}-{device}"
    if not path.exists():
        path.write_text(kernel(tool, file, number, device))
    return path.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, help="the first build's fuselage")
    parser.add_argument("--after", help="the second build's; without it, only --keep is filled")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the first build's kernels")
    parser.add_argument("--device", action="append", help="a device or its file; default: all known GPUs")
    parser.add_argument("--host", action="store_true", help="host assembly, too")
    parser.add_argument("--most", type=int, default=64, help="dispatches of a file (default: 64)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = options.files or sorted(str(path) for path in (ROOT / "samples").glob("**/*.mlir"))
    devices = (options.device or DEVICES) + (["host"] if options.host else [])
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)

    def compare(case):
        file, number, device = case
        before = kept(options.keep, options.before, *case) if options.keep else kernel(options.before, *case)
        return case, not options.after or before == kernel(options.after, *case)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        counts = list(pool.map(lambda file: min(dispatch_count(options.before, file), options.most), files))
        cases = [(file, number, device) for file, count in zip(files, counts) for number in range(count) for device in devices]
        differing = [case for case, same in pool.map(compare, cases) if not same]
    for file, number, device in differing:
        print(f"differs: {file} dispatch {number} for {device}")
    print(f"{len(cases)} kernels of {len(files)} files for {len(devices)} devices, {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
