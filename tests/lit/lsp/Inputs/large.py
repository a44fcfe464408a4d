"""Of a large text, ops and dispatches are known before verdicts are."""
import sys
import time

from client import Client

ops = "".join(f"  %v{i} = linalg.{'exp' if i % 3 else 'transpose'} ins(%v{i - 1} : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)"
              + (" -> tensor<64x64xf32>\n" if i % 3 else " permutation = [1, 0]\n") for i in range(1, 2400))
text = f"func.func @f(%v0: tensor<64x64xf32>) -> tensor<64x64xf32> {{\n  %e = tensor.empty() : tensor<64x64xf32>\n{ops}  return %v2399 : tensor<64x64xf32>\n}}\n"
assert len(text) > 200_000
client = Client({"workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}})
uri = client.open(sys.argv[1], text)
titles = []
while not titles or "missed" not in titles[-1]:
    lenses = client.about("codeLens", uri)
    title = lenses[0]["command"]["title"] if lenses else "not known yet"
    if title not in titles:
        titles.append(title)
    time.sleep(0.02)
print("\n".join(titles[-2:]))
print("refreshed", {message["method"] for message in client.asked} >= {"workspace/codeLens/refresh"})
print("exit code", client.stop())
