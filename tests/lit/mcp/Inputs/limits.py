"""Files elsewhere, other programs, long answers, what is no message: refused or bounded, and the server lives.

usage: limits.py FOLDER SEED COUNT
"""
import json
import os
import pathlib
import random
import sys

from mcp_client import McpClient

folder = pathlib.Path(sys.argv[1])
inside = folder / "inside"
inside.mkdir(exist_ok=True)
(inside / "f.mlir").write_text("func.func @f() { return }\n")
(folder / "secret.mlir").write_text("func.func @secret() { return }\n")
for name, target in (("link.mlir", folder / "secret.mlir"), ("dir", folder)):
    if not (inside / name).is_symlink():
        os.symlink(target, inside / name)
client = McpClient("--folder", str(inside))
for path in ("../secret.mlir", str(folder / "secret.mlir"), "link.mlir", "dir/secret.mlir", "/etc/passwd", "nowhere.mlir", "."):
    print("read", path.replace(str(folder), "FOLDER"), client.call("open", path=path).replace(str(folder), "FOLDER"))
client.call("open", path="f.mlir")
for path in ("../out.svg", str(folder / "out.svg"), "dir/out.svg", "link.mlir", "/proc/self/mem", ".."):
    print("write", path.replace(str(folder), "FOLDER"), client.call("export", document="d1", path=path, replace=True)[:7])
print("secret", (folder / "secret.mlir").read_text().count("secret"), sorted(p.name for p in folder.iterdir()))
print("tool", client.call("step", document="d1", pipeline="tool(touch /tmp/never)"))
body = "".join(f"  %v{i} = arith.constant {i} : i32\n" for i in range(2000))
client.call("open", text=f"func.func @long() {{\n{body}  return\n}}\n")
pages = [client.call("step", document="d2", pipeline="strip-debuginfo", at=0, page=page) for page in (1, 2, 99)]
print("pages", [len(page) <= 16100 for page in pages], pages[0].splitlines()[-1], pages[2])

VALUES = [None, True, -1, 10**18, 1e300, "", "d1", "x" * 3000, "\ud83d", [], {}, [[]], {"document": "d1"}]
tools = [tool["name"] for tool in client.ask("tools/list", {})["tools"]] + ["", "rm"]
draw = random.Random(int(sys.argv[2]))
for _ in range(int(sys.argv[3])):
    kind = draw.randrange(4)
    if kind == 0:
        client.send_line(bytes(draw.choice([0, 10, 34, 91, 123, 255, 48]) for _ in range(draw.randrange(30))))
    elif kind == 1:
        client.send_line(b"[" * draw.choice([2, 100000]))
    elif kind == 2:
        client.send({"jsonrpc": "2.0", "id": draw.choice(VALUES), "method": draw.choice(VALUES), "params": draw.choice(VALUES)})
        client.ask("ping", {})
    else:
        names = draw.sample(["document", "before", "after", "edge", "path", "text", "page", "at", "what"], draw.randrange(3))
        arguments = draw.choice(VALUES) if draw.random() < 0.2 else {name: draw.choice(VALUES) for name in names}
        if isinstance(arguments, dict) and "d1" in arguments.values():
            arguments["what"] = 1  # else each takes the time of a command
        client.ask("tools/call", {"name": draw.choice(tools), "arguments": arguments})
print("lives", client.call("graph_summary", document="d1")[:13], "exit code", client.stop())
