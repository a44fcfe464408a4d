"""Messages that no client should send: each that asks gets an answer, and the server lives.

usage: hostile.py SEED COUNT FILE
"""
import json
import random
import sys

from client import Client, position, span

METHODS = ["hover", "definition", "references", "documentHighlight", "documentSymbol", "codeLens", "inlayHint",
           "codeAction", "foldingRange", "semanticTokens/full", "semanticTokens/range", "prepareRename", "rename", "what"]
VALUES = [None, True, -1, 0, 1.5, 10**18, 1e300, "", "x" * 1000, "\ud83d", [], {}, [[]], {"uri": 3},
          {"line": -5, "character": 10**12}, {"start": {}, "end": None}, position(10**9, 10**9), span(9, 1)]

draw = random.Random(int(sys.argv[1]))
client = Client()
uri = client.open(sys.argv[3])
answers = 0
for number in range(int(sys.argv[2])):
    kind = draw.randrange(6)
    if kind == 0:
        client.send_bytes(bytes(draw.randrange(256) for _ in range(draw.randrange(40))))
    elif kind == 1:
        client.send_bytes(b"[" * draw.choice([3, 99, 100000]))
    elif kind == 2:
        client.send({"jsonrpc": "2.0", "id": draw.choice(VALUES), "method": draw.choice(VALUES), "params": draw.choice(VALUES)})
    elif kind == 3:
        notice = draw.choice(["didOpen", "didChange", "didClose"])
        about = {"uri": draw.choice(["file:///other.mlir", "", 5]), "version": draw.choice(VALUES)}
        client.tell("textDocument/" + notice, {"textDocument": about, "contentChanges": draw.choice(VALUES)})
    elif kind == 4:
        command = draw.choice(["fuselage.run", "fuselage.fuse", "fuselage.why", "rm -rf", ""])
        client.ask("workspace/executeCommand", {"command": command, "arguments": draw.choice([None, ["nowhere"], [5], VALUES])})
        answers += 1
    else:
        params = {"textDocument": {"uri": uri}, "position": draw.choice(VALUES), "range": draw.choice(VALUES),
                  "newName": draw.choice(VALUES), "context": draw.choice(VALUES)}
        if draw.random() < 0.2:
            params = draw.choice(VALUES)
        client.ask("textDocument/" + draw.choice(METHODS), params)
        answers += 1
names = [symbol["name"] for symbol in client.about("documentSymbol", uri)]
print(f"{answers} answers; then {json.dumps(names)}; exit code {client.stop()}")
