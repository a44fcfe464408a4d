"""Tuning from Python: `fuselage tune`, whose trials need processes of their own."""
import json
import os
import shutil
import subprocess
import tempfile

from .schedule import build


class TuneError(Exception):
    """What `fuselage tune` said instead of a result."""


class Tuned:
    """What came of a search. `best` and `baseline` are {knob: text}, or None where none ran and was right; `speedup` is how many times
    as fast as the baseline the best is, `low` and `high` what holds that in 95 of 100 cases, 1 where the baseline is the best; `faster`:
    it is so beyond the noise. `trials` are the journal's lines, oldest first; `script` is the schedule with the best values selected."""

    def __init__(self, found, trials, script):
        self.function, self.device, self.driver = found["function"], found["device"], found["driver"]
        self.best, self.baseline, self.faster = found["best"], found["baseline"], found["faster"]
        speedup = found["speedup"] or {"ratio": 1.0, "low": 1.0, "high": 1.0}
        self.speedup, self.low = speedup["ratio"], speedup["low"]
        self.high = float("inf") if speedup["high"] is None else speedup["high"]
        self.stopped, self.points, self.script, self.trials = found["stopped"], found["points"], script, trials

    def __repr__(self):
        return f"<Tuned @{self.function} on {self.device}: {self.best}, {self.speedup:.2f} times as fast as {self.baseline}>"


def _lines_of(journal):
    """The trials of a journal: a file, or a folder of files."""
    files = [os.path.join(journal, name) for name in sorted(os.listdir(journal)) if name.endswith(".jsonl")] if os.path.isdir(journal) else [journal]
    found = []
    for path in files:
        with open(path, errors="replace") as file:
            found += [_parsed(line) for line in file if line.endswith("\n")]
    return [line for line in found if isinstance(line, dict) and "status" in line]


def _parsed(line):
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_of(trial, found):
    return all(trial.get(name) == found[name] for name in ("module", "schedule", "device", "driver", "version")) and trial.get("dispatch") == found["function"]


def tune(path, schedule=None, device="host", budget=200, strategy="model", objective="median", rounds=10, journal=None, workers=(), sizes=None,
         function=None, dispatch=None, tuned=None, program=None, each=False):
    """Finds values for what a schedule leaves open: a script as a text, or a function of the module's handle. Returns a Tuned. Without a
    schedule, sizes of the dispatches that the default pipeline makes: returns a list of Tuned, and what is faster goes to the library
    `tuned` (default: the user's own; "none"). `budget` is a number of trials, or a time such as "60s", of all dispatches together or of `each`; `workers` are commands that make
    trials ("ssh gpu1 fuselage serve") or "local"; with a `journal`, trials that it has are not made again."""
    program = program or os.environ.get("FUSELAGE") or shutil.which("fuselage")
    if not program:
        raise FileNotFoundError("no 'fuselage' on PATH; give its path, or set FUSELAGE")
    with tempfile.TemporaryDirectory() as folder:
        journal = os.fspath(journal or os.path.join(folder, "trials.jsonl"))
        command = [program, "tune", os.path.abspath(os.fspath(path)), "--format", "json", "--device", device, "--budget", str(budget), "--strategy",
                   strategy, "--objective", objective, "--rounds", str(rounds), "--journal", journal]
        best = os.path.join(folder, "best.mlir")
        if schedule is not None:
            script = os.path.join(folder, "schedule.mlir")
            with open(script, "w") as file:
                file.write(build(schedule) if callable(schedule) else schedule)
            command += ["--schedule", script, "--output", best]
        for name, value in (("--function", function), ("--dispatch", dispatch), ("--tuned", tuned)):
            command += [] if value is None else [name, str(value)]
        command += ["--each"] if each else []
        for name, size in (sizes or {}).items():
            command += ["--size", f"{name}={size}"]
        for worker in workers:
            command += ["--worker", worker]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            searches = json.loads(done.stdout)["searches"]
        except ValueError:
            raise TuneError(done.stderr.strip() or f"fuselage tune ended with exit code {done.returncode}") from None
        trials = _lines_of(journal) if os.path.exists(journal) else []
        text = None
        if os.path.exists(best):
            with open(best) as file:
                text = file.read()
        results = [Tuned(found, [trial for trial in trials if _is_of(trial, found)], text) for found in searches]
        return results[0] if schedule is not None else results
