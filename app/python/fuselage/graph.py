"""The dispatch graph as an interactive picture, in plain JavaScript inside the page: a notebook's output, or a file."""
import html
import importlib.resources
import json
import os
from typing import Any, Dict, List, Optional, Tuple

from .engine import Engine

#: Layers that can be opened one by one in the page; those beyond stay closed.
MOST_LAYERS = 40

Use = Tuple[int, int, int]


def _verdicts(engine: Engine, snapshot: int) -> Dict[Use, Dict[str, Any]]:
    """What `fuselage explain` says of each edge between two ops; nothing where it has nothing to say."""
    report = engine.fusion_report(snapshot=snapshot)
    found = {}
    for edge in report["edges"]:
        reason = edge["details"][0] if edge["details"] else {}
        found[edge["from"], edge["to"], edge["operand"]] = {
            "verdict": edge["verdict"], "state": edge["state"], "reason": reason.get("code", ""),
            "sentence": reason.get("sentence", ""), "unlocks": edge["unlocks"], "bytes": edge["bytes"]}
    return found


def _edge(edge: Dict[str, Any], verdicts: Dict[Use, Dict[str, Any]]) -> Dict[str, Any]:
    uses = [verdicts[tuple(use)] for use in edge["uses"] if tuple(use) in verdicts]
    # An edge that stands for several looks like the one of them that is not fused.
    shown = next((use for use in uses if use["verdict"] == "SEPARATE"), uses[0] if uses else None)
    return {"from": edge["from"], "to": edge["to"], "label": edge["label"], "points": edge["points"],
            "labelAt": edge.get("label_at"), "bytes": edge["bytes"], "verdict": shown}


def _scene(scene: Dict[str, Any], verdicts: Dict[Use, Dict[str, Any]]) -> Dict[str, Any]:
    """What the page draws of one scene."""
    nodes = [{key: node.get(key) for key in ("id", "title", "subtitle", "kind", "dispatch", "collapsed", "hidden", "x", "y", "w", "h")}
             for node in scene["nodes"]]
    clusters = [{key: box[key] for key in ("id", "label", "kind", "dispatch", "depth", "x", "y", "w", "h")} for box in scene["clusters"]]
    return {"nodes": nodes, "clusters": clusters, "edges": [_edge(edge, verdicts) for edge in scene["edges"]],
            "bounds": scene["bounds"], "hues": scene["dispatch_hues"]}


class Graph:
    """The graph of a module. In a notebook it shows itself: drag to pan, wheel to zoom, a click selects, a double click opens or
    closes a layer. `html()` is the same as a text, and `save(path)` a page of its own. Everything is in the text: no engine is
    needed to look at it, and nothing is fetched."""

    def __init__(self, engine: Engine, snapshot: int = 0, level: str = "ops", layers: str = "auto", height: int = 520) -> None:
        self.height = height
        with engine.lock:
            verdicts = _verdicts(engine, snapshot)
            first = engine.graph_scene(snapshot=snapshot, level=level, repeats=layers)
            closed = [node["id"] for node in first["nodes"] if node["collapsed"]][:MOST_LAYERS]
            opened = {str(layer): engine.graph_scene(snapshot=snapshot, level=level, repeats=layers, expanded=[layer]) for layer in closed}
        self.data: Dict[str, Any] = {"first": _scene(first, verdicts),
                                     "opened": {layer: _scene(scene, verdicts) for layer, scene in opened.items()}}

    @property
    def nodes(self) -> List[Dict[str, Any]]:
        """What is drawn at first: id, title, kind, dispatch and place of each."""
        return self.data["first"]["nodes"]

    @property
    def edges(self) -> List[Dict[str, Any]]:
        """From and to by ids, with the verdict where there is one."""
        return self.data["first"]["edges"]

    def html(self) -> str:
        """An element of HTML with all that it needs in it. Texts of the module are data, never HTML."""
        script = importlib.resources.files(__package__).joinpath("graph.js").read_text(encoding="utf-8")
        # `</script` in a name must not end the script.
        data = json.dumps(self.data).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        return (f"<div class='fuselage-graph' style='height:{int(self.height)}px'><script type='application/json'>{data}</script>"
                f"<script>{script}</script></div>")

    _repr_html_ = html

    def save(self, path: "os.PathLike[str] | str", title: Optional[str] = None) -> None:
        """Writes a page."""
        name = html.escape(title or "Fuselage")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{name}</title></head>"
                       f"<body style='margin:0'>{self.html()}</body></html>\n")
