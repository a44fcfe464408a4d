// HLO text of XLA (--xla_dump_to) as a module that can be looked at.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace fuselage {

/// Whether a text is an HLO module: its first line that is no comment starts with "HloModule".
bool isHloText(llvm::StringRef text);

/// A module of ops `hlo.OPCODE`, one an instruction, which no dialect defines:
/// - the entry and the computations that several instructions call are functions; all others are regions of what calls
///   them. Of a payload that is one op (the add of a reduce), the op has the name as attribute `to_apply`.
/// - in a program that XLA has cut into kernels, `hlo.fusion` holds the body of a fusion, and `hlo.kernel` one
///   instruction that is a kernel by itself, or a call of a library. They read values from outside, as
///   flow.dispatch.region does.
/// - tuples are flattened: what makes them and takes elements of them becomes no op.
/// - the name of a value is that of its instruction; its location is the op_name of the metadata around the place in
///   `file`. Attributes are kept as they are written, long ones shortened.
/// The module has the attribute `hlo.has_kernels` (isXlaModule()). `warning` gets what was left out, if anything.
/// Failure: what is wrong with the text, with line and column.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> importHlo(mlir::MLIRContext &context, llvm::StringRef text,
                                                            llvm::StringRef file, std::string &warning);

} // namespace fuselage
