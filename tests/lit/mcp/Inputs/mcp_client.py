"""A client of `fuselage mcp`, for tests."""
import json
import subprocess


class McpClient:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(["fuselage", "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = self.calls = 0
        self.started = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.send_line(json.dumps(message).encode())

    def send_line(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        assert line, "the server has died"
        return json.loads(line)

    def ask(self, method, params):
        """The result; an error's message where there is none."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number:
            pass
        return message["result"] if "error" not in message else message["error"]["message"]

    def call(self, tool, **arguments):
        """The text of the answer, with "error: " before that of an error."""
        self.calls += 1
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if isinstance(answer, str):
            return "refused: " + answer
        return ("error: " if answer["isError"] else "") + answer["content"][0]["text"]

    def stop(self):
        self.process.stdin.close()
        return self.process.wait(30)
