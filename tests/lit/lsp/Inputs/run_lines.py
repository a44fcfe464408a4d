"""What a language server makes of RUN lines: lenses, hovers, and what the lenses do."""
import sys

from client import Client, position

client = Client()
uri = client.open(sys.argv[1])
lenses = [lens for lens in client.about("codeLens", uri) if lens["command"]["command"] == "fuselage.step"]
for lens in lenses:
    print("lens", lens["range"]["start"]["line"] + 1, lens["command"]["title"])
for lens in lenses:
    command = lens["command"]
    result = client.ask("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
    print("stepped:", result["text"])
    print("shown:", client.shown[-1])
for line in (0, 2, 3):
    hover = client.about("hover", uri, position=position(line, 5))
    print("hover", line + 1, hover["contents"]["value"] if hover else "nothing")
wrong = {"command": "fuselage.step", "arguments": [uri, "no-such-pass"]}
print("wrong:", client.ask("workspace/executeCommand", wrong))
print("exit code", client.stop())
