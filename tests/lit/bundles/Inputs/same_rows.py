"""same_rows.py A.json B.json: both reports are ok, with rows of the same dispatches, places and launches."""
import json
import sys

keys = ("dispatch", "dispatch_index", "loc", "device", "grid", "block", "shared_bytes", "flops", "bytes", "arithmetic",
        "parts", "verdict", "clock")
reports = [json.load(open(path)) for path in sys.argv[1:3]]
rows = [[{key: row[key] for key in keys} for row in report["kernels"] if row["kind"] == "dispatch"]
        for report in reports]
assert rows[0] and rows[0] == rows[1], f"{rows[0]}\n{rows[1]}"
for report in reports:
    assert report["ok"] and report["sum_us"] > 0, report["why"]
    assert sorted(row for group in report["groups"] for row in group["kernels"]) == list(range(len(report["kernels"])))
# Every member of a run's report is in the launcher's, too, so that whoever reads one reads the other. What made the
# launcher's results is beside them.
bundle = reports[0].pop("bundle")
assert bundle["measured"].endswith(" UTC") and bundle["launcher"].startswith("fuselage-launch "), bundle
assert bundle["source"].endswith(".mlir") and len(bundle["source_sha256"]) == 64, bundle
assert bundle["device_name"] and bundle["bundler"], bundle
assert set(reports[0]) == set(reports[1]), set(reports[0]) ^ set(reports[1])
assert set(reports[0]["kernels"][0]) == set(reports[1]["kernels"][0])
