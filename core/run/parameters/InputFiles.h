// Which argument takes what from which file.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "core/run/values/InputValue.h"
#include <optional>

namespace fuselage {

struct InputFiles {
  std::string folder{};                  ///< with arg0.npy, or NAME.npy of a parameter; empty: none
  std::vector<std::string> parameters{}; ///< "FILE" or "SCOPE=FILE", .safetensors and .irpa
};

/// Values for the arguments that the files have something for. An argument with the attribute `fuselage.parameter`
/// takes what the files call so; where they know none of the names, a prefix that all of them have or lack is looked
/// for. Failure: a file that cannot be read or does not fit, a parameter that no file has, a folder without a file for
/// any argument. Arguments that are not `wanted` (null: all are) take nothing.
llvm::Expected<std::vector<std::optional<InputValue>>>
readInputFiles(mlir::func::FuncOp function, const InputFiles &files, const llvm::BitVector *wanted = nullptr);

/// The sizes that .npy files have where the function's are dynamic: files that `how` names (makeInputs), else those of
/// the folder. What cannot be read is passed over; whoever reads its numbers says why.
ArgumentSizes sizesInFiles(mlir::func::FuncOp function, const std::map<std::string, std::string> &how,
                           const InputFiles &files);

} // namespace fuselage
