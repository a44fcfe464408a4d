"""Random edits end with the same diagnostics as opening the text that they lead to.

usage: edits.py SEED SEQUENCES FILE ...
"""
import random
import sys

from client import Client, position

PIECES = ["%", "%0", "{", "}", "(", ")", "\n", "// -----\n", "^bb0:", "tensor<4xf32>", "linalg.fill", "\"", "é€😀", "", ""]


def units(text):
    """What LSP counts: UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def place(text, at):
    before = text[:at]
    line = before.count("\n")
    return position(line, units(before[before.rfind("\n") + 1 :]))


draw = random.Random(int(sys.argv[1]))
client = Client()
differ = 0
for number in range(int(sys.argv[2])):
    path = draw.choice(sys.argv[3:])
    text = open(path).read()
    uri = client.open(f"{path}.{number}.mlir", text)
    version = 1
    for _ in range(draw.randrange(1, 8)):
        begin = draw.randrange(len(text) + 1)
        end = min(len(text), begin + draw.choice([0, 0, 1, 3, 40]))
        new = draw.choice(PIECES + [text[begin : begin + 30]])
        change = {"range": {"start": place(text, begin), "end": place(text, end)}, "text": new}
        text = text[:begin] + new + text[end:]
        if draw.random() < 0.1:
            change = {"text": text}
        version += 1
        document = {"uri": uri, "version": version}
        client.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    edited = client.diagnostics(uri, version)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.open(f"{path}.{number}.mlir", text, version=1000)
    if edited != client.diagnostics(uri, 1000):
        differ += 1
        print("differs:", repr(text))
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
print(f"{sys.argv[2]} sequences, {differ} differ; exit code {client.stop()}")
