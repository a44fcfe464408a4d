"""Commands: what they answer, and what edit they ask for."""
import pathlib
import sys

from client import Client, position, span

client = Client(folder=pathlib.Path(sys.argv[1]).parent)
uri = client.open(sys.argv[1])
client.diagnostics(uri)


def do(command, *arguments):
    return client.ask("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def edited(text):
    """The text with the edit that the server asked for."""
    edits = client.asked.pop()["params"]["edit"]["changes"][uri]
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    assert len(edits) == 1 and text.isascii()
    start, end = (starts[edits[0]["range"][side]["line"]] + edits[0]["range"][side]["character"] for side in ("start", "end"))
    return text[:start] + edits[0]["newText"] + text[end:]


text = pathlib.Path(sys.argv[1]).read_text()
actions = client.about("codeAction", uri, range=span(0, 9999), context={"diagnostics": []})
fuse = next(action["command"] for action in actions if action["title"].startswith("Fuse"))
print("fuse:", do(fuse["command"], *fuse["arguments"])["report"].splitlines()[0])
print(edited(text))
print("all:", do("fuselage.fuseAll", uri)["report"].splitlines()[0])
print(edited(text))
form = do("fuselage.normalize", uri, "CanonicalForm")["report"]
print("form:", edited(text).count("tensor.empty"))
run = do("fuselage.run", uri, "f")
print("run:", run["text"] if isinstance(run, dict) else run)
print("why:", do("fuselage.why", "because"))
print("nothing:", do("fuselage.fuse", uri, "1:99999"))
print("other:", do("fuselage.other", uri))
bytecode = pathlib.Path(sys.argv[1]).with_suffix(".mlirbc")
print("bytecode:", client.ask("fuselage/text", {"uri": bytecode.as_uri()})["text"].count("linalg.matmul"))
print("no file:", client.ask("fuselage/text", {"uri": "file:///nowhere.mlirbc"}))
print("symbols:", [symbol["name"] for symbol in client.ask("workspace/symbol", {"query": "F"})])
print("exit code", client.stop())
