#include "core/stepping/tool/ToolAdvice.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include "core/stepping/tool/ToolCommand.h"
#include "core/support/ShellWords.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include <array>

using llvm::StringRef;

namespace fuselage {
namespace {

/// A call that lowers a form to linalg on tensors.
struct Lowering {
  StringRef program, flags;
};

struct Form {
  StringRef name;
  llvm::ArrayRef<StringRef> dialects;
  llvm::ArrayRef<Lowering> lowerings; ///< the best first
};

constexpr StringRef torchDialects[] = {"torch", "torch_c"};
constexpr StringRef onnxDialects[] = {"onnx"};
constexpr Lowering torchLowerings[] = {
    {"iree-compile", "--iree-input-type=torch --compile-to=input"},
    {"torch-mlir-opt", "--torch-decompose-complex-ops --torch-backend-to-linalg-on-tensors-backend-pipeline"},
};
constexpr Lowering onnxLowerings[] = {
    {"onnx-mlir-opt", "--shape-inference --convert-onnx-to-tosa"},
};
/// ONNX ops as torch-mlir and IREE import them: torch.operator "onnx.Conv".
constexpr Lowering importedOnnxLowerings[] = {
    {"iree-compile", "--iree-input-type=onnx --compile-to=input"},
    {"torch-mlir-opt", "--convert-torch-onnx-to-torch --torch-decompose-complex-ops "
                       "--torch-backend-to-linalg-on-tensors-backend-pipeline"},
};

constexpr unsigned importedOnnx = 0;
const Form forms[] = {{"ONNX", {}, importedOnnxLowerings},
                      {"Torch", torchDialects, torchLowerings},
                      {"ONNX", onnxDialects, onnxLowerings}};

/// Whether it is one of ONNX's in a torch.operator.
bool isImportedOnnx(mlir::Operation *op) {
  return llvm::any_of(op->getAttrs(), [](mlir::NamedAttribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute.getValue();
    return StringRef(text).contains("\"onnx.") || StringRef(text).contains("\\22onnx.");
  });
}

/// How many ops are of each form; at the end, of those that we work on.
std::array<unsigned, std::size(forms) + 1> countForms(mlir::ModuleOp module) {
  std::array<unsigned, std::size(forms) + 1> counts{};
  module->walk([&](mlir::Operation *op) {
    if (isComputeOp(op)) {
      ++counts.back();
      return;
    }
    std::string shown = TolerantOp(op) ? displayName(op) : std::string();
    StringRef name = shown.empty() ? op->getName().getStringRef() : StringRef(shown), dialect = name.split('.').first;
    for (unsigned form = 0; form < std::size(forms); ++form) {
      if (!llvm::is_contained(forms[form].dialects, dialect))
        continue;
      bool isImported = name == "torch.operator" && isImportedOnnx(op);
      ++counts[isImported ? importedOnnx : form];
    }
  });
  return counts;
}

std::string counted(unsigned ops, StringRef form) {
  return std::to_string(ops) + (ops == 1 ? " op of " : " ops of ") + form.str();
}

} // namespace

std::optional<ToolAdvice> adviceFor(mlir::ModuleOp module) {
  auto counts = countForms(module);
  // Imported ONNX comes with constants that are Torch's.
  unsigned found =
      counts[importedOnnx] > 0 ? importedOnnx : std::max_element(counts.begin(), counts.end() - 1) - counts.begin();
  if (counts[found] == 0 || counts[found] <= counts.back())
    return std::nullopt;
  const Form &form = forms[found];
  ToolAdvice advice;
  advice.form = form.name.str();
  advice.ops = counts[found];
  advice.sentence = "the module is " + form.name.str() + " (" + counted(advice.ops, form.name) +
                    "), which is not tiled or fused as it stands; ";
  const Lowering *chosen = nullptr;
  for (const Lowering &lowering : form.lowerings) {
    auto path = findProgram(lowering.program);
    if (path && !chosen)
      chosen = &lowering;
    if (!path)
      llvm::consumeError(path.takeError());
  }
  advice.isThere = chosen != nullptr;
  const Lowering &lowering = chosen ? *chosen : form.lowerings.front();
  advice.program = lowering.program.str();
  advice.command = (lowering.program + " " + lowering.flags).str();
  advice.pipeline = toolElement(advice.command);
  if (advice.isThere) {
    advice.sentence += advice.program + " lowers it to linalg";
  } else {
    advice.sentence += advice.program + " would lower it to linalg, and is not in a folder of PATH: " +
                       toolFamilyOf(advice.program).howToGet.str();
    advice.install = toolFamilyOf(advice.program).install.str();
    for (const Lowering &other : form.lowerings.drop_front())
      advice.sentence += ", or use " + other.program.str();
  }
  return advice;
}

std::string adviceNote(const ToolAdvice &advice, StringRef file) {
  std::string shown = file == "-" ? "FILE" : joinShellWords({file.str()});
  std::string install = advice.install.empty() ? "" : "\n  " + advice.install;
  return advice.sentence + install + "\n  fuselage step " + shown + " --pipeline '" + advice.pipeline +
         ",default'\n  " + advice.command + " " + shown + " -o lowered.mlir   # then open lowered.mlir";
}

} // namespace fuselage
