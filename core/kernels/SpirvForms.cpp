#include "core/kernels/ForeignTools.h"
#include "core/kernels/InstructionMix.h"
#include "core/kernels/KernelForms.h"
#include "core/kernels/ListingWriter.h"
#include "core/kernels/LocationTable.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Target/SPIRV/Serialization.h"

using namespace mlir;

namespace fuselage {

/// The module of a kernel: that with its entry point.
static spirv::ModuleOp moduleOf(ModuleOp lowered, llvm::StringRef entry) {
  for (auto module : lowered.getOps<spirv::ModuleOp>())
    for (auto point : module.getOps<spirv::EntryPointOp>())
      if (point.getFn() == entry)
        return module;
  return nullptr;
}

/// The same words as the kernel's, with an OpLine for every op that has a place.
static std::string serializeWithPlaces(spirv::ModuleOp module, LocationTable &places) {
  OwningOpRef<ModuleOp> holder = ModuleOp::create(module.getLoc());
  OpBuilder builder(holder->getBodyRegion());
  auto copy = cast<spirv::ModuleOp>(builder.clone(*module));
  places.number(copy);
  if (spirv::VerCapExtAttr triple = copy.getVceTripleAttr()) {
    // What MLIR writes debug information with.
    SmallVector<spirv::Extension> extensions(triple.getExtensions());
    extensions.push_back(spirv::Extension::SPV_KHR_non_semantic_info);
    SmallVector<spirv::Capability> capabilities(triple.getCapabilities());
    copy.setVceTripleAttr(
        spirv::VerCapExtAttr::get(triple.getVersion(), capabilities, extensions, module.getContext()));
  }
  DiagnosticCapture capture(*module.getContext());
  spirv::SerializationOptions options;
  options.emitDebugInfo = true;
  SmallVector<uint32_t, 0> words;
  if (failed(spirv::serialize(copy, words, options)))
    return "";
  return std::string(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(uint32_t));
}

/// Lines of OpLine become places of what follows.
static ListingWriter listAssembly(llvm::StringRef text, const LocationTable &places) {
  ListingWriter writer;
  SourcePosition place;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::StringRef code = line.trim();
    // OpLine %file LINE COLUMN holds up to the end of a block.
    if (code.consume_front("OpLine ")) {
      unsigned number = 0;
      code = code.split(' ').second;
      place = code.consumeInteger(10, number) ? SourcePosition() : places.at(number);
      continue;
    }
    if (code == "OpNoLine" || code == "OpExtension \"SPV_KHR_non_semantic_info\"" ||
        (code.contains("= OpString") && code.contains("places")))
      continue;
    writer.add(line, place);
    llvm::StringRef op = code.contains(" = ") ? code.split(" = ").second : code;
    if (op.starts_with("OpBranch") || op.starts_with("OpReturn") || op.starts_with("OpFunctionEnd") ||
        op.starts_with("OpUnreachable"))
      place = {};
  }
  return writer;
}

/// What stands for the assembly where spirv-dis is not there, or too old for what the module has.
static void addDialectText(KernelCodeParts &parts, const CompiledKernel &kernel, spirv::ModuleOp module) {
  OwningOpRef<ModuleOp> holder = ModuleOp::create(module.getLoc());
  OpBuilder builder(holder->getBodyRegion());
  builder.clone(*module);
  parts.code.listings.push_back(
      listModule(*holder).take("spirv", "SPIR-V in MLIR's spirv dialect", kernel.entry, "MLIR"));
}

static llvm::Error addKernel(KernelCodeParts &parts, const CompiledKernel &kernel, spirv::ModuleOp module,
                             message::KernelUnit<> &unit) {
  const KernelCodeOptions &options = parts.options;
  llvm::append_range(unit.facts, describeMix(countSpirv(module), "SPIR-V"));
  LocationTable places;
  std::string binary = serializeWithPlaces(module, places);
  if (std::string tool = findTool("spirv-dis"); tool.empty()) {
    addDialectText(parts, kernel, module);
  } else if (auto text = disassembleSpirv(tool, binary.empty() ? kernel.binary : binary, options.cancelled)) {
    parts.code.listings.push_back(
        listAssembly(*text, places).take("spirv", "SPIR-V assembly", kernel.entry, "spirv-dis"));
  } else {
    if (llvm::Error error = noteFailure(parts.code, "SPIR-V assembly", text.takeError(), options))
      return error;
    addDialectText(parts, kernel, module);
  }
  std::string cross = findTool("spirv-cross");
  if (cross.empty())
    return llvm::Error::success();
  auto glsl = crossToGlsl(cross, kernel.binary, options.cancelled);
  if (!glsl)
    return noteFailure(parts.code, "GLSL", glsl.takeError(), options);
  parts.code.listings.push_back(listText(*glsl).take("glsl", "GLSL", kernel.entry, "spirv-cross"));
  return llvm::Error::success();
}

llvm::Error addSpirvForms(KernelCodeParts &parts) {
  for (auto [index, kernel] : llvm::enumerate(parts.compiled.kernels))
    if (spirv::ModuleOp module = moduleOf(*parts.forms.lowered, kernel.entry))
      if (llvm::Error error = addKernel(parts, kernel, module, parts.code.kernels[index]))
        return error;
  if (findTool("spirv-dis").empty())
    parts.code.missing.push_back(
        "SPIR-V assembly: spirv-dis (SPIRV-Tools) is not installed; the spirv dialect's text stands for it");
  if (findTool("spirv-cross").empty())
    parts.code.missing.push_back("GLSL: spirv-cross is not installed");
  parts.code.missing.push_back(
      "registers and occupancy: a driver of Vulkan decides on them when it compiles the SPIR-V");
  return llvm::Error::success();
}

} // namespace fuselage
