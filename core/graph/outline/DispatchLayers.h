// Which layer of a model a dispatch lies in.
#pragma once
#include "core/graph/model/Graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace fuselage {

/// The layers that dispatches lie in, as graph and outline name them: "layer 3", or "encoder.layer.3" where the
/// exporter left names. By where the root op of a dispatch comes from (GraphDispatch::loc); of several dispatches from
/// one place in program order. Empty texts are of dispatches in no layer.
std::map<std::string, std::vector<std::string>> layersOfDispatches(const Graph &graph);

/// The same of ops, by where they come from ("file:line:column"), as far as no two layers share a place.
std::map<std::string, std::string> layersOfPlaces(const Graph &graph, mlir::ModuleOp module);

/// The same of ops; those in no layer are left out.
llvm::DenseMap<OpId, std::string> layersOfOps(const Graph &graph);

} // namespace fuselage
