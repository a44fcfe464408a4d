"""The engine as a child process: JSON-RPC over its standard streams, see core/engine/PROTOCOL.md."""
import json
import os
import shutil
import subprocess
import threading
import weakref

from .methods import Methods


def printable(text):
    """The text without characters that a terminal obeys, which names in a module may have: they are spelled out."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


class EngineError(Exception):
    """What the engine answered instead of a result; `diagnostics` are as the protocol has them."""

    def __init__(self, error):
        self.code = error.get("code")
        self.diagnostics = (error.get("data") or {}).get("diagnostics", [])
        lines = [error.get("message", "the engine gave no reason")]
        for found in self.diagnostics:
            where = "{file}:{line}:{column}: ".format(**found) if found.get("line") else ""
            lines.append(where + found["severity"] + ": " + found["message"])
        super().__init__(printable("\n".join(lines)))


def _end(process, owner):
    """Ends an engine. A fork of Python has a copy of the pipes, and nothing to end."""
    if os.getpid() != owner:
        return
    if process.poll() is None:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    process.stdout.close()


class Engine(Methods):
    """A running `fuselage serve`, with a function for each of its methods: engine.text_lines(snapshot=0, first=0, count=10). `program` is its path: else $FUSELAGE, else what PATH has. Any thread may call it: calls wait for
    each other, and who makes several that belong together holds `lock`. It ends with close(), or when nobody refers to it."""

    def __init__(self, program=None):
        program = program or os.environ.get("FUSELAGE") or shutil.which("fuselage")
        if not program:
            raise FileNotFoundError("no 'fuselage' on PATH; give its path, or set FUSELAGE")
        self._process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL)
        self.lock = threading.RLock()
        self.close = weakref.finalize(self, _end, self._process, os.getpid())
        self._next = 0
        self._started = None
        self.initialize(version=1)

    def call(self, method, **params):
        """The result of a method; notifications that come before it are dropped."""
        with self.lock:
            return self._call(method, params)

    def _call(self, method, params):
        self._next += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params}).encode()
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self._process.stdin.flush()
            while True:
                message = self._read()
                if message.get("method") == "step/started":
                    self._started = message["params"]["name"]
                if message.get("id") == self._next:
                    break
        except (BrokenPipeError, EOFError):
            at = f" at {self._started}" if self._started else ""
            raise EngineError({"message": f"the engine has ended{at} (exit code {self._process.wait()})"}) from None
        if "error" in message:
            raise EngineError(message["error"])
        return message["result"]

    def _read(self):
        length = None
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise EOFError
            if line in (b"\r\n", b"\n"):
                break
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
        if length is None:
            raise EOFError
        return json.loads(self._process.stdout.read(length))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
