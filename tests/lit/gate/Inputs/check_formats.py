"""What SARIF 2.1.0 and JUnit's XML demand of a report of the gate: check_formats.py FILE"""
import json
import sys
import xml.etree.ElementTree

LEVELS = {"none", "note", "warning", "error"}


def check_location(location):
    place = location["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert " " not in uri and "\\" not in uri, uri
    region = place.get("region")
    if region:
        assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1, region


def check_sarif(log):
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) == 4
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    failed = any(result["level"] == "error" for result in run["results"])
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True and invocation["exitCode"] == int(failed)
    fingerprints = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in LEVELS and result["baselineState"] == "new"
        assert result["message"]["text"] and len(result["locations"]) == 1
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            check_location(location)
        (fingerprint,) = result["partialFingerprints"].values()
        assert fingerprint not in fingerprints
        fingerprints.add(fingerprint)
    assert len(run["results"]) == 4, len(run["results"])


def check_junit(root):
    assert root.tag == "testsuites"
    (suite,) = root
    cases = suite.findall("testcase")
    assert suite.tag == "testsuite" and len(cases) == int(suite.get("tests")) == int(root.get("tests")) == 4
    failures = suite.findall("testcase/failure")
    assert len(failures) == int(suite.get("failures")) == int(root.get("failures")) == 3
    assert all(failure.get("message") and failure.text for failure in failures)
    assert [case.get("name") for case in cases] == ["new missed edges", "lost fusions", "more dispatches", "more bytes"]


if sys.argv[1].endswith(".xml"):
    check_junit(xml.etree.ElementTree.parse(sys.argv[1]).getroot())
else:
    check_sarif(json.load(open(sys.argv[1])))
