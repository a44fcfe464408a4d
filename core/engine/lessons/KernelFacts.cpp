#include "core/engine/lessons/KernelFacts.h"
#include "core/kernels/KernelCheck.h"
#include "core/kernels/LaunchFacts.h"
#include "core/kernels/Occupancy.h"
#include "core/run/SingleDispatch.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

namespace gpu = mlir::gpu;

namespace {

double bytesOf(mlir::MemRefType type) {
  return type.hasStaticShape() && gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace())
             ? double(type.getNumElements()) * type.getElementTypeBitWidth() / 8
             : 0;
}

/// Bytes of workgroup memory of a launch: what it declares, and what is allocated in it.
double workgroupBytes(gpu::LaunchOp launch) {
  double bytes = 0;
  for (mlir::BlockArgument buffer : launch.getWorkgroupAttributions())
    bytes += bytesOf(mlir::cast<mlir::MemRefType>(buffer.getType()));
  launch.walk([&](mlir::memref::AllocOp buffer) { bytes += bytesOf(buffer.getType()); });
  return bytes;
}

std::optional<int> constantOf(mlir::Value size) {
  llvm::APInt value;
  if (mlir::matchPattern(size, mlir::m_ConstantInt(&value)))
    return static_cast<int>(value.getSExtValue());
  return std::nullopt;
}

message::KernelUnit<> unitOf(gpu::LaunchOp launch) {
  message::KernelUnit<> unit;
  const gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (mlir::Value size : {block.x, block.y, block.z})
    unit.block.push_back(constantOf(size).value_or(0));
  unit.facts.push_back(
      {.key = "workgroup_memory", .label = {}, .value = {}, .number = workgroupBytes(launch), .how = {}});
  addAccessFacts(unit, launch);
  return unit;
}

llvm::Expected<RunProgram> programOf(mlir::ModuleOp module, llvm::StringRef function) {
  std::vector<Diagnostic> remarks;
  return formKernelProgram(module, function.str(), {}, remarks);
}

llvm::Expected<std::vector<message::KernelUnit<>>> unitsOf(mlir::ModuleOp module, mlir::func::FuncOp function) {
  std::vector<message::KernelUnit<>> units;
  if (launchesKernels(function)) {
    function.walk([&](gpu::LaunchOp launch) { units.push_back(unitOf(launch)); });
    return units;
  }
  auto program = programOf(module, function.getName());
  if (!program)
    return program.takeError();
  for (mlir::func::FuncOp dispatch : program->dispatches) {
    auto code = kernelCode(dispatch, {});
    if (!code)
      return code.takeError();
    llvm::append_range(units, code->kernels);
  }
  return units;
}

std::optional<double> numberOf(const message::KernelUnit<> &unit, llvm::StringRef key) {
  for (const message::KernelFact<> &fact : unit.facts)
    if (fact.key == key)
      return fact.number;
  return std::nullopt;
}

double occupancyPercent(const message::KernelUnit<> &unit) {
  unsigned threads = 1;
  for (int size : unit.block)
    threads *= unsigned(size);
  const Occupancy occupancy =
      occupancyOf(*chipLimits("sm_90"), threads, 1, uint64_t(numberOf(unit, "workgroup_memory").value_or(0)));
  return 100.0 * occupancy.warps / std::max(occupancy.mostWarps, 1u);
}

/// What all threads of a kernel read from global memory; nullopt: unknown.
std::optional<double> readBytes(const message::KernelUnit<> &unit) {
  std::optional<double> bytes = numberOf(unit, "global_read");
  for (int size : unit.block)
    bytes = bytes ? std::optional(*bytes * size) : bytes;
  for (int size : unit.grid)
    bytes = bytes ? std::optional(*bytes * size) : bytes;
  return unit.grid.empty() ? std::nullopt : bytes;
}

double countRaces(const message::KernelCheck<> &check) {
  return double(llvm::count_if(check.findings, [](const message::KernelFinding<> &finding) {
    return llvm::StringRef(finding.kind).contains("race");
  }));
}

llvm::Expected<double> racesOf(mlir::ModuleOp module, mlir::func::FuncOp function) {
  if (launchesKernels(function)) {
    auto check = checkWrittenKernels(function, {});
    if (!check)
      return check.takeError();
    return countRaces(*check);
  }
  auto program = programOf(module, function.getName());
  if (!program)
    return program.takeError();
  double races = 0;
  for (mlir::func::FuncOp dispatch : program->dispatches) {
    auto check = checkKernels(*program, dispatch, {});
    if (!check)
      return check.takeError();
    races += countRaces(*check);
  }
  return races;
}

} // namespace

llvm::Expected<double> kernelFact(Document &document, unsigned snapshot, llvm::StringRef fact,
                                  llvm::StringRef function) {
  auto module = document.program(snapshot);
  if (!module)
    return module.takeError();
  auto named = module->lookupSymbol<mlir::func::FuncOp>(function);
  if (!named || named.isExternal())
    return fail("this step has no function @" + function.str());
  if (fact == "races")
    return racesOf(*module, named);
  auto units = unitsOf(*module, named);
  if (!units)
    return units.takeError();
  if (units->empty())
    return fail("@" + function.str() + " has no kernels");
  double sum = 0, most = 0, least = 100, read = 0;
  for (const message::KernelUnit<> &unit : *units) {
    sum += numberOf(unit, fact == "uncoalesced" ? "uncoalesced" : "bank_conflicts").value_or(0);
    most = std::max(most, numberOf(unit, "workgroup_memory").value_or(0));
    least = std::min(least, occupancyPercent(unit));
    const std::optional<double> bytes = readBytes(unit);
    if (!bytes && fact == "kernel reads")
      return fail("what a kernel of @" + function.str() + " reads is not known");
    read += bytes.value_or(0);
  }
  return fact == "workgroup memory" ? most : fact == "occupancy" ? least : fact == "kernel reads" ? read : sum;
}

} // namespace fuselage
