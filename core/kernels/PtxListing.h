// PTX, LLVM IR and SASS with the places that their lines come from.
#pragma once
#include "core/kernels/ListingWriter.h"
#include "core/kernels/LocationTable.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// Texts made of a copy of a module whose places are numbers. `ptx` has .loc directives.
struct PlacedPtx {
  std::string ptx, bitcode;
};
/// `module`: one gpu.module in LLVM's dialect, before gpu-module-to-binary. Empty texts where that fails.
PlacedPtx compileWithPlaces(mlir::ModuleOp module, llvm::StringRef toolkit, LocationTable &places);

/// Whether two PTX texts are the same code: but for directives about lines and files.
bool isSamePtx(llvm::StringRef one, llvm::StringRef other);
ListingWriter listPtx(llvm::StringRef ptx, const LocationTable &places);
/// As nvdisasm -g prints it.
ListingWriter listSass(llvm::StringRef sass, const LocationTable &places);
/// Of LLVM bitcode, without its debug information. Empty text: it cannot be read.
ListingWriter listBitcode(llvm::StringRef bitcode, const LocationTable &places);

} // namespace fuselage
