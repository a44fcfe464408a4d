"""A payload in an engine of its own, and what schedules make of it."""
import difflib
import html
import io
import os
import tempfile

from .engine import Engine, printable
from .graph import Graph
from .schedule import build


class ScheduleError(Exception):
    """A schedule that failed: `line` of its script, the `diagnostics` of the op that did as the protocol has them, and the `result` up to
    there, with steps, script and payload."""

    def __init__(self, result):
        self.result = result
        failed = next((step for step in reversed(result.steps) if step["outcome"] != "success" and not step["suppressed"]), None)
        self.line = failed["line"] if failed else 0
        self.diagnostics = failed["diagnostics"] if failed else []
        lines = [f"line {self.line} of the schedule failed: {failed['text']}" if failed else "the schedule failed"]
        lines += [f"{found['severity']}: {found['message']}" for found in self.diagnostics]
        super().__init__(printable("\n".join(lines)))


def open(path, engine=None):
    """Opens a module for schedules; `engine` is the program's path."""
    return Module(path, engine)


class Module:
    """A file with MLIR in it. Leaving the `with`, or dropping it, ends its engine. Threads may share it: one call waits for another."""

    def __init__(self, path, engine=None):
        self.path = os.fspath(path)
        self.engine = Engine(engine)
        try:
            self.document = self.engine.document_open(path=os.path.abspath(self.path))
        except Exception:
            self.engine.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.engine.close()

    @property
    def text(self):
        """The module as it was opened."""
        lines = self.engine.text_lines(snapshot=0, first=0, count=10**6)
        return "\n".join(lines["lines"]) + "\n"

    def graph(self, level: str = "ops", layers: str = "auto", height: int = 520) -> Graph:
        """The dispatch graph as an interactive picture; `level`: "ops", or a node for each of the "dispatches"; `layers`: "collapse"
        or "expand" them, or "auto", by size."""
        return Graph(self.engine, level=level, layers=layers, height=height)

    def _repr_html_(self) -> str:
        return self.graph().html()

    def _script(self, schedule):
        """Its name and text."""
        if schedule is None:
            with io.open(self.path) as file:
                return os.path.abspath(self.path), file.read()
        return getattr(schedule, "__name__", "schedule") + ".mlir", build(schedule) if callable(schedule) else schedule

    def run(self, schedule=None, normalize=True, knobs=None, entry="", arguments=None):
        """Runs a schedule: a function of the module's handle, or a script as a text; without one, that of the module's own
        file. One that fails is a ScheduleError, which has the
        result up to there. `knobs`: what to select for what it leaves open, by name; `entry`: the named
        sequence to begin at; `arguments`: what its arguments beside the module are, by name: op names, such as
        {"mm": "linalg.matmul"}, or values of parameters."""
        name, script = self._script(schedule)
        with self.engine.lock:
            trace = self.engine.schedule_trace(snapshot=0, path=name, text=script, normalize=normalize, knobs=knobs, entry=entry,
                                               arguments={key: str(value) for key, value in (arguments or {}).items()})
            result = Result(self, script, trace)
        if result.failed:
            raise ScheduleError(result)
        return result

    def knobs(self, schedule):
        """What a schedule leaves open: dictionaries with name, selected, values, lower_bound and so on."""
        name, script = self._script(schedule)
        return self.engine.schedule_knobs(path=name, text=script)["knobs"]

    def check(self, schedule):
        """(line, severity, message) of what can be said of a schedule before it runs: syntax, and uses of dead handles."""
        name, script = self._script(schedule)
        found = self.engine.schedule_check(path=name, text=script)
        problem = [(0, "error", found["problem"])] if found["problem"] and not found["diagnostics"] else []
        return problem + [(each["line"], each["severity"], each["message"]) for each in found["diagnostics"]]

    def forms(self):
        """{function: {form: None, or the first reason why it does not hold}}"""
        found = {}
        for verdict in self.engine.forms_check(snapshot=0)["verdicts"]:
            first = verdict["first"][0]["why"] if verdict["first"] else None
            found.setdefault(verdict["function"], {})[verdict["form"]] = first
        return found


class Result:
    """What a schedule did. `script` is what ran, with the normalizers that were put in; `steps` are as the protocol has them."""

    def __init__(self, module, script, trace):
        self.module, self.trace = module, trace
        self.script = trace["explicit"] or script
        self.failed = trace["failed"]
        self.steps = [step for step in trace["steps"] if not step["end"]]
        self.milliseconds = trace["milliseconds"]
        # The engine forgets a trace for the next one: what comes in the end is kept.
        self._last = module.engine.schedule_position(step=len(trace["steps"]) - 1)

    @property
    def text(self):
        """The payload in front of the last place that was reached."""
        return self._last["text"]

    @property
    def failures(self):
        """(line, message) of what failed, silenced or not."""
        return [(found["line"], found["message"]) for step in self.steps if step["outcome"] != "success" for found in step["diagnostics"]]

    def save(self, path):
        """Writes the script, unless it failed."""
        if self.failed:
            raise ScheduleError(self)
        self._write(path)

    def _write(self, path):
        with io.open(path, "w") as file:
            file.write(self.script)

    def diff(self):
        """A unified diff from the payload to what became of it."""
        return "".join(difflib.unified_diff(self.module.text.splitlines(True), self.text.splitlines(True), "before", "after"))

    def graph(self):
        """The dispatch graph of what became of the payload, as SVG."""
        with tempfile.TemporaryDirectory() as folder:
            script, picture = os.path.join(folder, "schedule.mlir"), os.path.join(folder, "graph.svg")
            self._write(script)
            engine = self.module.engine
            with engine.lock:
                recorded = engine.pipeline_record(schedule=script)
                snapshot = max((step["after"] for step in recorded["steps"] if step["after"] is not None), default=0)
                engine.graph_export(snapshot=snapshot, path=picture, level="dispatches")
            with io.open(picture) as file:
                return file.read()

    def _repr_html_(self):
        """For notebooks: the steps with their times, the diff, and the graph."""
        rows = "".join(
            "<tr><td style='text-align:right'>{:.2f}</td><td>{}</td><td style='text-align:left'><code>{}{}</code></td></tr>".format(
                step["milliseconds"], html.escape(step["outcome"]), "&nbsp;" * 2 * step["depth"], html.escape(step["text"]))
            for step in self.steps)
        table = f"<table><tr><th>ms</th><th>outcome</th><th style='text-align:left'>step</th></tr>{rows}</table>"
        diff = f"<details><summary>what changed</summary><pre>{html.escape(self.diff())}</pre></details>"
        return table + diff + f"<details><summary>graph</summary>{self.graph()}</details>"
