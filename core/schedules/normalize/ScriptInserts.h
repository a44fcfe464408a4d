// Puts normalizers into a script, and takes them out again. Internal to core/schedules/normalize.
#pragma once
#include "core/schedules/forms/NormalForm.h"
#include "core/schedules/script/Script.h"

namespace fuselage {

class ScriptInserts {
public:
  using Op = mlir::transform::TransformOpInterface;
  explicit ScriptInserts(Script &script) : script_(script), opCount_(script.ops.size()) {}

  /// Normalizes the functions around what the op's first operand holds, or what it holds if that is functions, in front
  /// of the op. The number of the include.
  llvm::Expected<unsigned> normalizeAround(Op op, bool holdsFunctions, const NormalForm &form, unsigned stage);
  /// Normalizes the func.func of these names, or all if there are none, in the module that the entry's argument holds.
  /// The numbers of the includes: one for each stage up to `stages`.
  llvm::Expected<std::vector<unsigned>> normalizeIn(Op before, llvm::ArrayRef<std::string> functions,
                                                    const NormalForm &form, unsigned stages);
  /// Puts the form's transform of single ops before the op, which takes its result from then on, as all after do.
  /// Its number.
  unsigned replaceOperand(Op op, const NormalForm &form);
  /// The script is as it was.
  void undo();

private:
  llvm::Error declare(const NormalForm &form, unsigned stage);
  unsigned include(mlir::OpBuilder &builder, Op before, mlir::Value functions, const NormalForm &form, unsigned stage);
  unsigned number(mlir::Operation *op, const std::string &text, Op before);

  Script &script_;
  size_t opCount_;                          ///< of the script by itself
  std::vector<mlir::Operation *> inserted_; ///< in order, sequences as well
};

} // namespace fuselage
