#include "core/analysis/tiles/TileTrace.h"
#include "core/ir/Session.h"
#include "core/ir/ops/ValueNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/RegionUtils.h"

namespace fuselage {
namespace {

/// The printed op on one line; of ops with regions, the head.
std::string lineOf(mlir::Operation *op, mlir::AsmState &names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, names);
  llvm::StringRef line(text);
  bool isStructured = mlir::isa<mlir::linalg::LinalgOp>(op);
  if (op->getNumRegions() > 0 && (!isStructured || line.contains('\n')))
    line = line.split('\n').first;
  return llvm::json::fixUTF8(line.rtrim());
}

std::vector<std::string> mapsOf(mlir::Operation *op) {
  std::vector<std::string> maps;
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    for (mlir::AffineMap map : linalgOp.getIndexingMapsArray())
      maps.push_back(mlir::debugString(map));
  return maps;
}

/// Records what is inserted while upstream tiles. Its methods are told apart by what they make: loops;
/// the tiled op after its slices; the insertion of its result; and each question whether to fuse,
/// which ends what the producer before made.
class Recorder : public mlir::RewriterBase::Listener {
public:
  explicit Recorder(mlir::Operation *function) : function_(function) {}

  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override {
    for (mlir::Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      if (mlir::isa<mlir::linalg::LinalgOp>(parent))
        return; // a payload
    fresh_.push_back(op);
  }

  /// Ends an event with everything that was made since the last one.
  void close(TileTraceEvent event) {
    mlir::AsmState names(function_, withValueNames().useLocalScope());
    for (mlir::Operation *op : fresh_)
      if (op && op->getBlock())
        event.ir.push_back(lineOf(op, names));
    fresh_.clear();
    if (!event.ir.empty()) // else nothing came of it
      events.push_back(std::move(event));
  }
  void notifyOperationErased(mlir::Operation *op) override {
    std::replace(fresh_.begin(), fresh_.end(), op, static_cast<mlir::Operation *>(nullptr));
  }

  /// Events of tiling the root, by the kinds of ops that were inserted.
  void closeRoot(mlir::OperationName root, llvm::ArrayRef<std::string> maps) {
    std::vector<mlir::Operation *> domain, loops, tiled, position;
    bool sawTiled = false;
    for (mlir::Operation *op : std::exchange(fresh_, {})) {
      if (!op || !op->getBlock())
        continue;
      if (mlir::isa<mlir::LoopLikeOpInterface>(op))
        loops.push_back(op);
      else if (loops.empty())
        domain.push_back(op);
      else if (!sawTiled)
        tiled.push_back(op);
      else
        position.push_back(op);
      sawTiled |= op->getName() == root;
    }
    std::string name = root.getStringRef().str();
    closeWith({.method = "getIterationDomain", .about = "The bounds of the loops.", .op = name}, domain);
    closeWith(
        {.method = "getLoopIteratorTypes", .about = "A loop for each size that is less than its range.", .op = name},
        loops);
    closeWith({.method = "getTiledImplementation",
               .about = "Slices of the operands by their indexing maps, and the op on them.",
               .op = name,
               .maps = {maps.begin(), maps.end()}},
              tiled);
    closeWith({.method = "getResultTilePosition", .about = "Where the tile goes in the result.", .op = name}, position);
  }

  std::vector<TileTraceEvent> events;

private:
  void closeWith(TileTraceEvent event, std::vector<mlir::Operation *> ops) {
    fresh_ = std::move(ops);
    if (!fresh_.empty())
      close(std::move(event));
  }

  mlir::Operation *function_;
  std::vector<mlir::Operation *> fresh_;
};

/// The copy of a function, and its ops by those of the original.
struct Copy {
  mlir::OwningOpRef<mlir::Operation *> function;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals; ///< by op of the copy
  mlir::Operation *root = nullptr;
};

Copy copyAround(mlir::Operation *op) {
  mlir::Operation *around = op;
  while (around->getParentOp() && !mlir::isa<mlir::ModuleOp>(around->getParentOp()))
    around = around->getParentOp();
  Copy copy;
  copy.function = around->clone();
  llvm::SmallVector<mlir::Operation *> originals;
  around->walk([&](mlir::Operation *original) { originals.push_back(original); });
  auto next = originals.begin();
  copy.function.get()->walk([&](mlir::Operation *cloned) {
    if (*next == op)
      copy.root = cloned;
    copy.originals[cloned] = *next++;
  });
  return copy;
}

} // namespace

llvm::Expected<TileTrace> traceTiling(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                                      llvm::function_ref<bool(mlir::Operation *)> fuses,
                                      llvm::function_ref<std::string(mlir::Value)> nameOf) {
  std::string name = op->getName().getStringRef().str();
  if (!mlir::isa<mlir::TilingInterface>(op))
    return fail(name + " has no TilingInterface: upstream cannot tile it");
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return fail("every loop is whole: choose a tile size that is less than its loop's range");
  Copy copy = copyAround(op);
  Recorder recorder(copy.function.get());
  DiagnosticCapture capture(*op->getContext());
  mlir::IRRewriter rewriter(op->getContext(), &recorder);
  rewriter.setInsertionPoint(copy.root);

  std::optional<TileTraceEvent> pending;
  bool isRootDone = false;
  auto closeOpen = [&] {
    if (!std::exchange(isRootDone, true))
      recorder.closeRoot(op->getName(), mapsOf(op));
    else if (pending)
      recorder.close(*std::exchange(pending, std::nullopt));
  };
  auto control = [&](mlir::tensor::ExtractSliceOp slice, mlir::OpResult producer,
                     bool) -> std::optional<mlir::scf::SCFTileAndFuseOptions::ControlFnResult> {
    closeOpen();
    auto original = copy.originals.find(producer.getOwner());
    if (original == copy.originals.end() || !fuses(original->second))
      return std::nullopt;
    mlir::AsmState names(copy.function.get(), withValueNames().useLocalScope());
    std::string value = nameOf(original->second->getResult(producer.getResultNumber()));
    pending = TileTraceEvent{.method = "generateResultTileValue",
                             .about = "The slice of " + value + " is computed here, from slices of its own operands.",
                             .op = producer.getOwner()->getName().getStringRef().str(),
                             .value = value,
                             .slice = lineOf(slice, names),
                             .maps = mapsOf(producer.getOwner())};
    return mlir::scf::SCFTileAndFuseOptions::ControlFnResult{};
  };
  llvm::SmallVector<mlir::OpFoldResult> tileSizes;
  for (int64_t size : sizes)
    tileSizes.push_back(rewriter.getIndexAttr(size));
  mlir::scf::SCFTilingOptions tiling;
  tiling.setTileSizes(tileSizes);
  if (!order.empty())
    tiling.setInterchange(order);
  mlir::scf::SCFTileAndFuseOptions options;
  options.setTilingOptions(tiling).setFusionControlFn(control);
  auto tiled = mlir::cast<mlir::TilingInterface>(copy.root);
  if (copy.root->getNumResults() == 0) { // on memrefs there is nothing to fuse
    auto result = mlir::scf::tileUsingSCF(rewriter, tiled, tiling);
    if (mlir::failed(result))
      return fail("upstream does not tile " + name + " like that", capture.take());
    closeOpen();
    rewriter.eraseOp(copy.root);
  } else {
    auto result = mlir::scf::tileConsumerAndFuseProducersUsingSCF(rewriter, tiled, options);
    if (mlir::failed(result))
      return fail("upstream does not tile " + name + " like that", capture.take());
    closeOpen();
    for (auto [original, replacement] : result->replacements)
      original.replaceAllUsesWith(replacement);
  }

  TileTrace trace;
  trace.events = std::move(recorder.events);
  (void)mlir::runRegionDCE(rewriter, copy.function.get()->getRegions());
  llvm::raw_string_ostream os(trace.function);
  copy.function.get()->print(os, withValueNames().elideLargeElementsAttrs().useLocalScope());
  trace.function = llvm::json::fixUTF8(trace.function);
  return trace;
}

} // namespace fuselage
