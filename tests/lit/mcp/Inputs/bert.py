"""From 15 dispatches to 2, with the reasons read on the way."""
import re
import sys

from mcp_client import McpClient

client = McpClient("--folder", sys.argv[1])
print(client.call("open", path="bert_attention.mlir"))
missed = client.call("missed_fusions", document="d1")
print(missed)
print(client.call("why", document="d1", edge=re.search(r"edge (\S+)", missed).group(1)))
print(client.call("fuse", document="d1", all=True, check=True))
print(client.call("graph_summary", document="d2"))
print(client.call("compare", before="d1", after="d2"))
print(client.calls, "calls; exit code", client.stop())
