// Listings with the places that their lines come from.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "core/protocol/KernelCode.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Collects lines, each with the place it comes from.
class ListingWriter {
public:
  void add(llvm::StringRef line, const SourcePosition &place = {});
  /// What was collected, cut where it is too long to be shown.
  message::KernelListing<> take(llvm::StringRef stage, llvm::StringRef title, llvm::StringRef kernel,
                                llvm::StringRef madeBy);

private:
  message::KernelListing<> listing_;
  int64_t lines_ = 0;
};

/// A module as MLIR prints it: a line comes from where the innermost op on it does.
ListingWriter listModule(mlir::ModuleOp module);

/// Text of which nothing else is known.
ListingWriter listText(llvm::StringRef text);

} // namespace fuselage
