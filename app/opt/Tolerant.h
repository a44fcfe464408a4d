// fuselage-opt --tolerant: reads what users really have.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace fuselage::opt {

/// If `--tolerant` is among the arguments: reads the file as Session::read does, prints its diagnostics
/// to stderr, runs the passes (`--pass-pipeline=` or `--some-pass` flags), prints the module. Understands
/// `-o FILE`, `--emit-bytecode`, `--mlir-print-op-generic`, `--mlir-print-debuginfo`. Returns the exit
/// code: 1 if there was an Error, 2 for wrong arguments. Nullopt: not our call.
std::optional<int> runTolerantly(llvm::ArrayRef<char *> arguments);

} // namespace fuselage::opt
