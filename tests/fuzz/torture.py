#!/usr/bin/env python3
"""torture.py FOLDER|FILE...: every command of fuselage on every module, as a user would call it.

A finding is an exit code other than 0, 1 and 2, a death by a signal, more seconds or memory than allowed, a
process that is left behind, a stack trace, or a failure that says nothing. A complaint about the input that
names no line is a note, which --lines makes a finding. The exit code is 1 if there was a finding.
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "graph": ["graph", "{file}"],
    "step": ["step", "{file}"],
    "explain": ["explain", "{file}"],
    "explain-conservative": ["explain", "{file}", "--policy", "conservative"],
    "fuse": ["fuse", "{file}", "--all"],
    "fuse-conservative": ["fuse", "{file}", "--all", "--policy", "conservative"],
    "clean-up": ["fuse", "{file}", "--clean-up"],
    "run": ["run", "{file}", "--repeat", "1", "--warmup", "0"],
    "run-device": ["run", "{file}", "--repeat", "1", "--warmup", "0", "--device", "{device}"],
    "tiles": ["tiles", "{file}"],
    "buffers": ["buffers", "{file}"],
    "kernel": ["kernel", "{file}", "--dispatch", "0", "--stage", "all"],
    "kernel-ptx": ["kernel", "{file}", "--dispatch", "0", "--target", "ptx"],
    "kernel-host": ["kernel", "{file}", "--dispatch", "0", "--target", "host"],
    "races": ["kernel", "{file}", "--check-races", "--operations", "20"],
    "tune": ["tune", "{file}", "--budget", "2", "--rounds", "1", "--time-limit", "10", "--tuned", "none"],
    "compare": ["compare", "{file}", "{file}"],
    "forms": ["schedule", "{file}", "--check-forms"],
}
TRACE = re.compile(r"PLEASE submit a bug report|Stack dump|Sanitizer|terminate called|LLVM ERROR|crashed with signal \d+|"
                   r"error: normalizing .*")
PLACE = re.compile(r":\d+:\d+|\blines? \d+")


def session_members(session):
    """The processes of a session that live, as a map from id to the fields of /proc/ID/stat."""
    members = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            members[int(entry)] = fields
    return members


def proportional_bytes(process):
    """What a process uses, pages that it shares with forked copies by their part."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    except OSError:
        return 0


def used_bytes(session, limit):
    members = session_members(session)
    resident = sum(int(fields[21]) for fields in members.values()) * os.sysconf("SC_PAGESIZE")
    return resident if resident < limit else sum(map(proportional_bytes, members))


def kill_session(session):
    for process in session_members(session):
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


class Outcome:
    def __init__(self, command, code, seconds, memory, errors, reason):
        self.command, self.code, self.seconds, self.memory, self.errors = command, code, seconds, memory, errors
        self.findings, self.notes = [], []
        if reason:
            self.findings.append(reason)
        elif code < 0:
            self.findings.append(f"dies of signal {-code} ({signal.Signals(-code).name})")
        elif code not in (0, 1, 2):
            self.findings.append(f"exit code {code}")
        elif code and not errors.strip():
            self.findings.append(f"exit code {code} without a word")
        if trace := TRACE.search(errors):
            self.findings.append(f"prints '{trace.group()}'")
        if code == 1 and not PLACE.search(errors):
            self.notes.append("names no line")


def run(arguments, options):
    with tempfile.TemporaryFile("w+b") as errors:
        start = time.monotonic()
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                   start_new_session=True)
        memory, reason = 0, None
        while process.poll() is None and not reason:
            seconds = time.monotonic() - start
            memory = max(memory, used_bytes(process.pid, options.gib << 30))
            if seconds > options.seconds:
                reason = f"takes more than {options.seconds} s"
            elif memory > options.gib << 30:
                reason = f"takes more than {options.gib} GiB"
            time.sleep(0.005 if seconds < 0.5 else 0.05)
        if not reason and session_members(process.pid):
            time.sleep(0.2)
            if left := session_members(process.pid):
                reason = f"leaves {len(left)} process(es) behind"
        kill_session(process.pid)
        code = process.wait()
        seconds = time.monotonic() - start
        errors.seek(0)
        text = errors.read(1 << 20).decode(errors="replace")
    return Outcome(arguments[1:], code, seconds, memory, text, reason)


def files_of(paths):
    for path in paths:
        if os.path.isdir(path):
            names = sorted(os.listdir(path))
            yield from (os.path.join(path, name) for name in names if name.endswith((".mlir", ".mlirbc")))
        else:
            yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="FOLDER|FILE")
    parser.add_argument("--fuselage", default="fuselage", help="the program (default: fuselage, on PATH)")
    parser.add_argument("--only", help=f"some commands, comma-separated, of {','.join(COMMANDS)}")
    parser.add_argument("--device", default="vulkan:0", help="of run-device (default: vulkan:0)")
    parser.add_argument("--seconds", type=int, default=40, help="that a command may take (default: 40)")
    parser.add_argument("--gib", type=int, default=4, help="memory that it may take (default: 4)")
    parser.add_argument("--lines", action="store_true", help="a complaint that names no line is a finding, too")
    parser.add_argument("-v", "--verbose", action="store_true", help="also print what each says")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(COMMANDS)
    for name in names:
        if name not in COMMANDS:
            parser.error(f"there is no command '{name}'; the commands are {', '.join(COMMANDS)}")
    findings = notes = ran = 0
    for file in files_of(options.paths):
        for name in names:
            arguments = [part.format(file=file, device=options.device) for part in COMMANDS[name]]
            outcome = run([options.fuselage, *arguments], options)
            ran += 1
            wrong = outcome.findings + (outcome.notes if options.lines else [])
            findings += bool(wrong)
            notes += bool(outcome.notes)
            verdict = "FINDING" if wrong else "note" if outcome.notes else "ok"
            said = "; ".join(outcome.findings + outcome.notes)
            print(f"{verdict:8} {outcome.code:4} {outcome.seconds:6.2f} s {outcome.memory >> 20:5} MiB  {name:10} "
                  f"{file}{': ' + said if said else ''}", flush=True)
            if wrong or options.verbose:
                for line in outcome.errors.splitlines()[:12]:
                    print("         | " + line[:300])
    print(f"{ran} calls, {findings} findings, {notes} complaints without a line")
    return 1 if findings or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
