#include "core/schedules/write/ActionTable.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

/// The outermost loop that reads the op's result, itself or inside, and does not hold the op.
mlir::Operation *loopOfReaders(mlir::Operation *op) {
  for (mlir::Operation *reader : op->getUsers()) {
    mlir::Operation *outermost = nullptr;
    for (mlir::Operation *around = reader; around && !around->isAncestor(op); around = around->getParentOp())
      if (llvm::isa<mlir::scf::ForOp, mlir::scf::ForallOp>(around))
        outermost = around;
    if (outermost)
      return outermost;
  }
  return nullptr;
}

std::string whyNotFused(mlir::Operation *op) {
  if (!llvm::isa<mlir::TilingInterface>(op))
    return "it has no loops, of which a part could be computed elsewhere";
  return loopOfReaders(op) ? "" : "no loop reads what it computes; tile what reads it first";
}

llvm::Error fuseInto(ActionWriter &writer) {
  mlir::Operation *loop = writer.other ? writer.other : loopOfReaders(writer.op);
  if (!llvm::isa<mlir::LoopLikeOpInterface>(loop))
    return fail("'" + loop->getName().getStringRef().str() + "' is no loop to fuse into");
  auto producer = writer.handleOf(writer.op);
  if (!producer)
    return producer.takeError();
  auto into = writer.handleOf(loop);
  if (!into)
    return into.takeError();
  writer.line(writer.fresh("fused") + ", " + writer.fresh("containing") +
              " = transform.structured.fuse_into_containing_op " + producer->name + " into " + into->name + " : (" +
              producer->type + ", " + into->type + ") -> (" + anyOps(2) + ")");
  return llvm::Error::success();
}

std::string whyNotFor(mlir::Operation *op) { return llvm::isa<mlir::scf::ForOp>(op) ? "" : "it is no scf.for"; }

std::string whyNotUnrolled(mlir::Operation *op) {
  return llvm::isa<mlir::scf::ForOp, mlir::affine::AffineForOp>(op) ? "" : "it is no scf.for or affine.for";
}

std::vector<ActionOption> unrollOptions(mlir::Operation *) {
  return {{"factor", "Factor", "How many iterations become one.", "4"}};
}

llvm::Error unroll(ActionWriter &writer) {
  auto factor = writer.numbers("factor", 2);
  if (!factor)
    return factor.takeError();
  if (factor->size() != 1)
    return fail("'factor' is a number from 2 on");
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  writer.line("transform.loop.unroll " + handle->name + " {factor = " + std::to_string(factor->front()) +
              "} : " + handle->type);
  return llvm::Error::success();
}

llvm::Error peel(ActionWriter &writer) {
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  constexpr const char *loopType = "!transform.op<\"scf.for\">";
  std::string loop = handle->name;
  if (handle->type != loopType) {
    loop = writer.fresh("for");
    writer.line(loop + " = transform.cast " + handle->name + " : " + handle->type + " to " + loopType);
  }
  writer.line(writer.fresh("main") + ", " + writer.fresh("rest") + " = transform.loop.peel " + loop + " : (" +
              loopType + ") -> (" + anyOps(2) + ")");
  return llvm::Error::success();
}

std::string whyNotExchanged(mlir::Operation *op) {
  auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op);
  if (!loop)
    return whyNotFor(op);
  if (loop.getNumResults() > 0)
    return "it carries values from iteration to iteration";
  return llvm::hasSingleElement(loop.getBody()->getOps<mlir::scf::ForOp>())
             ? ""
             : "it holds no scf.for to be exchanged with";
}

llvm::Error exchange(ActionWriter &writer) {
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  writer.line(writer.fresh("outer") + ", " + writer.fresh("inner") + " = transform.fuselage.interchange_loops " +
              handle->name + " : (" + handle->type + ") -> (" + anyOps(2) + ")");
  return llvm::Error::success();
}

std::string whyNotMapped(mlir::Operation *op) {
  auto loop = llvm::dyn_cast<mlir::scf::ForallOp>(op);
  return !loop ? "it is no scf.forall" : loop.getRank() > 3 ? "a GPU has three dimensions, the loop has more" : "";
}

std::vector<ActionOption> mapOptions(mlir::Operation *) {
  return {{"to", "Onto", "What an iteration becomes on a GPU.", "block", {"block", "thread", "warp"}}};
}

/// The innermost loop is x.
llvm::Error map(ActionWriter &writer) {
  llvm::StringRef to = writer.text("to");
  if (to != "block" && to != "thread" && to != "warp")
    return fail("'to' is one of block, thread, warp");
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  llvm::SmallVector<std::string> mapping;
  llvm::StringRef dimensions = "zyx";
  for (char dimension : dimensions.take_back(llvm::cast<mlir::scf::ForallOp>(writer.op).getRank()))
    mapping.push_back("#gpu." + to.str() + "<" + dimension + ">");
  std::string param = writer.fresh("mapping");
  writer.line(param + " = transform.param.constant [" + llvm::join(mapping, ", ") + "] -> !transform.any_param");
  writer.line("transform.annotate " + handle->name + " \"mapping\" = " + param + " : " + handle->type +
              ", !transform.any_param");
  return llvm::Error::success();
}

} // namespace

std::vector<ScheduleAction> loopActions() {
  return {
      {"fuse_into", "Fuse into the loop of its readers", "Computes in each iteration what that iteration reads.",
       whyNotFused, noOptions, fuseInto},
      {"interchange_loops", "Exchange with the loop inside", "Of a perfect nest of two scf.for.", whyNotExchanged,
       noOptions, exchange},
      {"unroll", "Unroll", "Several iterations become one.", whyNotUnrolled, unrollOptions, unroll},
      {"peel", "Peel", "The iterations that are not whole become a loop of their own.", whyNotFor, noOptions, peel},
      {"map", "Map onto a GPU",
       "Says what the iterations become on a GPU; map_forall_to_blocks and map_nested_forall_to_threads do it.",
       whyNotMapped, mapOptions, map},
  };
}

} // namespace fuselage
