"""The engine's protocol over pipes, for an engine here and for one that `fuselage remote` reaches."""
import json
import os
import re
import subprocess
import sys


class EngineClient:
    def __init__(self, *command, env=None):
        environment = dict(os.environ, **(env or {}))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.last = 0
        self.answered = 0  # replies that have come
        self.notifications = []
        self.replies = {}

    def send(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, **params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def read(self):
        length = None
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length)) if length is not None else None

    def reply(self, number):
        while number not in self.replies:
            message = self.read()
            if message is None:
                return None
            if "method" in message:
                self.notifications.append(message)
            else:
                self.replies[message["id"]] = message
                self.answered += 1
        message = self.replies.pop(number)
        return message.get("result", message.get("error"))

    def call(self, method, **params):
        return self.reply(self.request(method, **params))

    def states(self):
        return [each["params"] for each in self.notifications if each["method"] == "link/state"]

    def close(self):
        """The exit code after the end of the input."""
        self.process.stdin.close()
        while self.read() is not None:
            pass
        return self.process.wait()


def local_engine():
    return EngineClient("fuselage", "serve")


def remote_engine(command, *options, cache=None, engine=()):
    env = {"XDG_CACHE_HOME": cache} if cache else None
    return EngineClient("fuselage", "remote", "--command", command, "--name", "box", *options, "--", *engine, env=env)


MEASURED = re.compile(r"(_us|_ms|^us|^pid|^when|^(micro|milli)?seconds|^gflops|^samples|^clocks|^gbps|^timing_note|^shares|^rate)$")


def without_times(value):
    """What two runs have in common."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if not MEASURED.search(key)}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return value


def python_command(script, *arguments):
    return " ".join([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), script), *map(str, arguments)])
