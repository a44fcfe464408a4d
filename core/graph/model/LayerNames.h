// The layers of a model by name, for lists of what several of them have.
#pragma once
#include "core/graph/model/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace fuselage {

/// Says which layer of a model an op lies in.
class LayerNames {
public:
  explicit LayerNames(const Graph &graph);

  /// "encoder.layer.3", the outermost layer that the exporter named; else the outermost part of the model with a name,
  /// "embeddings"; where nothing has names, "layer 4", the fourth of equal ones that follow each other. Empty: none of
  /// these.
  std::string of(OpId op) const;

private:
  int add(std::string name);
  void addScopes(const FunctionGraph &function);
  void addRepeats(const FunctionGraph &function);

  llvm::DenseMap<OpId, int> nameOf_; ///< index into names_
  std::vector<std::string> names_;
};

/// The layers that dispatches lie in: each in that of its last op that lies in any. By where the root op of a dispatch
/// comes from (GraphDispatch::loc); of several dispatches from one place in program order. Empty texts are of
/// dispatches in no layer.
std::map<std::string, std::vector<std::string>> layersOfDispatches(const Graph &graph, const LayerNames &names);

/// The layers of ops by where they come from ("x.mlir:3:5"); places of ops in several layers are left out. `module`:
/// that of the graph.
std::map<std::string, std::string> layersOfPlaces(const LayerNames &names, mlir::ModuleOp module);

} // namespace fuselage
