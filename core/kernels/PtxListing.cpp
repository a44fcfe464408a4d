#include "core/kernels/PtxListing.h"
#include "core/ir/module/RunPipeline.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormattedStream.h"

using namespace mlir;

namespace fuselage {

/// The object that a copy of the module becomes; empty: it fails.
static std::string objectOf(ModuleOp module, llvm::StringRef toolkit, llvm::StringRef format) {
  OwningOpRef<ModuleOp> copy(module.clone());
  DiagnosticCapture capture(*module.getContext());
  PassManager passes(module.getContext());
  GpuModuleToBinaryPassOptions options;
  options.toolkitPath = toolkit.str();
  options.compilationTarget = format.str();
  passes.addPass(createGpuModuleToBinaryPass(options));
  if (failed(passes.run(*copy)))
    return "";
  for (auto binary : copy->getOps<gpu::BinaryOp>())
    if (auto object = dyn_cast<gpu::ObjectAttr>(binary.getObjects()[0]))
      return object.getObject().getValue().str();
  return "";
}

PlacedPtx compileWithPlaces(ModuleOp module, llvm::StringRef toolkit, LocationTable &places) {
  OwningOpRef<ModuleOp> copy(module.clone());
  places.number(*copy);
  DiagnosticCapture capture(*module.getContext());
  PassManager passes(module.getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  if (failed(passes.run(*copy)))
    return {};
  return {.ptx = objectOf(*copy, toolkit, "isa"), .bitcode = objectOf(*copy, toolkit, "llvm")};
}

/// Labels and directives that only debug information needs.
static bool isAboutLines(llvm::StringRef line) {
  line = line.trim();
  return line.empty() || line.starts_with(".loc") || line.starts_with(".file") || line.starts_with("//") ||
         line.starts_with(".section") ||
         (line.ends_with(":") &&
          (line.starts_with("$L__tmp") || line.starts_with("$L__func_") || line.starts_with("$L__info")));
}

bool isSamePtx(llvm::StringRef one, llvm::StringRef other) {
  auto next = [](llvm::StringRef &text) {
    while (!text.empty()) {
      auto [line, rest] = text.split('\n');
      text = rest;
      if (!isAboutLines(line))
        return line.split("//").first.trim();
    }
    return llvm::StringRef();
  };
  one = one.rtrim('\0');
  other = other.rtrim('\0');
  while (true) {
    llvm::StringRef a = next(one), b = next(other);
    if (a != b)
      return false;
    if (a.empty())
      return true;
  }
}

ListingWriter listPtx(llvm::StringRef ptx, const LocationTable &places) {
  ListingWriter writer;
  SourcePosition place;
  ptx = ptx.rtrim('\0');
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    llvm::StringRef code = line.trim();
    if (code.consume_front(".loc")) {
      unsigned file = 0, number = 0;
      code = code.ltrim();
      bool isBroken = code.consumeInteger(10, file);
      code = code.ltrim();
      place = isBroken || code.consumeInteger(10, number) ? SourcePosition() : places.at(number);
      continue;
    }
    if (isAboutLines(line) && !code.empty() && !code.starts_with("//"))
      continue;
    if (code == "}")
      place = {};
    writer.add(line, code.empty() || code.ends_with(":") || code.starts_with("//") ? SourcePosition() : place);
  }
  return writer;
}

ListingWriter listSass(llvm::StringRef sass, const LocationTable &places) {
  ListingWriter writer;
  SourcePosition place;
  while (!sass.empty()) {
    auto [line, rest] = sass.split('\n');
    sass = rest;
    llvm::StringRef code = line.trim();
    if (code.starts_with("//## File ")) {
      unsigned number = 0;
      llvm::StringRef behind = code.split(", line ").second;
      place = behind.consumeInteger(10, number) ? SourcePosition() : places.at(number);
      continue;
    }
    if (code.starts_with(".section"))
      place = {};
    writer.add(line, code.starts_with("/*") ? place : SourcePosition());
  }
  return writer;
}

namespace {
/// Notes the line on which each instruction is printed: its text follows at once.
class InstructionLines : public llvm::AssemblyAnnotationWriter {
public:
  explicit InstructionLines(llvm::DenseMap<const llvm::Instruction *, unsigned> numbers)
      : numbers_(std::move(numbers)) {}
  void emitInstructionAnnot(const llvm::Instruction *instruction, llvm::formatted_raw_ostream &os) override {
    os.flush();
    starts_.push_back({os.tell(), numbers_.lookup(instruction)});
  }
  llvm::ArrayRef<std::pair<uint64_t, unsigned>> starts() const { return starts_; }

private:
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers_;
  std::vector<std::pair<uint64_t, unsigned>> starts_; ///< byte, number of the place
};
} // namespace

ListingWriter listBitcode(llvm::StringRef bitcode, const LocationTable &places) {
  llvm::LLVMContext context;
  // MLIR ends every object with a zero; bitcode is made of words.
  auto module = llvm::parseBitcodeFile({bitcode.take_front(bitcode.size() / 4 * 4), "kernel"}, context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return {};
  }
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers;
  for (llvm::Function &function : **module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (llvm::DebugLoc location = instruction.getDebugLoc())
          numbers[&instruction] = location.getLine();
  llvm::StripDebugInfo(**module);
  InstructionLines lines(std::move(numbers));
  std::string text;
  {
    llvm::raw_string_ostream os(text);
    (*module)->print(os, &lines);
  }
  ListingWriter writer;
  auto start = lines.starts().begin();
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    SourcePosition place;
    for (; start != lines.starts().end() && start->first <= end; ++start)
      place = start->first >= at ? places.at(start->second) : place;
    writer.add(llvm::StringRef(text).slice(at, end), place);
    at = end + 1;
  }
  return writer;
}

} // namespace fuselage
