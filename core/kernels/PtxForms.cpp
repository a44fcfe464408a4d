#include "core/kernels/ForeignTools.h"
#include "core/kernels/InstructionMix.h"
#include "core/kernels/KernelForms.h"
#include "core/kernels/Occupancy.h"
#include "core/kernels/PtxListing.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The number before `what` in a text; nullopt: there is none.
std::optional<uint64_t> numberBefore(llvm::StringRef text, llvm::StringRef what) {
  size_t at = text.find(what);
  if (at == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef digits = text.take_front(at).rtrim();
  size_t begin = digits.find_last_not_of("0123456789");
  uint64_t number = 0;
  if (digits.drop_front(begin == llvm::StringRef::npos ? 0 : begin + 1).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// What ptxas -v says of an entry: from its name to the next one.
llvm::StringRef saidOf(llvm::StringRef said, llvm::StringRef entry) {
  size_t at = said.find(("entry function '" + entry + "'").str());
  if (at == llvm::StringRef::npos)
    return "";
  llvm::StringRef rest = said.drop_front(at);
  return rest.take_front(std::min(rest.size(), rest.find("entry function '", 16)));
}

/// Holds the gpu.module of a kernel, and nothing else.
OwningOpRef<ModuleOp> isolateKernel(ModuleOp module, llvm::StringRef entry) {
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (!kernels.lookupSymbol(entry))
      continue;
    OwningOpRef<ModuleOp> holder = ModuleOp::create(module.getLoc());
    (*holder)->setAttrs((*module).getAttrs());
    OpBuilder builder(holder->getBodyRegion());
    builder.clone(*kernels);
    return holder;
  }
  return nullptr;
}

/// One kernel's forms.
class PtxKernel {
public:
  PtxKernel(KernelCodeParts &parts, const CompiledKernel &kernel, message::KernelUnit<> &unit)
      : parts_(parts), kernel_(kernel), unit_(unit) {}
  llvm::Error add();

private:
  void place();
  llvm::Error assemble();
  void describe(llvm::StringRef said);
  void describeOccupancy(unsigned registers, const std::string &how);
  llvm::Error disassemble(llvm::StringRef cubin);
  void fact(std::string key, std::string label, uint64_t number, llvm::StringRef unit, std::string how) {
    unit_.facts.push_back({.key = std::move(key),
                           .label = std::move(label),
                           .value = std::to_string(number) + unit.str(),
                           .number = double(number),
                           .how = std::move(how)});
  }

  KernelCodeParts &parts_;
  const CompiledKernel &kernel_;
  message::KernelUnit<> &unit_;
  LocationTable places_;
  PlacedPtx placed_; ///< empty texts: places are not known
};

} // namespace

/// Compiles once more with places; they hold where the code is the same.
void PtxKernel::place() {
  if (!parts_.forms.beforeBinary)
    return;
  if (OwningOpRef<ModuleOp> module = isolateKernel(*parts_.forms.beforeBinary, kernel_.entry))
    placed_ = compileWithPlaces(*module, parts_.target.cudaToolkit, places_);
  if (!isSamePtx(placed_.ptx, kernel_.binary))
    placed_ = {};
}

void PtxKernel::describeOccupancy(unsigned registers, const std::string &how) {
  auto chip = chipLimits(parts_.options.chip);
  if (!chip)
    return;
  unsigned threads = kernel_.block[0] * kernel_.block[1] * kernel_.block[2];
  Occupancy occupancy = occupancyOf(*chip, threads, registers, kernel_.sharedBytes);
  double share = double(occupancy.warps) / occupancy.mostWarps;
  unit_.facts.push_back(
      {.key = "occupancy",
       .label = "occupancy",
       .value = llvm::formatv("{0:F0} % ({1} of {2} warps, {3} blocks a multiprocessor), limited by {4}", share * 100,
                              occupancy.warps, occupancy.mostWarps, occupancy.blocks, occupancy.limiter),
       .number = share,
       .how = "computed of NVIDIA's documented limits of " + parts_.options.chip + ", with registers by " + how});
}

void PtxKernel::describe(llvm::StringRef said) {
  std::string how = "ptxas -v for " + parts_.options.chip;
  llvm::StringRef own = saidOf(said, kernel_.entry);
  auto registers = numberBefore(own, " registers");
  if (registers)
    fact("registers", "registers a thread", *registers, "", how);
  if (auto bytes = numberBefore(own, " bytes spill stores"))
    fact("spill_stores", "spilled, written", *bytes, " B", how);
  if (auto bytes = numberBefore(own, " bytes spill loads"))
    fact("spill_loads", "spilled, read", *bytes, " B", how);
  if (auto bytes = numberBefore(own, " bytes stack frame"))
    fact("stack", "stack frame", *bytes, " B", how);
  if (registers)
    describeOccupancy(*registers, how);
}

llvm::Error PtxKernel::disassemble(llvm::StringRef cubin) {
  std::string tool = findCudaTool("nvdisasm");
  if (tool.empty())
    tool = findCudaTool("cuobjdump");
  if (tool.empty())
    return llvm::Error::success();
  auto sass = disassembleCubin(tool, cubin, parts_.options.cancelled);
  if (!sass)
    return noteFailure(parts_.code, "SASS", sass.takeError(), parts_.options);
  parts_.code.listings.push_back(
      listSass(*sass, places_)
          .take("sass", "SASS for " + parts_.options.chip, kernel_.entry, llvm::sys::path::filename(tool)));
  return llvm::Error::success();
}

llvm::Error PtxKernel::assemble() {
  std::string ptxas = findCudaTool("ptxas");
  if (ptxas.empty())
    return llvm::Error::success();
  bool withLines = !placed_.ptx.empty();
  auto assembled = assemblePtx(
      ptxas, withLines ? llvm::StringRef(placed_.ptx).rtrim('\0') : llvm::StringRef(kernel_.binary).rtrim('\0'),
      parts_.options.chip, withLines, parts_.options.cancelled);
  if (!assembled)
    return noteFailure(parts_.code, "SASS, registers and occupancy", assembled.takeError(), parts_.options);
  describe(assembled->said);
  return disassemble(assembled->cubin);
}

llvm::Error PtxKernel::add() {
  place();
  auto &listings = parts_.code.listings;
  if (!placed_.bitcode.empty())
    listings.push_back(listBitcode(placed_.bitcode, places_).take("llvm", "LLVM IR, optimized", kernel_.entry, "LLVM"));
  listings.push_back(listPtx(placed_.ptx.empty() ? kernel_.binary : placed_.ptx, places_)
                         .take("ptx", "PTX", kernel_.entry, "LLVM's NVPTX backend"));
  if (llvm::Error error = assemble())
    return error;
  llvm::append_range(unit_.facts, describeMix(countPtx(kernel_.binary, kernel_.entry), "PTX"));
  return llvm::Error::success();
}

llvm::Error addPtxForms(KernelCodeParts &parts) {
  for (auto [kernel, unit] : llvm::zip_equal(parts.compiled.kernels, parts.code.kernels))
    if (llvm::Error error = PtxKernel(parts, kernel, unit).add())
      return error;
  if (findCudaTool("ptxas").empty())
    parts.code.missing.push_back("SASS, registers, spills and occupancy: ptxas (CUDA toolkit) is not installed");
  else if (findCudaTool("nvdisasm").empty() && findCudaTool("cuobjdump").empty())
    parts.code.missing.push_back("SASS: neither nvdisasm nor cuobjdump (CUDA toolkit) is installed");
  if (!chipLimits(parts.options.chip))
    parts.code.missing.push_back("occupancy: the limits of " + parts.options.chip + " are not known here");
  return llvm::Error::success();
}

} // namespace fuselage
