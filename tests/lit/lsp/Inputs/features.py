"""Prints what the server says of a file: usage: features.py FILE LINE COLUMN (from 0)"""
import sys

from client import Client, position, span, tree

path, line, column = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
client = Client()
uri = client.open(path)
for diagnostic in client.diagnostics(uri):
    start = diagnostic["range"]["start"]
    print(f"diagnostic {start['line']}:{start['character']} severity {diagnostic['severity']}: {diagnostic['message']}")
print("\n".join("symbol " + name for name in tree(client.about("documentSymbol", uri))))
for lens in client.about("codeLens", uri):
    print("lens", lens["range"]["start"]["line"], lens["command"]["title"])
for hint in client.about("inlayHint", uri, range=span(0, 9999)):
    print("hint", hint["position"]["line"], hint["label"])
for action in client.about("codeAction", uri, range=span(0, 9999), context={"diagnostics": []}):
    print("action", action["title"])
at = {"position": position(line, column)}
hover = client.about("hover", uri, **at)
print("hover", hover["contents"]["value"] if hover else None)
definition = client.about("definition", uri, **at)
print("definition", definition["range"]["start"] if definition else None)
print("references", len(client.about("references", uri, context={"includeDeclaration": True}, **at)))
print("rename", client.about("rename", uri, newName="renamed", **at))
print("exit code", client.stop())
