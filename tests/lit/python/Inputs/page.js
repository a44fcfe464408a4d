// Runs the page of a graph in as much of a browser as it uses: page.js PAGE.html
"use strict";
const fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const [, data] = /<script type='application\/json'>(.*?)<\/script>/s.exec(page);
const [, script] = /<script>(.*)<\/script>/s.exec(page);

class Element {
  constructor(name) { Object.assign(this, { name, children: [], attributes: {}, listeners: {}, style: {}, dataset: {}, textContent: "" }); }
  setAttribute(key, value) { this.attributes[key] = String(value); }
  getAttribute(key) { return this.attributes[key] ?? null; }
  appendChild(child) { this.children.push(child); return child; }
  replaceChildren() { this.children = []; }
  addEventListener(type, act) { (this.listeners[type] ??= []).push(act); }
  fire(type, event = {}) { (this.listeners[type] ?? []).forEach((act) => act({ preventDefault() {}, stopPropagation() {}, ...event })); }
  dispatchEvent(event) { if (event.detail !== undefined) this.selected = event.detail; }
  closest() { return null; }
  querySelector() { return { textContent: data }; }
  getBoundingClientRect() { return { left: 0, top: 0 }; }
  *all() { yield this; for (const child of this.children) yield* child.all(); }
}
const root = new Element("div");
Object.assign(root, { clientWidth: 800, clientHeight: 500 });
global.document = { currentScript: { parentElement: root }, createElementNS: (space, name) => new Element(name), createElement: (name) => new Element(name) };
global.window = {};
global.CustomEvent = class { constructor(type, { detail }) { this.detail = detail; } };
eval(script);

const find = (test) => [...root.all()].filter(test);
const nodes = () => find((element) => element.attributes["data-id"] !== undefined);
const note = find((element) => element.className === "fuselage-note")[0];
const group = () => find((element) => element.name === "g")[0].attributes.transform;
console.log("nodes", nodes().length, "edges", find((element) => element.attributes["marker-end"]).length);
const svg = find((element) => element.name === "svg")[0], before = group();
svg.fire("wheel", { deltaY: -200, clientX: 10, clientY: 10 });
console.log("zoomed", before !== group());
svg.fire("pointerdown", { clientX: 0, clientY: 0 });
const at = group();
svg.fire("pointermove", { clientX: 30, clientY: 5, buttons: 1 });
console.log("panned", at !== group());
nodes()[0].fire("click");
console.log("selected", root.selected === note.textContent && nodes()[0].attributes["stroke-width"] === "3");
const dashed = find((element) => element.attributes["stroke-dasharray"]?.includes(" "));
console.log("not fused", dashed.length > 0);
const layer = nodes().find((node) => node.listeners.dblclick);
if (layer) {
  const drawn = () => nodes().map((node) => node.attributes["data-id"]).join();
  const box = () => find((element) => element.name === "rect" && element.listeners.dblclick && !element.attributes["data-id"])[0];
  const closed = drawn();
  layer.fire("dblclick");
  console.log("opened", drawn() !== closed && box() !== undefined);
  box().fire("dblclick");
  console.log("closed again", drawn() === closed && box() === undefined);
}
svg.fire("keydown", { key: "f" });
console.log("end");
