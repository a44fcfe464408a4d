"""An engine with a plugin that it loads and one that crashes."""
import pathlib
import subprocess
import sys
import json

plugins = sys.argv[1]
here = pathlib.Path(__file__).parent
engine = subprocess.Popen(["fuselage", "serve", f"--load-plugin={plugins}/toy.so", f"--load-plugin={plugins}/crashes.so"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def ask(method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    engine.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    engine.stdin.flush()
    while True:
        length = int(engine.stdout.readline().split(b":")[1])
        engine.stdout.readline()
        reply = json.loads(engine.stdout.read(length))
        if "id" in reply:
            return reply["result"]


toy, crashes = ask("plugin/list")["plugins"]
print(toy["name"], toy["version"], "refused" if toy["problem"] else "loaded", toy["passes"], toy["dialects"])
print("refused, crashed:", bool(crashes["problem"]) and crashes["crashed"])
print("in the catalog:", any(each["argument"] == "toy-lower" for each in ask("pipeline/list")["passes"]))
ask("document/open", path=str(here / "toy.mlir"))
print(ask("text/lines", snapshot=0, first=0, count=9)["lines"][2].split()[2])
engine.stdin.close()
engine.wait()
