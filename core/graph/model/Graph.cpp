#include "core/graph/model/Graph.h"
#include "core/protocol/json/JsonLines.h"
#include "core/support/TwoThreads.h"
#include "core/text/PrintableText.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

llvm::StringRef nodeKindName(NodeKind kind) {
  switch (kind) {
  case NodeKind::Compute:
    return "compute";
  case NodeKind::Constant:
    return "constant";
  case NodeKind::Empty:
    return "empty";
  case NodeKind::Reshape:
    return "reshape";
  case NodeKind::Slice:
    return "slice";
  case NodeKind::Call:
    return "call";
  case NodeKind::Argument:
    return "argument";
  case NodeKind::Return:
    return "return";
  case NodeKind::Control:
    return "control";
  case NodeKind::Dispatch:
    return "dispatch";
  case NodeKind::Gap:
    return "gap";
  case NodeKind::Other:
    return "other";
  }
  return "other";
}

llvm::StringRef clusterKindName(GraphCluster::Kind kind) {
  switch (kind) {
  case GraphCluster::Kind::Function:
    return "function";
  case GraphCluster::Kind::Dispatch:
    return "dispatch";
  case GraphCluster::Kind::Region:
    return "region";
  case GraphCluster::Kind::Repeat:
    return "repeat";
  case GraphCluster::Kind::Instance:
    return "instance";
  case GraphCluster::Kind::Others:
    return "others";
  case GraphCluster::Kind::Scope:
    return "scope";
  }
  return "region";
}

llvm::StringRef scopeKindName(GraphScope::Kind kind) {
  switch (kind) {
  case GraphScope::Kind::Module:
    return "module";
  case GraphScope::Kind::Stage:
    return "stage";
  case GraphScope::Kind::Layer:
    return "layer";
  case GraphScope::Kind::Block:
    return "block";
  }
  return "module";
}

namespace {
/// Writes members in the order of their keys, and hands on the text in printable pieces: one text of all of it would be
/// copied, and its pages touched anew, each time that it grows.
class GraphWriter {
public:
  using Take = std::function<void(llvm::StringRef piece)>;

  explicit GraphWriter(Take take) : take_(std::move(take)), json_(text_) {}
  /// Goes on after what `before` writes in its object.
  GraphWriter(Take take, const GraphWriter &before) : take_(std::move(take)), json_(text_, before.json_) {}

  void write(llvm::ArrayRef<const FunctionGraph *> functions) {
    json_.object([&] {
      json_.attributeArray("functions", [&] {
        for (const FunctionGraph *function : functions)
          json_.object([&] { members(*function); });
      });
      json_.attribute("version", 1);
    });
    text_ += '\n';
    handOn();
  }

private:
  /// What is written so far ends between two tokens.
  void handOn() {
    bool isPrintable = printable_text::countPlain(text_) == text_.size();
    take_(isPrintable ? text_ : printable(text_, Spelling::Json));
    text_.clear();
  }

  /// The nodes of a large function are written by another thread, into pieces of their own.
  void members(const FunctionGraph &function) {
    constexpr size_t many = 1000;
    if (function.nodes.size() < many) {
      membersToName(function);
      return membersFromNodes(function);
    }
    std::vector<std::string> rest;
    GraphWriter after([&](llvm::StringRef piece) { rest.push_back(piece.str()); }, *this);
    auto writeRest = [&] {
      after.membersFromNodes(function);
      after.handOn();
    };
    runBoth([&] { membersToName(function); }, writeRest);
    handOn();
    for (const std::string &piece : rest)
      take_(piece);
  }

  void membersToName(const FunctionGraph &function) {
    objects("clusters", function.clusters);
    objects("dispatches", function.dispatches);
    objects("edges", function.edges);
    json_.attribute("id", function.id);
    text("name", function.name);
  }

  void membersFromNodes(const FunctionGraph &function) {
    objects("nodes", function.nodes);
    json_.attribute("outlined", function.outlined);
    objects("repeats", function.repeats);
    objects("scopes", function.scopes);
  }

  void members(const GraphScope &scope) {
    json_.attribute("first", scope.first);
    json_.attribute("kind", scopeKindName(scope.kind));
    text("label", scope.label);
    json_.attribute("parent", scope.parent);
    text("path", scope.path);
  }

  void members(const GraphNode &node) {
    bound(node.bytesAtMost);
    json_.attribute("bytes_read", node.bytesRead);
    json_.attribute("bytes_written", node.bytesWritten);
    json_.attribute("cluster", node.cluster);
    json_.attribute("dispatch", node.dispatch);
    json_.attribute("first_line", node.lines.first);
    json_.attribute("flops", node.flops);
    json_.attribute("id", node.id);
    text("iterators", node.iterators);
    json_.attribute("kind", nodeKindName(node.kind));
    text("label", node.label);
    json_.attribute("last_line", node.lines.last);
    text("loc", node.loc);
    texts("maps", node.maps);
    text("op", node.op);
    if (!node.parameter.empty())
      text("parameter", node.parameter);
    texts("results", node.results);
    if (node.scope >= 0)
      json_.attribute("scope", node.scope);
    texts("types", node.types);
  }

  void members(const GraphEdge &edge) {
    json_.attribute("bytes", edge.bytes);
    bound(edge.bytesAtMost);
    json_.attribute("from", edge.from);
    json_.attribute("operand", edge.operand);
    json_.attribute("result", edge.result);
    json_.attribute("to", edge.to);
    text("type", edge.type);
  }

  void members(const GraphDispatch &dispatch) {
    bound(dispatch.bytesAtMost);
    json_.attribute("bytes_read", dispatch.bytesRead);
    json_.attribute("bytes_written", dispatch.bytesWritten);
    json_.attribute("flops", dispatch.flops);
    text("function", dispatch.function);
    json_.attribute("id", dispatch.id);
    text("kind", dispatch.kind);
    text("name", dispatch.name);
    json_.attributeArray("nodes", [&] { ids(dispatch.nodes); });
  }

  void members(const GraphCluster &cluster) {
    json_.attribute("dispatch", cluster.dispatch);
    json_.attribute("id", cluster.id);
    json_.attribute("kind", clusterKindName(cluster.kind));
    text("label", cluster.label);
    json_.attribute("parent", cluster.parent);
  }

  void members(const GraphRepeat &repeat) {
    json_.attribute("cluster", repeat.cluster);
    json_.attribute("count", repeat.instances.size());
    json_.attributeArray("instances", [&] {
      for (const std::vector<OpId> &instance : repeat.instances)
        json_.array([&] { ids(instance); });
    });
    text("label", repeat.label);
    if (!repeat.names.empty())
      texts("names", repeat.names);
    json_.attribute("parent", repeat.parent);
    json_.attribute("parent_instance", repeat.parentInstance);
  }

  template <typename T> void objects(llvm::StringRef key, const std::vector<T> &elements) {
    json_.attributeArray(key, [&] {
      for (const T &element : elements) {
        json_.object([&] { members(element); });
        if (text_.size() >= pieceSize)
          handOn();
      }
    });
  }
  void ids(const std::vector<OpId> &ids) {
    for (OpId id : ids)
      json_.value(id);
  }
  void text(llvm::StringRef key, llvm::StringRef text) { json_.attribute(key, text); }
  template <typename Texts> void texts(llvm::StringRef key, const Texts &texts) {
    json_.attributeArray(key, [&] {
      for (llvm::StringRef text : texts)
        json_.value(text);
    });
  }
  /// Bounds say that they are; numbers that are exact say nothing.
  void bound(bool bytesAtMost) {
    if (bytesAtMost)
      json_.attribute("bytes_at_most", true);
  }

  static constexpr size_t pieceSize = 64 << 10;
  Take take_;
  std::string text_; ///< that was not handed on
  JsonLines json_;
};
} // namespace

void writeJSON(llvm::ArrayRef<const FunctionGraph *> functions, llvm::raw_ostream &os) {
  GraphWriter([&](llvm::StringRef piece) { os << piece; }).write(functions);
}

} // namespace fuselage
