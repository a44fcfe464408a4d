// A function below tensors made callable: on buffers of known sizes, whatever it takes itself.
#pragma once
#include "core/run/HostCheck.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuselage {

/// What a caller has: tensors of static shape, which are passed as dense buffers, and scalars.
struct EntrySignature {
  llvm::SmallVector<mlir::Type> inputs, outputs;
};

/// Of what the reference got and expects.
EntrySignature signatureOf(const HostReference &reference);

/// Where the caller gets results from.
enum class EntryResults {
  Returned,       ///< the entry allocates and returns them
  InLastArguments ///< the entry writes them into buffers that it is given; a scalar's has rank 0
};

/// The function that buildBufferEntry() makes.
inline constexpr char kBufferEntry[] = "fuselage_entry";

/// A copy of the module of a function, with a public @fuselage_entry of this signature that calls it; everything else
/// is private. The function is a func.func on buffers and scalars, or an llvm.func that such a one was lowered to (by
/// descriptors or bare pointers), and gives its results or takes memory for them as its last arguments. Failure: there
/// is no such function, or it takes or gives something else.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> buildBufferEntry(mlir::ModuleOp module, llvm::StringRef function,
                                                                   const EntrySignature &signature,
                                                                   EntryResults results);

} // namespace fuselage
