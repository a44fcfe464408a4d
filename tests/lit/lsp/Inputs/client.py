"""A client of `fuselage lsp`, for tests: requests one by one, with what arrives between them kept."""
import json
import os
import pathlib
import select
import subprocess


class Client:
    def __init__(self, capabilities=None, folder=None, program="fuselage"):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer, self.number = b"", 0
        self.published, self.asked, self.shown = {}, [], []
        folders = [{"uri": pathlib.Path(folder).resolve().as_uri(), "name": "folder"}] if folder else None
        self.started = self.ask("initialize", {"capabilities": capabilities or {}, "workspaceFolders": folders})
        self.tell("initialized", {})

    def send_bytes(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps(message).encode())

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def receive(self, seconds=120):
        while True:
            end = self.buffer.find(b"\r\n\r\n")
            if end >= 0:
                length = int(self.buffer[:end].split(b":")[1])
                if len(self.buffer) >= end + 4 + length:
                    body, self.buffer = self.buffer[end + 4 : end + 4 + length], self.buffer[end + 4 + length :]
                    return json.loads(body)
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            assert ready, "the server says nothing"
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            assert chunk, "the server has died"
            self.buffer += chunk

    def keep(self, message):
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        elif "method" in message and "id" in message:
            self.asked.append(message)
        elif message.get("method", "").startswith("window/"):
            self.shown.append(message["params"]["message"])

    def ask(self, method, params):
        """The result; an error's message where there is none."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message["result"] if "error" not in message else message["error"]["message"]
            self.keep(message)

    def about(self, method, uri, **params):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri}, **params})

    def open(self, path, text=None, version=1):
        uri = pathlib.Path(path).resolve().as_uri()
        text = pathlib.Path(path).read_text() if text is None else text
        document = {"uri": uri, "languageId": "mlir", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def diagnostics(self, uri, version=1):
        while self.published.get(uri, {}).get("version") != version:
            self.keep(self.receive())
        return self.published[uri]["diagnostics"]

    def stop(self):
        assert self.ask("shutdown", None) is None
        self.tell("exit", None)
        return self.process.wait(30)


def position(line, character):
    return {"line": line, "character": character}


def span(first, last):
    return {"start": position(first, 0), "end": position(last, 0)}


def tree(symbols, depth=0):
    for symbol in symbols:
        yield "  " * depth + f"{symbol['name']} ({symbol['detail']})"
        yield from tree(symbol.get("children", []), depth + 1)
