#include "tests/fuzz/ValidModules.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage::fuzz {

llvm::ArrayRef<llvm::StringLiteral> triedDialects() {
  static constexpr llvm::StringLiteral names[] = {"arith", "complex", "index", "linalg", "math", "scf", "tensor"};
  return names;
}

llvm::ArrayRef<llvm::StringLiteral> elementTypes() {
  static constexpr llvm::StringLiteral types[] = {
      "i1",   "i4",    "i8",       "si8",      "ui8",    "i16",          "i32",          "i64",
      "i128", "index", "f4E2M1FN", "f8E4M3FN", "f8E5M2", "f8E8M0FNU",    "bf16",         "f16",
      "f32",  "f64",   "f80",      "f128",     "tf32",   "complex<f32>", "complex<f64>", "vector<4xf32>"};
  return types;
}

std::vector<ModuleForm> allForms() {
  std::vector<ModuleForm> forms;
  for (auto shapes : {ModuleForm::Shapes::Static, ModuleForm::Shapes::Dynamic})
    for (auto use : {ModuleForm::Use::Once, ModuleForm::Use::Unused, ModuleForm::Use::Twice})
      forms.push_back({shapes, use});
  return forms;
}

std::string nameOf(const ModuleForm &form) {
  std::string use = form.use == ModuleForm::Use::Once     ? "once"
                    : form.use == ModuleForm::Use::Unused ? "unused"
                                                          : "twice";
  return (form.shapes == ModuleForm::Shapes::Static ? "static " : "dynamic ") + use;
}

std::string tensorText(llvm::ArrayRef<int64_t> shape, StringRef element, const ModuleForm &form) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += (form.shapes == ModuleForm::Shapes::Static ? std::to_string(size) : "?") + "x";
  return text + element.str() + ">";
}

std::string functionText(llvm::ArrayRef<std::string> arguments, StringRef body, llvm::ArrayRef<std::string> results,
                         llvm::ArrayRef<std::string> resultTypes, const ModuleForm &form) {
  std::vector<std::string> declared, returned(results), types(resultTypes);
  for (auto [index, type] : llvm::enumerate(arguments))
    declared.push_back("%a" + std::to_string(index) + ": " + type);
  if (form.use == ModuleForm::Use::Unused) {
    returned.clear(), types.clear();
    if (!arguments.empty())
      returned.push_back("%a0"), types.push_back(arguments.front());
  } else if (form.use == ModuleForm::Use::Twice) {
    llvm::append_range(returned, results);
    llvm::append_range(types, resultTypes);
  }
  std::string text = "func.func @main(" + llvm::join(declared, ", ") + ") -> (" + llvm::join(types, ", ") + ") {\n" +
                     body.str() + "  return";
  if (!returned.empty())
    text += " " + llvm::join(returned, ", ") + " : " + llvm::join(types, ", ");
  return text + "\n}\n";
}

bool addIfValid(mlir::MLIRContext &context, std::vector<ValidModule> &modules, std::string name, std::string text) {
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  if (!mlir::parseSourceString<mlir::ModuleOp>(text, &context))
    return false;
  modules.push_back({std::move(name), std::move(text)});
  return true;
}

std::vector<ValidModule> validModules(mlir::MLIRContext &context) {
  std::vector<ValidModule> modules;
  addScalarModules(context, modules);
  addStructuredModules(context, modules);
  addTemplateModules(context, modules);
  llvm::sort(modules, [](const ValidModule &a, const ValidModule &b) { return a.name < b.name; });
  return modules;
}

} // namespace fuselage::fuzz
