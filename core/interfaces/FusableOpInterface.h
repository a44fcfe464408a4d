// The op interface of fusion: see FusableOpInterface.td for its methods.
//
// After the proposal to split TilingInterface into tiling and fusion; method by method the fusion
// half of mlir/Interfaces/TilingInterface.td.
#pragma once
#include "core/interfaces/FusableReason.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/TilingInterface.h"

// mlir-tblgen's definitions leave parameters unused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "core/interfaces/FusableOpInterface.h.inc"
#pragma GCC diagnostic pop

namespace fuselage {

/// Gives FusableOpInterface to every op that has a TilingInterface when its dialect is loaded, and
/// to tensor.extract_slice, expand_shape, collapse_shape, cast, pad and concat. Call it after the
/// registration of the models of TilingInterface: extensions are applied in that order.
void registerFusableModels(mlir::DialectRegistry &registry);

} // namespace fuselage
