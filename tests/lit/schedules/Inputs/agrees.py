#!/usr/bin/env python3
"""Runs a schedule with fuselage and with stock mlir-opt, and compares.

What both must agree on: whether it succeeds, the module as it is then, and the error with its place where it fails.
What --auto-normalize --explicit writes must make mlir-opt give the module that --auto-normalize gives, where it holds
ops of MLIR only. Exits with 1 and says why where something differs; prints one line for each payload otherwise.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(r"^(.*?): error: (.*)$", re.M)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if done.returncode < 0:
        sys.exit(f"{' '.join(map(str, command))} ended by signal {-done.returncode}\n{done.stderr}")
    return done


def interpret(payload, script):
    return run("mlir-opt", payload, f"--transform-preload-library=transform-library-paths={script}", "--transform-interpreter")


def schedule(payload, script, *flags):
    return run("fuselage", "schedule", payload, "--schedule", script, *flags)


def errors(text):
    """The errors as (file:line:column, message), the first of each place; folders are left out."""
    return [(pathlib.PurePath(place).name, message) for place, message in ERROR.findall(text)]


def normal(text, folder):
    """The module as mlir-opt prints it; fuselage keeps the names of the values."""
    path = folder / "printed.mlir"
    path.write_text(text)
    printed = run("mlir-opt", path)
    if printed.returncode:
        sys.exit(f"mlir-opt does not read what fuselage wrote:\n{printed.stderr}")
    return printed.stdout


def same(ours, theirs, what, folder):
    if normal(ours, folder) == theirs:
        return
    (folder / "ours").write_text(normal(ours, folder))
    (folder / "theirs").write_text(theirs)
    diff = run("diff", folder / "theirs", folder / "ours")
    sys.exit(f"{what}: fuselage's module is another one than mlir-opt's\n{diff.stdout}")


def compare_explicit(payload, script, folder):
    """'', or why nothing was compared."""
    path = folder / "explicit.mlir"
    explicit = schedule(payload, script, "--auto-normalize", "--explicit", "-o", path)
    normalized = schedule(payload, script, "--auto-normalize")
    if explicit.returncode != normalized.returncode:
        sys.exit(f"--explicit ends with {explicit.returncode}, and without it with {normalized.returncode}\n{explicit.stderr}")
    if explicit.returncode:
        return ", fails when normalized too"
    if "transform.fuselage." in path.read_text():
        return ", normalized by ops of fuselage's own"
    theirs = interpret(payload, path)
    if theirs.returncode:
        sys.exit(f"{script}: mlir-opt does not run the explicit script\n{theirs.stderr}")
    same(normalized.stdout, theirs.stdout, f"{script}, explicit", folder)
    return ", explicit the same"


def compare(payload, script, must_fail, folder):
    theirs = interpret(payload, script)
    ours = schedule(payload, script)
    if (theirs.returncode != 0) != (ours.returncode != 0):
        sys.exit(f"{script}: mlir-opt ends with {theirs.returncode}, fuselage with {ours.returncode}\n{theirs.stderr}\n{ours.stderr}")
    if must_fail is not None and must_fail != (ours.returncode != 0):
        sys.exit(f"{script}: it {'does not fail' if must_fail else 'fails'}\n{ours.stderr}")
    if ours.returncode == 0:
        same(ours.stdout, theirs.stdout, str(script), folder)
        return "the same module" + compare_explicit(payload, script, folder)
    expected, found = errors(theirs.stderr), errors(ours.stderr)
    if found[:len(expected)] != expected: # fuselage also says why alternatives failed
        sys.exit(f"{script}: mlir-opt's errors are {expected}\nfuselage's are {found}\n{ours.stderr}")
    return f"the same failure: {found[0][1]}" + compare_explicit(payload, script, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fails", action="store_true", help="the schedule must fail")
    parser.add_argument("--either", action="store_true", help="it may fail or not; payloads that mlir-opt cannot read are left out")
    parser.add_argument("script", type=pathlib.Path)
    parser.add_argument("payloads", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for payload in arguments.payloads:
            if arguments.either and run("mlir-opt", payload, "-o", "/dev/null").returncode:
                print(f"{payload.name}: left out, mlir-opt does not read it")
                continue
            verdict = compare(payload, arguments.script, None if arguments.either else arguments.fails, pathlib.Path(folder))
            print(f"{payload.name}: {verdict}")


main()
