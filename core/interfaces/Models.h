// Where the models of FusableOpInterface register themselves, a family of ops a file.
#pragma once
#include "mlir/IR/DialectRegistry.h"

namespace fuselage {

/// tensor.extract_slice and tensor.cast, which move nothing.
void registerSliceModels(mlir::DialectRegistry &registry);
/// tensor.expand_shape and tensor.collapse_shape.
void registerReshapeModels(mlir::DialectRegistry &registry);
void registerConcatModel(mlir::DialectRegistry &registry);
/// All ops with a TilingInterface, tensor.pad among them.
void registerTilableModels(mlir::DialectRegistry &registry);

} // namespace fuselage
