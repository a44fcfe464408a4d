// Valid modules, each around one op, made from what the dialects register so that no op is
// forgotten.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace fuselage::fuzz {

/// How a module is built around its op.
struct ModuleForm {
  enum class Shapes { Static, Dynamic };
  enum class Use { Once, Unused, Twice };
  Shapes shapes = Shapes::Static;
  Use use = Use::Once;
};

/// A text that verifies.
struct ValidModule {
  std::string name; ///< of op, types and form: "arith.addi i8,i8->i8 body static once"
  std::string text;
};

/// Ops of these dialects are tried.
llvm::ArrayRef<llvm::StringLiteral> triedDialects();

/// Every module, sorted by name. `context` has the dialects loaded; what it says of attempts that
/// do not verify is dropped.
std::vector<ValidModule> validModules(mlir::MLIRContext &context);

// The parts, each in a file of its own.
void addScalarModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules);
void addStructuredModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules);
void addTemplateModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules);

/// Element types as text.
llvm::ArrayRef<llvm::StringLiteral> elementTypes();
std::vector<ModuleForm> allForms();
std::string nameOf(const ModuleForm &form);
/// "tensor<4x6xf32>", "tensor<?x?xf32>" where the form has dynamic shapes.
std::string tensorText(llvm::ArrayRef<int64_t> shape, llvm::StringRef element, const ModuleForm &form);
/// A function @main of arguments %a0, %a1 .. and a body that defines `results`, which are returned
/// as the form says.
std::string functionText(llvm::ArrayRef<std::string> arguments, llvm::StringRef body,
                         llvm::ArrayRef<std::string> results, llvm::ArrayRef<std::string> resultTypes,
                         const ModuleForm &form);
/// Adds the module if it verifies; whether it did.
bool addIfValid(mlir::MLIRContext &context, std::vector<ValidModule> &modules, std::string name, std::string text);

} // namespace fuselage::fuzz
