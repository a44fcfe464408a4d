"""What Model Explorer 0.1.34 reads: check_model_explorer.py GRAPH.json [TIMES.json]

The members and types are those of its graph_builder.py and node_data_builder.py. Prints for each graph its namespaces and
overlays, and for times their sum by graph.
"""
import json
import re
import sys

TEXT, FLAG = str, bool
KEY_VALUE = {"key": TEXT, "value": TEXT}
METADATA = {"id": TEXT, "attrs": [KEY_VALUE]}
EDGE = {"sourceNodeId": TEXT, "sourceNodeOutputId": TEXT, "targetNodeInputId": TEXT}
OVERLAY_EDGE = {"sourceNodeId": TEXT, "targetNodeId": TEXT, "label?": TEXT}
OVERLAY = {"name": TEXT, "edgeColor": TEXT, "edges": [OVERLAY_EDGE], "edgeWidth?": int, "edgeLabelFontSize?": float,
           "showEdgesConnectedToSelectedNodeOnly?": FLAG}
OVERLAYS = {"name": TEXT, "type": TEXT, "overlays": [OVERLAY]}
NODE = {"id": TEXT, "label": TEXT, "namespace": TEXT, "subgraphIds?": [TEXT], "attrs": [KEY_VALUE], "incomingEdges": [EDGE],
        "outputsMetadata": [METADATA], "inputsMetadata": [METADATA]}
GRAPH = {"id": TEXT, "nodes": [NODE], "groupNodeAttributes?": {"*": {"*": TEXT}},
         "tasksData?": {"edgeOverlaysDataListLeftPane?": [OVERLAYS], "edgeOverlaysDataListRightPane?": [OVERLAYS]},
         "layoutConfigs?": {"nodeSep?": int, "rankSep?": int, "edgeSep?": int, "keepLayersWithASingleChild?": FLAG}}
COLLECTION = {"label": TEXT, "graphs": [GRAPH]}
TIMES = {"*": {"name?": TEXT, "results": {"*": {"value": (int, float), "bgColor?": TEXT, "textColor?": TEXT}},
               "gradient?": [{"stop": (int, float), "bgColor?": TEXT, "textColor?": TEXT}]}}


def check(value, schema, path):
    if isinstance(schema, list):
        assert isinstance(value, list), path
        for index, item in enumerate(value):
            check(item, schema[0], f"{path}[{index}]")
    elif isinstance(schema, dict):
        assert isinstance(value, dict), path
        names = {name.rstrip("?"): name for name in schema}
        for key, item in value.items():
            assert key in names or "*" in names, f"{path} has '{key}'"
            check(item, schema[names.get(key, "*")], f"{path}.{key}")
        for name in schema:
            assert name.endswith("?") or name == "*" or name in value, f"{path} has no '{name}'"
    else:
        assert isinstance(value, schema) and (schema is bool or not isinstance(value, bool)), f"{path}: {value}"


def check_graph(graph, ids):
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"]), "ids are unique"
    outputs = {id: {item["id"] for item in node["outputsMetadata"]} for id, node in nodes.items()}
    for node in nodes.values():
        assert "//" not in node["namespace"] and not node["namespace"].startswith("/"), node["namespace"]
        assert set(node.get("subgraphIds", [])) <= ids, node
        for edge in node["incomingEdges"]:
            source = nodes[edge["sourceNodeId"]]
            assert edge["sourceNodeOutputId"] in outputs[source["id"]], edge
            assert any(item["id"] == edge["targetNodeInputId"] for item in node["inputsMetadata"]), edge
    namespaces = {node["namespace"] for node in nodes.values()}
    boxes = {"/".join(name.split("/")[:depth]) for name in namespaces for depth in range(len(name.split("/")) + 1)}
    assert set(graph["groupNodeAttributes"]) <= boxes, set(graph["groupNodeAttributes"]) - boxes
    print(f"{graph['id']}: {len(nodes)} nodes, {sum(len(node['incomingEdges']) for node in nodes.values())} edges")
    for name in sorted(namespaces):
        print(f"  namespace '{name}'")
    for data in graph.get("tasksData", {}).get("edgeOverlaysDataListLeftPane", []):
        assert data["type"] == "edge_overlays"
        for overlay in data["overlays"]:
            assert re.fullmatch("#[0-9a-f]{6}", overlay["edgeColor"])
            for edge in overlay["edges"]:
                assert edge["sourceNodeId"] in nodes and edge["targetNodeId"] in nodes, edge
            print(f"  overlay '{overlay['name']}': {len(overlay['edges'])}")
    return nodes


def main(graph_path, times_path=None):
    collection = json.load(open(graph_path))
    check(collection, COLLECTION, "collection")
    ids = [graph["id"] for graph in collection["graphs"]]
    assert len(set(ids)) == len(ids)
    nodes = {graph["id"]: check_graph(graph, set(ids)) for graph in collection["graphs"]}
    if times_path:
        times = json.load(open(times_path))
        check(times, TIMES, "times")
        for id, data in times.items():
            assert set(data["results"]) <= set(nodes[id])
            assert [item["stop"] for item in data["gradient"]] == [0, 1]
            print(f"{id}: {len(data['results'])} times, {sum(r['value'] for r in data['results'].values()):.3f} us")


main(*sys.argv[1:])
