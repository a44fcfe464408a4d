// Draws the graph that stands in front of this script, in the element around both.
(() => {
  "use strict";
  const root = document.currentScript.parentElement;
  const { first, opened } = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  // As the notebook is, else as the system.
  const jupyter = root.closest("[data-jp-theme-light]"), code = root.closest(".vscode-dark, .vscode-light");
  const dark = jupyter ? jupyter.dataset.jpThemeLight === "false"
    : code ? code.classList.contains("vscode-dark")
    : Boolean(window.matchMedia?.("(prefers-color-scheme: dark)").matches);
  const colors = dark
    ? { paper: "#1b1f24", text: "#e6edf3", muted: "#9aa4af", box: "#3d444d", edge: "#8b949e", node: "#262c34", pick: "#58a6ff" }
    : { paper: "#ffffff", text: "#1b1f24", muted: "#57606a", box: "#d0d7de", edge: "#6e7781", node: "#f6f8fa", pick: "#0969da" };
  // Solid: fused. Dashed: can be. Dash and dot: tried without success. Dotted: cannot be, or nobody tried.
  const dashes = { can_be_fused: "8 4", tried_without_success: "8 3 2 3", cannot_be_fused: "2 4", not_tried: "2 4" };

  const make = (name, attributes, parent, text) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent?.appendChild(element);
    return element;
  };
  const hueOf = (scene, dispatch) => (dispatch >= 0 ? ((scene.hues[dispatch] ?? dispatch) * 137) % 360 : -1);
  const fillOf = (hue) => (hue < 0 ? colors.node : dark ? `hsl(${hue} 35% 22%)` : `hsl(${hue} 70% 93%)`);
  const lineOf = (hue) => (hue < 0 ? colors.box : dark ? `hsl(${hue} 40% 50%)` : `hsl(${hue} 55% 45%)`);
  const bytesText = (bytes) => {
    if (!(bytes >= 0)) return "unknown size";
    const units = ["B", "KiB", "MiB", "GiB"];
    let unit = 0;
    for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
    return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
  };

  root.style.cssText += `;position:relative;overflow:hidden;background:${colors.paper};border:1px solid ${colors.box};font:12px system-ui,sans-serif`;
  const svg = make("svg", { width: "100%", height: "100%", tabindex: 0, role: "img", "aria-label": "dispatch graph" }, root);
  svg.style.cssText = "display:block;cursor:grab;outline-offset:-2px";
  const note = document.createElement("div");
  note.className = "fuselage-note";
  note.style.cssText = `position:absolute;left:8px;bottom:8px;max-width:60%;max-height:40%;overflow:auto;padding:6px 8px;white-space:pre-wrap;pointer-events:none;color:${colors.text};background:${colors.paper}e0`;
  root.appendChild(note);
  const hint = Object.keys(opened).length ? "drag, wheel; a double click opens a layer" : "drag, wheel; a click selects";

  let scene, group, view, picked = null, open = null;

  const apply = () => group.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  /** All of it; or, at the least scale that can be read, its top. */
  const fit = (least = 0) => {
    const { x, y, w, h } = scene.bounds, width = root.clientWidth || 800, height = root.clientHeight || 500;
    const scale = Math.max(Math.min(width / w, height / h, 1.5), least);
    const left = w * scale > width && least ? 0 : (width - w * scale) / 2, top = h * scale > height ? 0 : (height - h * scale) / 2;
    view = { scale, x: left - x * scale, y: top - y * scale };
    apply();
  };
  const zoom = (factor, x, y) => {
    const scale = Math.min(Math.max(view.scale * factor, 0.02), 8), by = scale / view.scale;
    view = { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
    apply();
  };
  const describeEdge = (edge) => {
    const verdict = edge.verdict;
    if (!verdict) return `${edge.label || "edge"}, ${bytesText(edge.bytes)}`;
    let text = `${edge.label}: ${verdict.verdict.toLowerCase().replaceAll("_", " ")}`;
    if (verdict.verdict === "SEPARATE") text += `, ${verdict.state.replaceAll("_", " ")}\n${verdict.reason}: ${verdict.sentence}\nfusing saves at most ${bytesText(verdict.bytes)}`;
    if (verdict.unlocks.length) text += `\nfused by: ${verdict.unlocks.join(", ")}`;
    return text;
  };
  const say = (text) => { note.textContent = text || hint; };

  const pick = (element, text) => {
    if (picked) picked.element.setAttribute("stroke-width", picked.width);
    picked = element && { element, width: element.getAttribute("stroke-width"), text };
    if (element) element.setAttribute("stroke-width", 3);
    root.dispatchEvent(new CustomEvent("fuselage-selected", { detail: text ?? null }));
    say(text);
  };
  const react = (element, target, text, toggles) => {
    element.addEventListener("pointerenter", () => say(text));
    element.addEventListener("pointerleave", () => say(picked?.text));
    element.addEventListener("click", (event) => { event.stopPropagation(); pick(target, text); });
    if (toggles) element.addEventListener("dblclick", (event) => { event.stopPropagation(); show(toggles()); });
  };

  const drawBox = (box) => {
    const hue = hueOf(scene, box.dispatch);
    const rect = make("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 8, fill: hue < 0 ? "none" : fillOf(hue),
      stroke: lineOf(hue), "stroke-width": 1, "pointer-events": "all" }, group);
    make("text", { x: box.x + 10, y: box.y + 17, fill: colors.muted, "font-size": 12 }, group, box.label);
    const isOpen = open === String(box.id);
    react(rect, rect, `${box.kind} ${box.label}${isOpen ? "\na double click closes it" : ""}`, isOpen && (() => null));
  };
  const drawEdge = (edge) => {
    const points = edge.points, state = edge.verdict?.verdict === "SEPARATE" ? edge.verdict.state : "fused";
    let path = `M${points[0]} ${points[1]}`;
    for (let i = 2; i < points.length; i += 2) path += `L${points[i]} ${points[i + 1]}`;
    const line = make("path", { d: path, fill: "none", stroke: colors.edge, "stroke-width": 1.4, "stroke-dasharray": dashes[state] ?? "none",
      "marker-end": "url(#fuselage-arrow)" }, group);
    const wide = make("path", { d: path, fill: "none", stroke: "transparent", "stroke-width": 10, "pointer-events": "stroke" }, group);
    react(wide, line, describeEdge(edge));
    if (edge.labelAt) make("text", { x: edge.labelAt[0], y: edge.labelAt[1] + 11, fill: colors.muted, "font-size": 10, "pointer-events": "none" }, group, edge.label);
  };
  const drawNode = (node) => {
    const hue = hueOf(scene, node.dispatch);
    const rect = make("rect", { x: node.x, y: node.y, width: node.w, height: node.h, rx: 5, fill: fillOf(hue), stroke: lineOf(hue),
      "stroke-width": node.collapsed ? 2 : 1, "data-id": node.id }, group);
    const middle = node.x + node.w / 2, high = node.subtitle ? node.y + node.h / 2 - 3 : node.y + node.h / 2 + 4;
    const words = { "text-anchor": "middle", "pointer-events": "none", x: middle };
    make("text", { ...words, y: high, fill: colors.text, "font-size": 12 }, group, node.title);
    if (node.subtitle) make("text", { ...words, y: high + 14, fill: colors.muted, "font-size": 10 }, group, node.subtitle);
    const opens = opened[node.id] !== undefined;
    const text = `${node.title}\n${node.subtitle ?? ""}${node.dispatch >= 0 ? `\ndispatch ${node.dispatch}` : ""}` +
      (node.collapsed ? `\n${node.hidden} ops inside${opens ? "; a double click opens it" : ""}` : "");
    react(rect, rect, text, opens && (() => String(node.id)));
  };

  /** `layer`: the one that is open, or null. */
  const show = (layer) => {
    open = layer;
    scene = layer === null ? first : opened[layer];
    svg.replaceChildren();
    picked = null;
    const marker = make("marker", { id: "fuselage-arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      make("defs", {}, svg));
    make("path", { d: "M0 0L8 4L0 8z", fill: colors.edge }, marker);
    group = make("g", {}, svg);
    scene.clusters.forEach(drawBox);
    scene.edges.forEach(drawEdge);
    scene.nodes.forEach(drawNode);
    fit(0.55);
    say();
  };

  let drag = null;
  svg.addEventListener("pointerdown", (event) => { drag = { x: event.clientX - view.x, y: event.clientY - view.y }; });
  svg.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    view = { ...view, x: event.clientX - drag.x, y: event.clientY - drag.y };
    apply();
  });
  svg.addEventListener("pointerup", () => { drag = null; });
  svg.addEventListener("click", () => pick(null));
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - at.left, event.clientY - at.top);
  }, { passive: false });
  svg.addEventListener("keydown", (event) => {
    const middle = [root.clientWidth / 2, root.clientHeight / 2];
    const moves = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (event.key === "+" || event.key === "=") zoom(1.2, ...middle);
    else if (event.key === "-") zoom(1 / 1.2, ...middle);
    else if (event.key === "f" || event.key === "0") fit();
    else if (event.key === "Escape") pick(null);
    else if (moves[event.key]) { view.x += moves[event.key][0]; view.y += moves[event.key][1]; apply(); }
    else return;
    event.preventDefault();
  });
  show(null);
})();
