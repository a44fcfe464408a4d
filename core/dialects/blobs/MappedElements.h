// DenseElementsAttr without a copy of its data.
#pragma once
#include "mlir/IR/BuiltinAttributes.h"

namespace fuselage {

/// The attribute that DenseElementsAttr::getFromRawBuffer() makes, equal ones being the same, but of `mapped`, which
/// must lie in a ScratchFile that outlives the context. Reads the data once, for its hash; no page stays in memory.
/// What MLIR would not keep as it is, splats and i1, is copied.
mlir::DenseElementsAttr getMappedElements(mlir::ShapedType type, llvm::ArrayRef<char> mapped);

} // namespace fuselage
