#include "core/analysis/fusion/FusionRemarks.h"
#include "core/ir/module/Diagnostics.h"
#include "core/support/Error.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sys/mman.h>

using namespace mlir;

namespace fuselage {

double estimateMicroseconds(int64_t bytes, double gbps) {
  return bytes < 0 ? -1 : static_cast<double>(bytes) / (gbps * 1e3);
}

/// "MULTI_USE", or the verdict of what is fused.
static llvm::StringRef nameOf(const EdgeVerdict &edge) {
  return edge.refusals.empty() ? verdictName(edge.verdict) : llvm::StringRef(infoOf(edge.refusals.front().reason).code);
}

/// Why: sentence and evidence of the deciding reason.
static std::string reasonOf(const EdgeVerdict &edge) {
  if (edge.refusals.empty())
    return "";
  const Refusal &refusal = edge.refusals.front();
  std::string evidence = describeEvidence(refusal);
  return infoOf(refusal.reason).sentence.str() + (evidence.empty() ? "" : " (" + evidence + ")");
}

static void emitDiagnostic(const EdgeVerdict &edge, const FusionRemarkOptions &options) {
  InFlightDiagnostic remark = edge.to->emitRemark();
  remark << verdictName(edge.verdict) << ": operand " << edge.operand << ", from " << edge.from->getName();
  if (edge.refusals.empty())
    return;
  remark << ": " << nameOf(edge) << ": " << reasonOf(edge);
  if (!edge.proven.empty())
    remark << "; unlocked by " << llvm::join(edge.proven, " or ");
  if (edge.bytes > 0)
    remark << "; fusing saves " << edge.bytes << " bytes through memory, about "
           << llvm::formatv("{0:f2}", estimateMicroseconds(edge.bytes, options.gbps)).str() << " us";
}

/// LLVM's remarks have one place in a file; the location may have a kept name, or the places of several ops, around it.
static Location placeOfRemark(Operation *op) {
  SourcePosition place = positionOf(op);
  if (place.line == 0)
    return op->getLoc();
  return FileLineColLoc::get(op->getContext(), place.file, place.line, place.column);
}

/// Offers a remark to the context's engine; false if there is none, or it does not want such remarks.
static bool emitRemark(const EdgeVerdict &edge, StringRef function, const FusionRemarkOptions &options) {
  using remark::metric;
  auto opts = remark::RemarkOpts::name(nameOf(edge)).category("fusion").function(function);
  std::string from = edge.from->getName().getStringRef().str();
  if (edge.verdict != Verdict::Separate) {
    remark::detail::InFlightRemark passed = remark::passed(placeOfRemark(edge.to), opts);
    passed << metric("Verdict", verdictName(edge.verdict)) << metric("Producer", from)
           << metric("Operand", edge.operand);
    return static_cast<bool>(passed);
  }
  std::string reasons = llvm::join(
      llvm::map_range(edge.refusals, [](const Refusal &refusal) { return infoOf(refusal.reason).code; }), ",");
  remark::detail::InFlightRemark missed = remark::missed(placeOfRemark(edge.to), opts);
  missed << metric("Verdict", verdictName(edge.verdict)) << metric("Producer", from) << metric("Operand", edge.operand)
         << metric("Reason", reasonOf(edge)) << metric("Reasons", reasons)
         << metric("Suggestion", llvm::join(edge.proven, ",")) << metric("Bytes", edge.bytes)
         << metric("EstUs", llvm::formatv("{0:f3}", estimateMicroseconds(edge.bytes, options.gbps)).str());
  if (std::optional<bool> isLegal = edge.isLegal())
    missed << metric("Legal", *isLegal);
  return static_cast<bool>(missed);
}

void emitFusionRemarks(llvm::ArrayRef<BodyVerdicts> bodies, const FusionRemarkOptions &options) {
  auto forEach = [&](llvm::function_ref<void(const EdgeVerdict &, StringRef)> visit) {
    for (const BodyVerdicts &body : bodies) {
      auto symbol = body.function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      for (const EdgeVerdict &edge : body.edges)
        if (!options.missedOnly || edge.verdict == Verdict::Separate)
          visit(edge, symbol ? symbol.getValue() : "");
    }
  };
  // mlir-opt has an engine in any case; what it does not listen to is said as diagnostics.
  bool isHeard = false;
  forEach([&](const EdgeVerdict &edge, StringRef function) { isHeard |= emitRemark(edge, function, options); });
  if (!isHeard)
    forEach([&](const EdgeVerdict &edge, StringRef) { emitDiagnostic(edge, options); });
}

llvm::Error writeFusionRemarks(MLIRContext &context, llvm::ArrayRef<BodyVerdicts> bodies,
                               const FusionRemarkOptions &options, llvm::StringRef path) {
  // MLIR's streamer says neither why a file cannot be opened nor that a disk is full: it writes to a file that
  // nobody else knows, in memory.
  int memory = memfd_create("remarks", MFD_CLOEXEC);
  if (memory < 0)
    return fail("cannot write '" + shortPath(path) + "': no memory for the remarks");
  llvm::scope_exit close([&] { llvm::sys::fs::closeFile(memory); });
  remark::RemarkCategories categories;
  categories.passed = categories.missed = "fusion";
  if (failed(remark::enableOptimizationRemarksWithLLVMStreamer(
          context, "/proc/self/fd/" + std::to_string(memory), llvm::remarks::Format::YAML,
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return fail("cannot write remarks to '" + shortPath(path) + "'");
  emitFusionRemarks(bodies, options);
  context.setRemarkEngine(nullptr); // writes the rest and closes the file
  auto remarks = llvm::MemoryBuffer::getFile("/proc/self/fd/" + std::to_string(memory));
  if (!remarks)
    return fail("cannot write remarks to '" + shortPath(path) + "': " + remarks.getError().message());
  return writeOutputFile(path, (*remarks)->getBuffer());
}

} // namespace fuselage
