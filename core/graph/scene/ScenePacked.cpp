// Large scenes as columns of numbers: a tenth of the time and of the bytes of toJSON.
#include "core/graph/scene/Scene.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/LEB128.h"
#include <cmath>

namespace fuselage {
namespace {

/// Whole numbers, each as a varint of its difference to the one before: neighbours differ little.
class Column {
public:
  void add(int64_t value) {
    uint64_t difference = static_cast<uint64_t>(value) - static_cast<uint64_t>(last_);
    last_ = value;
    uint64_t zigzag = difference << 1 ^ (0 - (difference >> 63));
    uint8_t bytes[10];
    bytes_.append(reinterpret_cast<char *>(bytes), llvm::encodeULEB128(zigzag, bytes));
  }
  void addLength(double pixels) { add(std::llround(pixels * 16)); }
  void repeat() { add(last_); }
  std::string text() const { return llvm::encodeBase64(bytes_); }

private:
  std::string bytes_;
  int64_t last_ = 0;
};

struct RectColumns {
  Column x, y, w, h;
  void add(const LayoutRect &rect) {
    x.addLength(rect.x);
    y.addLength(rect.y);
    w.addLength(rect.w);
    h.addLength(rect.h);
  }
  /// A rectangle that is not there: without width, where the one before is.
  void addNone() {
    x.repeat();
    y.repeat();
    w.add(0);
    h.repeat();
  }
};

/// Texts by number; the same text is sent once.
class Texts {
public:
  uint32_t numberOf(llvm::StringRef text) {
    auto [known, added] = numbers_.try_emplace(text, static_cast<uint32_t>(all_.size()));
    if (added)
      all_.push_back(text);
    return known->second;
  }
  llvm::json::Array take() { return std::move(all_); }

private:
  llvm::StringMap<uint32_t> numbers_;
  llvm::json::Array all_;
};

llvm::json::Object packNodes(const Scene &scene, Texts &texts) {
  Column ids, titles, subtitles, kinds, dispatches, hidden, counts, portCounts, portsShown, portIds, portTexts;
  RectColumns rects;
  for (const SceneNode &node : scene.nodes) {
    ids.add(node.id);
    titles.add(texts.numberOf(node.title));
    subtitles.add(texts.numberOf(node.subtitle));
    kinds.add(texts.numberOf(nodeKindName(node.kind)));
    dispatches.add(node.dispatch);
    hidden.add(node.collapsedCluster ? static_cast<int64_t>(node.hidden) : -1);
    counts.add(node.count);
    portCounts.add(node.portCount);
    portsShown.add(static_cast<int64_t>(node.ports.size()));
    for (const ScenePort &port : node.ports) {
      portIds.add(port.id);
      portTexts.add(texts.numberOf(port.text));
    }
    rects.add(node.rect);
  }
  return llvm::json::Object{{"id", ids.text()},
                            {"title", titles.text()},
                            {"subtitle", subtitles.text()},
                            {"kind", kinds.text()},
                            {"dispatch", dispatches.text()},
                            {"hidden", hidden.text()},
                            {"count", counts.text()},
                            {"port_count", portCounts.text()},
                            {"ports", portsShown.text()},
                            {"port_id", portIds.text()},
                            {"port_text", portTexts.text()},
                            {"x", rects.x.text()},
                            {"y", rects.y.text()},
                            {"w", rects.w.text()},
                            {"h", rects.h.text()}};
}

llvm::json::Object packEdges(const Scene &scene, Texts &texts) {
  Column froms, tos, labels, bytes, bends, bendX, bendY, uses, useFrom, useTo, useOperand;
  RectColumns places;
  for (const SceneEdge &edge : scene.edges) {
    froms.add(edge.from);
    tos.add(edge.to);
    labels.add(texts.numberOf(edge.label));
    bytes.add(edge.bytes);
    bends.add(static_cast<int64_t>(edge.points.size()));
    for (const LayoutPoint &point : edge.points) {
      bendX.addLength(point.x);
      bendY.addLength(point.y);
    }
    if (edge.labelRect.w > 0)
      places.add(edge.labelRect);
    else
      places.addNone();
    uses.add(static_cast<int64_t>(edge.uses.size()));
    for (const SceneUse &use : edge.uses) {
      useFrom.add(use.from);
      useTo.add(use.to);
      useOperand.add(use.operand);
    }
  }
  return llvm::json::Object{
      {"from", froms.text()},       {"to", tos.text()},           {"label", labels.text()},
      {"bytes", bytes.text()},      {"bends", bends.text()},      {"bend_x", bendX.text()},
      {"bend_y", bendY.text()},     {"label_x", places.x.text()}, {"label_y", places.y.text()},
      {"label_w", places.w.text()}, {"label_h", places.h.text()}, {"uses", uses.text()},
      {"use_from", useFrom.text()}, {"use_to", useTo.text()},     {"use_operand", useOperand.text()}};
}

llvm::json::Object packClusters(const Scene &scene, Texts &texts) {
  Column ids, labels, kinds, dispatches, depths, parents;
  RectColumns rects;
  for (const SceneCluster &cluster : scene.clusters) {
    ids.add(cluster.id);
    labels.add(texts.numberOf(cluster.label));
    kinds.add(texts.numberOf(clusterKindName(cluster.kind)));
    dispatches.add(cluster.dispatch);
    depths.add(cluster.depth);
    parents.add(cluster.parent);
    rects.add(cluster.rect);
  }
  return llvm::json::Object{
      {"id", ids.text()},       {"label", labels.text()},   {"kind", kinds.text()}, {"dispatch", dispatches.text()},
      {"depth", depths.text()}, {"parent", parents.text()}, {"x", rects.x.text()},  {"y", rects.y.text()},
      {"w", rects.w.text()},    {"h", rects.h.text()}};
}

llvm::json::Object packHidden(const Scene &scene) {
  Column ops, nodes;
  for (auto [op, node] : scene.hiddenOps) {
    ops.add(op);
    nodes.add(node);
  }
  return llvm::json::Object{{"op", ops.text()}, {"node", nodes.text()}};
}

} // namespace

llvm::json::Value toPackedJSON(const Scene &scene) {
  Scene rest; // what is never large
  rest.bounds = scene.bounds;
  rest.entry = scene.entry;
  rest.dispatchLocs = scene.dispatchLocs;
  rest.dispatchHues = scene.dispatchHues;
  llvm::json::Value json = toJSON(rest);
  Texts texts;
  llvm::json::Object packed{{"nodes", packNodes(scene, texts)},
                            {"edges", packEdges(scene, texts)},
                            {"clusters", packClusters(scene, texts)},
                            {"hidden", packHidden(scene)}};
  packed["texts"] = texts.take();
  (*json.getAsObject())["packed"] = std::move(packed);
  return json;
}

} // namespace fuselage
