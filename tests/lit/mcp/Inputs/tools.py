"""Every tool once, on a small module."""
import pathlib
import sys

from mcp_client import McpClient

folder = pathlib.Path(sys.argv[1])
client = McpClient("--folder", str(folder))
print("tools", len(client.ask("tools/list", {})["tools"]))
print("version", client.started["protocolVersion"])
print("open:", client.call("open", path="f.mlir"))
print("step:", client.call("step", document="d1", pipeline="canonicalize,cse"))
print("keep:", client.call("step", document="d1", pipeline="linalg-generalize-named-ops", at=0, keep=True))
print("diff:", client.call("diff", before="d1", after="d2"))
print("rewrites:", client.call("rewrites", document="d1", pipeline="linalg-generalize-named-ops", at=0))
print("run:", client.call("run", document="d1"))
print("tiles:", client.call("tiles", document="d1", op="linalg.matmul", sizes="4,4,0"))
print("buffers:", client.call("buffers", document="d1"))
print("schedule:", client.call("schedule", document="d1", script=(folder / "s.txt").read_text()))
failing = (folder / "s.txt").read_text().replace("tile_sizes [4]", "tile_sizes [4, 4, 4, 4]")
print("failing schedule:", client.call("schedule", document="d1", script=failing))
print("tune:", client.call("tune", document="d1", seconds=2))
print("svg:", client.call("export", document="d1", path="out.svg"))
print("again:", client.call("export", document="d1", path="out.svg"))
print("replace:", client.call("export", document="d1", path="out.svg", replace=True))
print("module:", client.call("export", document="d2", path="out.mlir"))
print("text:", client.call("open", text="func.func @g() { return }"))
print("unchanged", (folder / "f.mlir").read_text().count("linalg.matmul"))
print("exit code", client.stop())
