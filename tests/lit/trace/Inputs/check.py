"""A trace of ours: JSON, complete events only, with the categories that are named."""
import json
import sys

path, *wanted = sys.argv[1:]
with open(path) as file:
    events = json.load(file)["traceEvents"]
spans = [event for event in events if event["ph"] == "X"]
assert all(event["ph"] in "XM" and {"name", "pid", "tid"} <= event.keys() for event in events)
assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in spans)
assert [event["ts"] for event in spans] == sorted(event["ts"] for event in spans)
missing = set(wanted) - {event["cat"] for event in spans}
assert not missing, f"no events of {missing}"
steps = [event["args"]["step"] for event in spans if event["cat"] == "step"]
assert steps == list(range(len(steps)))
print("steps are numbered from 0")
