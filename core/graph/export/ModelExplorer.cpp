#include "core/graph/export/ModelExplorer.h"
#include "core/graph/scene/Palette.h"
#include "core/support/Units.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <set>

namespace fuselage {
namespace {

using llvm::json::OStream;

std::string asUtf8(llvm::StringRef text) { return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text); }

std::string idOf(OpId node) { return std::to_string(node); }

/// A component of a namespace; slashes separate these.
std::string component(llvm::StringRef label) {
  std::string text = asUtf8(label.empty() ? "part" : label);
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

/// "matmul_128x768x768", "matmul_128x768x768 (2)": dispatches of one name are different boxes.
std::vector<std::string> dispatchComponents(const FunctionGraph &function) {
  std::map<std::string, unsigned> seen;
  std::vector<std::string> names;
  for (const GraphDispatch &dispatch : function.dispatches) {
    std::string name = component(dispatch.name);
    unsigned number = ++seen[name];
    names.push_back(number == 1 ? name : name + " (" + std::to_string(number) + ")");
  }
  return names;
}

/// The ops that stand for dispatches: their root ops, else their last ones. noNode: none is drawn.
std::vector<OpId> rootsOf(const FunctionGraph &function) {
  std::vector<OpId> roots(function.dispatches.size(), noNode);
  std::vector<bool> isFound(function.dispatches.size());
  for (const GraphNode &node : function.nodes) {
    if (node.dispatch < 0 || isFound[node.dispatch])
      continue;
    const GraphDispatch &dispatch = function.dispatches[node.dispatch];
    roots[node.dispatch] = node.id;
    isFound[node.dispatch] = !dispatch.loc.empty() && node.loc == dispatch.loc;
  }
  return roots;
}

/// Namespaces of the nodes of a function.
class Namespaces {
public:
  explicit Namespaces(const FunctionGraph &function)
      : function_(function), dispatches_(dispatchComponents(function)), roots_(rootsOf(function)),
        layers_(function.nodes.size()) {
    for (const auto &[index, node] : llvm::enumerate(function.nodes))
      nodes_[node.id] = index;
    for (const GraphRepeat &repeat : function.repeats)
      addRepeat(repeat);
  }

  std::string of(const GraphNode &node) const {
    std::vector<std::string> inner; // innermost first
    OpId outermost = node.id;       // whose layer they all lie in
    bool hasDispatch = false;
    for (int at = node.cluster; at >= 0; at = function_.clusters[at].parent) {
      const GraphCluster &cluster = function_.clusters[at];
      if (cluster.kind == GraphCluster::Kind::Region) {
        inner.push_back(component(cluster.label) + " #" + idOf(cluster.id));
        outermost = cluster.id;
      } else if (cluster.kind == GraphCluster::Kind::Dispatch && cluster.dispatch >= 0) {
        inner.push_back(dispatches_[cluster.dispatch]);
        outermost = roots_[cluster.dispatch];
        hasDispatch = true;
      }
    }
    if (node.dispatch >= 0 && !hasDispatch && function_.dispatches[node.dispatch].function.empty()) {
      inner.push_back(dispatches_[node.dispatch]);
      outermost = roots_[node.dispatch];
    }
    std::vector<std::string> parts = layersOf(outermost);
    parts.insert(parts.end(), inner.rbegin(), inner.rend());
    return llvm::join(parts, "/");
  }
  /// Of the box of a dispatch; empty: none of its ops is drawn.
  std::string ofDispatch(int dispatch) const {
    auto found = nodes_.find(roots_[dispatch]);
    bool isDrawn = found != nodes_.end() && function_.dispatches[dispatch].function.empty();
    return isDrawn ? of(function_.nodes[found->second]) : "";
  }

private:
  /// Of layers without names: "matmul 128x768x768, 3 of 12".
  void addRepeat(const GraphRepeat &repeat) {
    for (const auto &[number, instance] : llvm::enumerate(repeat.instances)) {
      std::vector<std::string> around;
      if (repeat.parent >= 0 && !repeat.instances.front().empty())
        around = repeatParts_.count({repeat.parent, repeat.parentInstance})
                     ? repeatParts_.at({repeat.parent, repeat.parentInstance})
                     : std::vector<std::string>();
      around.push_back(llvm::formatv("{0}, {1} of {2}", component(repeat.label), number + 1, repeat.instances.size()));
      int self = static_cast<int>(&repeat - function_.repeats.data());
      repeatParts_[{self, static_cast<int>(number)}] = around;
      for (OpId id : instance)
        if (auto found = nodes_.find(id); found != nodes_.end() && repeat.names.empty())
          layers_[found->second] = around;
    }
  }
  std::vector<std::string> layersOf(OpId id) const {
    auto found = nodes_.find(id);
    if (found == nodes_.end())
      return {};
    int scope = function_.nodes[found->second].scope;
    if (scope < 0)
      return layers_[found->second];
    std::vector<std::string> parts;
    for (; scope >= 0; scope = function_.scopes[scope].parent)
      parts.insert(parts.begin(), component(function_.scopes[scope].label));
    return parts;
  }

  const FunctionGraph &function_;
  std::vector<std::string> dispatches_;
  std::vector<OpId> roots_;
  std::vector<std::vector<std::string>> layers_; ///< by index of the node, of repeats without names
  std::map<std::pair<int, int>, std::vector<std::string>> repeatParts_;
  llvm::DenseMap<OpId, size_t> nodes_;
};

/// Writes one function.
class GraphWriter {
public:
  GraphWriter(OStream &json, const FunctionGraph &function, const ModelExplorerOptions &options)
      : json_(json), function_(function), options_(options), namespaces_(function) {
    for (const GraphNode &node : function.nodes)
      ids_.insert(node.id);
    for (const GraphEdge &edge : function.edges)
      if (ids_.count(edge.from) && ids_.count(edge.to))
        incoming_[edge.to].push_back(&edge);
  }

  void write() {
    json_.object([&] {
      json_.attribute("id", asUtf8(function_.name));
      json_.attributeArray("nodes", [&] {
        for (const GraphNode &node : function_.nodes)
          writeNode(node);
      });
      writeGroups();
      if (options_.verdicts)
        writeOverlays();
      // A dispatch of one op is a box all the same.
      json_.attributeObject("layoutConfigs", [&] { json_.attribute("keepLayersWithASingleChild", true); });
    });
  }

private:
  void pair(llvm::StringRef key, llvm::StringRef value) {
    if (value.empty())
      return;
    json_.object([&] {
      json_.attribute("key", key);
      json_.attribute("value", asUtf8(value));
    });
  }
  void number(llvm::StringRef key, int64_t value, bool atMost = false) {
    if (value != 0)
      pair(key, value < 0 ? "unknown" : (atMost ? "at most " : "") + std::to_string(value));
  }

  void writeNode(const GraphNode &node) {
    json_.object([&] {
      json_.attribute("id", idOf(node.id));
      json_.attribute("label", asUtf8(node.label.empty() ? node.op : node.label));
      json_.attribute("namespace", namespaces_.of(node));
      if (node.dispatch >= 0)
        if (const std::string &callee = function_.dispatches[node.dispatch].function; !callee.empty())
          json_.attributeArray("subgraphIds", [&] { json_.value(asUtf8(callee)); });
      json_.attributeArray("attrs", [&] { writeAttributes(node); });
      json_.attributeArray("incomingEdges", [&] {
        for (const GraphEdge *edge : incoming_.lookup(node.id))
          json_.object([&] {
            json_.attribute("sourceNodeId", idOf(edge->from));
            json_.attribute("sourceNodeOutputId", std::to_string(edge->result));
            json_.attribute("targetNodeInputId", std::to_string(edge->operand));
          });
      });
      json_.attributeArray("inputsMetadata", [&] {
        std::set<unsigned> seen;
        for (const GraphEdge *edge : incoming_.lookup(node.id))
          if (seen.insert(edge->operand).second)
            metadata(edge->operand, edge->type, "");
      });
      json_.attributeArray("outputsMetadata", [&] {
        for (const auto &[index, type] : llvm::enumerate(node.types))
          metadata(index, type, index < node.results.size() ? node.results[index] : "");
      });
    });
  }
  void metadata(size_t id, llvm::StringRef type, const std::string &name) {
    json_.object([&] {
      json_.attribute("id", std::to_string(id));
      json_.attributeArray("attrs", [&] {
        pair("tensor_shape", type);
        pair("tensor_name", name);
      });
    });
  }
  void writeAttributes(const GraphNode &node) {
    pair("op", node.op);
    pair("kind", nodeKindName(node.kind));
    pair("location", node.loc);
    pair("parameter", node.parameter);
    pair("iterators", node.iterators);
    for (const auto &[operand, map] : llvm::enumerate(node.maps))
      pair("map " + std::to_string(operand), map);
    number("flops", node.flops);
    number("bytes read", node.bytesRead, node.bytesAtMost);
    number("bytes written", node.bytesWritten, node.bytesAtMost);
    if (node.dispatch >= 0)
      pair("dispatch", function_.dispatches[node.dispatch].name);
  }

  /// What is known of each dispatch, at its box; of the function where nothing is selected.
  void writeGroups() {
    json_.attributeObject("groupNodeAttributes", [&] {
      json_.attributeObject("", [&] {
        json_.attribute("function", asUtf8(function_.name));
        json_.attribute("dispatches", std::to_string(function_.dispatches.size()));
        json_.attribute("written for", std::string("Model Explorer ") + modelExplorerVersion);
      });
      for (const GraphDispatch &dispatch : function_.dispatches) {
        std::string place = namespaces_.ofDispatch(dispatch.id);
        if (place.empty())
          continue;
        json_.attributeObject(place, [&] {
          json_.attribute("kind", asUtf8(dispatch.kind));
          auto figure = [&](llvm::StringRef key, int64_t value) {
            json_.attribute(key, value < 0 ? "unknown" : std::to_string(value));
          };
          figure("flops", dispatch.flops);
          figure("bytes read", dispatch.bytesRead);
          figure("bytes written", dispatch.bytesWritten);
          if (!dispatch.loc.empty())
            json_.attribute("location", asUtf8(dispatch.loc));
        });
      }
    });
  }

  void writeOverlays() {
    json_.attributeObject("tasksData", [&] {
      json_.attributeArray("edgeOverlaysDataListLeftPane", [&] {
        json_.object([&] {
          json_.attribute("type", "edge_overlays");
          json_.attribute("name", "Fusion");
          json_.attributeArray("overlays", [&] {
            for (EdgeLook look :
                 {EdgeLook::Fused, EdgeLook::Possible, EdgeLook::Tried, EdgeLook::NotTried, EdgeLook::Impossible})
              writeOverlay(look);
          });
        });
      });
    });
  }
  void writeOverlay(EdgeLook look) {
    std::vector<const GraphEdge *> edges;
    for (const GraphEdge &edge : function_.edges) {
      auto found = options_.verdicts->looks.find({edge.from, edge.to, edge.operand});
      if (found != options_.verdicts->looks.end() && found->second == look && ids_.count(edge.from) &&
          ids_.count(edge.to))
        edges.push_back(&edge);
    }
    if (edges.empty())
      return;
    json_.object([&] {
      json_.attribute("name", message::fusionStateWords[static_cast<size_t>(look)]);
      json_.attribute("edgeColor", lookColor(look));
      json_.attribute("edgeWidth", look == EdgeLook::Fused ? 1 : 2);
      json_.attributeArray("edges", [&] {
        for (const GraphEdge *edge : edges)
          json_.object([&] {
            json_.attribute("sourceNodeId", idOf(edge->from));
            json_.attribute("targetNodeId", idOf(edge->to));
            if (look != EdgeLook::Fused && edge->bytes > 0)
              json_.attribute("label", binaryBytesText(static_cast<double>(edge->bytes)));
          });
      });
    });
  }

  OStream &json_;
  const FunctionGraph &function_;
  const ModelExplorerOptions &options_;
  Namespaces namespaces_;
  std::set<OpId> ids_;
  llvm::DenseMap<OpId, std::vector<const GraphEdge *>> incoming_;
};

/// "model.mlir:3:4" of "a/b/model.mlir:3:4": a run may have named the file from another folder.
llvm::StringRef withoutFolder(llvm::StringRef place) {
  auto slash = place.rfind('/');
  return slash == llvm::StringRef::npos ? place : place.drop_front(slash + 1);
}

} // namespace

std::string toModelExplorer(llvm::ArrayRef<const FunctionGraph *> functions, const ModelExplorerOptions &options) {
  std::vector<const FunctionGraph *> order(functions.begin(), functions.end());
  llvm::stable_sort(order, [](const FunctionGraph *a, const FunctionGraph *b) { return a->isEntry > b->isEntry; });
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("label", asUtf8(options.label));
    json.attributeArray("graphs", [&] {
      for (const FunctionGraph *function : order)
        GraphWriter(json, *function, options).write();
    });
  });
  return text + "\n";
}

static void writeTimes(OStream &json, const FunctionGraph &function, llvm::StringRef device,
                       const std::map<std::string, double> &results) {
  json.attributeObject(asUtf8(function.name), [&] {
    json.attribute("name", "Time on " + asUtf8(device) + " (us)");
    json.attributeObject("results", [&] {
      for (const auto &[node, us] : results)
        json.attributeObject(node, [&] { json.attribute("value", us); });
    });
    json.attributeArray("gradient", [&] {
      for (auto [stop, color] : {std::pair(0, paperColor), std::pair(1, lookColor(EdgeLook::Possible))})
        json.object([&] {
          json.attribute("stop", stop);
          json.attribute("bgColor", color);
        });
    });
  });
}

/// The places of a function's dispatches: of root ops, and of what else is in them.
static std::map<std::string, int> placesOf(const FunctionGraph &function) {
  std::map<std::string, int> places;
  for (const GraphDispatch &dispatch : function.dispatches)
    if (!dispatch.loc.empty())
      places.try_emplace(withoutFolder(dispatch.loc).str(), dispatch.id);
  for (const GraphNode &node : function.nodes)
    if (node.dispatch >= 0 && !node.loc.empty())
      places.try_emplace(withoutFolder(node.loc).str(), node.dispatch);
  return places;
}

/// The dispatch that was timed; -1: it is none of these.
static int findDispatch(const std::map<std::string, int> &places, const TimedDispatch &timed) {
  auto find = [&](const std::string &place) {
    auto found = places.find(withoutFolder(place).str());
    return found == places.end() ? -1 : found->second;
  };
  int dispatch = find(timed.place);
  for (const std::string &part : timed.parts)
    if (dispatch < 0)
      dispatch = find(part);
  return dispatch;
}

ModelExplorerTimes modelExplorerTimes(llvm::ArrayRef<const FunctionGraph *> functions, const TimedRun &run) {
  std::vector<const TimedDispatch *> left;
  for (const TimedDispatch &dispatch : run.dispatches)
    if (!dispatch.onHost && dispatch.us.isKnown())
      left.push_back(&dispatch);
  const size_t known = left.size();
  ModelExplorerTimes times;
  llvm::raw_string_ostream os(times.json);
  OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    for (const FunctionGraph *function : functions) {
      std::map<std::string, double> results;
      std::vector<OpId> roots = rootsOf(*function);
      std::map<std::string, int> places = placesOf(*function);
      llvm::erase_if(left, [&](const TimedDispatch *timed) {
        int dispatch = findDispatch(places, *timed);
        if (dispatch < 0 || roots[dispatch] == noNode)
          return false;
        results[idOf(roots[dispatch])] += timed->us.median;
        return true;
      });
      if (!results.empty())
        writeTimes(json, *function, run.device, results);
    }
  });
  times.unmatched = left.size();
  times.matched = known - left.size();
  times.json += "\n";
  return times;
}

} // namespace fuselage
