// What exporters call the parts of a model, as a tree of names. Internal to core/graph.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace fuselage {

/// The modules that a name goes through, outermost first, without the last part, which is the parameter or the op:
/// "m.encoder.layer.3.attention.self.query.weight" and "params['encoder']['layer_3']['kernel']", and of ONNX and of JAX
/// "/encoder/layer.3/attention/MatMul" and "jit(main)/encoder/layer_3/add". Parts that begin with an underscore are
/// wrappers of an exporter ("_orig_mod", "__auto"), and parts with parentheses transformations; both are left out.
/// Of a name without any separator, numbers between underscores end a part: "p_encoder_layer_3_fc_weight".
std::vector<std::string> scopePath(llvm::StringRef name);

/// Whether a part of a name is a number.
bool isNumber(llvm::StringRef part);

/// Paths that share their beginnings; 0 is the empty one. A path comes after the one that it continues.
class ScopeNames {
public:
  ScopeNames() : nodes_(1) {}

  /// The number of a path; -1 where a tree would become too large for people.
  int add(const std::vector<std::string> &path);
  size_t size() const { return nodes_.size(); }
  int parentOf(int path) const { return nodes_[path].parent; }
  int depthOf(int path) const { return nodes_[path].depth; }
  const std::string &partOf(int path) const { return nodes_[path].part; }
  const std::map<std::string, int> &childrenOf(int path) const { return nodes_[path].children; }

  /// The longest beginning of both; -1 is no path and the other one's beginning.
  int common(int a, int b) const;
  bool isWithin(int path, int outer) const { return ancestorAt(path, depthOf(outer)) == outer; }
  /// The beginning of that depth; the path itself where it is shorter.
  int ancestorAt(int path, int depth) const;

  /// By path, whether its part is a number, or ends in one while a sibling with parts of its own differs in that alone:
  /// "3", "encoder_layer_3".
  std::vector<char> numbered() const;
  /// All parts from `root` down, with dots.
  std::string spell(int path, int root) const;
  /// As siblings are told apart: "attention", but "layer.3" and "features.1.0" for numbers.
  std::string shortName(int path, int root) const;

private:
  struct Node {
    int parent = 0, depth = 0;
    std::string part;
    std::map<std::string, int> children;
  };
  std::vector<Node> nodes_;
};

} // namespace fuselage
