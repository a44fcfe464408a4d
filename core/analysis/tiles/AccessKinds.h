// One model a kind of op. Internal to core/analysis/tiles.
#pragma once
#include "core/analysis/tiles/AccessModel.h"

namespace fuselage {

/// Each returns null where `op` is not of its kind or, with `why`, cannot be modelled.
using AccessPtr = std::unique_ptr<AccessModel>;
AccessPtr structuredAccess(mlir::Operation *op, std::string &why);
AccessPtr softmaxAccess(mlir::Operation *op);
AccessPtr attentionAccess(mlir::Operation *op);
AccessPtr elementwiseAccess(mlir::Operation *op);
AccessPtr padAccess(mlir::Operation *op);
AccessPtr extractSliceAccess(mlir::Operation *op);
AccessPtr insertSliceAccess(mlir::Operation *op);
AccessPtr reshapeAccess(mlir::Operation *op);
AccessPtr concatAccess(mlir::Operation *op);
AccessPtr gatherAccess(mlir::Operation *op);
AccessPtr packAccess(mlir::Operation *op);
AccessPtr unpackAccess(mlir::Operation *op);

/// The shape of a shaped value.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
/// Sets the domain to the elements of result 0, all loops parallel.
void setResultDomain(AccessModel &access);

} // namespace fuselage
