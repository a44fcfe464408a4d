// What a module says of meshes: for command line, engine and window.
#pragma once
#include "core/analysis/meshes/CollectiveMoves.h"
#include "core/protocol/Meshes.h"

namespace fuselage {

/// Meshes, annotated values and collectives. `lineOf`: the line of an op, from 1; 0: unknown. Ops are numbered in
/// pre-order; the module is 0.
message::MeshReport<> reportMeshes(mlir::ModuleOp module,
                                   llvm::function_ref<int(mlir::Operation *, int64_t id)> lineOf);

/// A move as reports have it. `idOf`: the number of an op; `nameOf`: how its sentence names one.
message::FusionMove<> moveMessage(const CollectiveMove &move, llvm::function_ref<int64_t(mlir::Operation *)> idOf,
                                  llvm::function_ref<std::string(mlir::Operation *)> nameOf);

/// Tables for a terminal. `value`: the number of a value whose parts are listed by device; -1: none.
std::string formatMeshReport(const message::MeshReport<> &report, int value);

/// The elements that the device at a place has: "[0:16, 64:128]".
std::string meshRanges(const message::MeshLayout<> &layout, size_t place);

/// The value of this name ("%arg0", "arg0", "@main/%arg0", "result 0"); -1: there is none.
int findMeshValue(const message::MeshReport<> &report, llvm::StringRef name);

} // namespace fuselage
