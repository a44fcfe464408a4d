#include "core/schedules/write/ActionTable.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/strategy/SuggestedTile.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {
namespace {

using mlir::linalg::LinalgOp;

std::string whyNotTiled(mlir::Operation *op) {
  return llvm::isa<mlir::TilingInterface>(op) ? "" : "it has no loops that could be tiled";
}

std::string whyNotLinalg(mlir::Operation *op) { return llvm::isa<LinalgOp>(op) ? "" : "it is no op of linalg"; }

/// What the default pipeline would take, with 0 for what stays whole; where that is all of it, the first loop in
/// halves.
llvm::SmallVector<int64_t> sizesToStartFrom(mlir::TilingInterface op) {
  llvm::SmallVector<int64_t> ranges = loopRanges(op), sizes = suggestedTile(op, ranges);
  for (size_t loop = 0; loop < sizes.size(); ++loop)
    if (sizes[loop] == ranges[loop])
      sizes[loop] = 0;
  if (!sizes.empty() && llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    sizes.front() = mlir::ShapedType::isDynamic(ranges.front()) ? 8 : std::max<int64_t>(ranges.front() / 2, 1);
  return sizes;
}

std::vector<ActionOption> tileOptions(mlir::Operation *op) {
  return {{"sizes", "Tile sizes", "By loop, the outermost first; 0: the loop stays whole.",
           listed(sizesToStartFrom(llvm::cast<mlir::TilingInterface>(op)))},
          {"loop", "Loop", "scf.forall takes parallel loops only.", "scf.for", {"scf.for", "scf.forall"}}};
}

/// Sizes that say something: no more than there are loops, and one that is not 0.
llvm::Expected<llvm::SmallVector<int64_t>> tileSizes(ActionWriter &writer) {
  auto sizes = writer.numbers("sizes");
  if (!sizes)
    return sizes.takeError();
  size_t loops = llvm::cast<mlir::TilingInterface>(writer.op).getLoopIteratorTypes().size();
  if (sizes->size() > loops || llvm::all_of(*sizes, [](int64_t size) { return size == 0; }))
    return fail("'sizes' has a number for each of the " + std::to_string(loops) +
                " loops, and 0 for those that stay whole; it has '" + writer.text("sizes").str() + "'");
  return sizes;
}

/// What both ways to tile have in common.
struct Tiling {
  std::string sizes; ///< "8, 16"
  ActionWriter::Handle target{};
  bool isForall = false;
  unsigned loops = 0; ///< that come of it
};

llvm::Expected<Tiling> beginTiling(ActionWriter &writer) {
  auto sizes = tileSizes(writer);
  if (!sizes)
    return sizes.takeError();
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  Tiling tiling{.sizes = listed(*sizes), .target = *handle, .isForall = writer.text("loop") == "scf.forall"};
  tiling.loops = tiling.isForall ? 1 : llvm::count_if(*sizes, [](int64_t size) { return size != 0; });
  return tiling;
}

/// "%tiled, %loop, %loop_0"
std::string tiledNames(ActionWriter &writer, const Tiling &tiling, llvm::StringRef tiled) {
  std::string names = writer.fresh(tiled);
  for (unsigned i = 0; i < tiling.loops; ++i)
    names += ", " + writer.fresh(tiling.isForall ? "forall" : "loop");
  return names;
}

llvm::Error tile(ActionWriter &writer) {
  auto tiling = beginTiling(writer);
  if (!tiling)
    return tiling.takeError();
  writer.line(tiledNames(writer, *tiling, "tiled") + " = transform.structured.tile_using_" +
              (tiling->isForall ? "forall " : "for ") + tiling->target.name + " tile_sizes [" + tiling->sizes +
              "] : (" + tiling->target.type + ") -> (" + anyOps(1 + tiling->loops) + ")");
  return llvm::Error::success();
}

llvm::Error tileAndFuse(ActionWriter &writer) {
  auto tiling = beginTiling(writer);
  if (!tiling)
    return tiling.takeError();
  writer.line(tiledNames(writer, *tiling, "fused") + " = transform.structured.fuse " + tiling->target.name +
              " tile_sizes [" + tiling->sizes + "]" + (tiling->isForall ? " {use_forall}" : "") + " : (" +
              tiling->target.type + ") -> (" + anyOps(1 + tiling->loops) + ")");
  return llvm::Error::success();
}

std::vector<ActionOption> orderOptions(mlir::Operation *op) {
  llvm::SmallVector<int64_t> order(llvm::cast<LinalgOp>(op).getNumLoops());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() >= 2)
    std::swap(order[order.size() - 1], order[order.size() - 2]);
  return {{"order", "Order of the loops", "The numbers of the loops as they are now, the new outermost first.",
           listed(order)}};
}

std::string whyNotInterchanged(mlir::Operation *op) {
  auto linalg = llvm::dyn_cast<LinalgOp>(op);
  return !linalg ? whyNotLinalg(op) : linalg.getNumLoops() < 2 ? "it has fewer than two loops" : "";
}

/// A handle to the op as a linalg.generic.
llvm::Expected<ActionWriter::Handle> generic(ActionWriter &writer) {
  auto handle = writer.handleOf(writer.op);
  if (!handle || llvm::isa<mlir::linalg::GenericOp>(writer.op))
    return handle;
  std::string name = writer.fresh("generic");
  writer.line(name + " = transform.structured.generalize " + handle->name + " : (" + handle->type +
              ") -> !transform.any_op");
  return ActionWriter::Handle{.name = name, .type = "!transform.any_op"};
}

llvm::Error interchange(ActionWriter &writer) {
  auto order = writer.numbers("order");
  if (!order)
    return order.takeError();
  unsigned loops = llvm::cast<LinalgOp>(writer.op).getNumLoops();
  llvm::SmallVector<int64_t> sorted(*order);
  llvm::sort(sorted);
  if (sorted.size() != loops || !llvm::equal(sorted, llvm::seq<int64_t>(0, loops)))
    return fail("'order' has each of the numbers from 0 to " + std::to_string(loops - 1) + " once; it has '" +
                writer.text("order").str() + "'");
  auto handle = generic(writer);
  if (!handle)
    return handle.takeError();
  writer.line(writer.fresh("interchanged") + " = transform.structured.interchange " + handle->name +
              " iterator_interchange = [" + listed(*order) + "] : (" + handle->type + ") -> !transform.any_op");
  return llvm::Error::success();
}

std::string whyNotGeneralized(mlir::Operation *op) {
  return llvm::isa<mlir::linalg::GenericOp>(op) ? "it is a linalg.generic already" : whyNotLinalg(op);
}

llvm::Error generalize(ActionWriter &writer) {
  auto handle = generic(writer);
  return handle ? llvm::Error::success() : handle.takeError();
}

std::string whyNotPadded(mlir::Operation *op) {
  auto linalg = llvm::dyn_cast<LinalgOp>(op);
  return !linalg ? whyNotLinalg(op) : !linalg.hasPureTensorSemantics() ? "only tensors are padded, it has buffers" : "";
}

std::vector<ActionOption> padOptions(mlir::Operation *op) {
  auto linalg = llvm::cast<LinalgOp>(op);
  llvm::SmallVector<int64_t> multiples;
  for (mlir::utils::IteratorType kind : linalg.getIteratorTypesArray())
    multiples.push_back(kind == mlir::utils::IteratorType::parallel ? 16 : 1);
  return {{"multiples", "Multiples",
           "By loop: padded to a multiple of this; 1: as it is. The padding is zeros, which a "
           "sum over a padded loop ignores; a product or a maximum does not.",
           listed(multiples)}};
}

llvm::Error pad(ActionWriter &writer) {
  auto multiples = writer.numbers("multiples", 1);
  if (!multiples)
    return multiples.takeError();
  auto linalg = llvm::cast<LinalgOp>(writer.op);
  if (multiples->size() != linalg.getNumLoops())
    return fail("'multiples' has a number for each of the " + std::to_string(linalg.getNumLoops()) + " loops");
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  std::string values;
  for (mlir::Value operand : writer.op->getOperands()) {
    mlir::Type element = mlir::getElementTypeOrSelf(operand.getType());
    mlir::TypedAttr zero = mlir::Builder(writer.op->getContext()).getZeroAttr(element);
    if (!zero)
      return fail("there is no zero to pad its operands with");
    llvm::raw_string_ostream(values) << (values.empty() ? "" : ", ") << zero;
  }
  std::string dimensions = listed(llvm::to_vector(llvm::seq<int64_t>(0, linalg.getNumLoops())));
  writer.line(writer.fresh("padded") + ", " + writer.fresh("pad") + ", " + writer.fresh("copy") +
              " = transform.structured.pad " + handle->name + " pad_to_multiple_of [" + listed(*multiples) +
              "] {padding_values = [" + values + "], padding_dimensions = [" + dimensions +
              "], copy_back_op = \"none\"} : (" + handle->type + ") -> (" + anyOps(3) + ")");
  return llvm::Error::success();
}

std::vector<ActionOption> promoteOptions(mlir::Operation *op) {
  auto linalg = llvm::cast<LinalgOp>(op);
  return {{"operands", "Operands", "By number, from 0.",
           listed(llvm::to_vector(llvm::seq<int64_t>(0, linalg.getNumDpsInputs())))},
          {"space",
           "Memory space",
           "Of the copy; empty: the default one.",
           "",
           {"", "#gpu.address_space<workgroup>", "#gpu.address_space<private>"}}};
}

/// Buffers are copied by structured.promote, tensors one by one.
llvm::Error promote(ActionWriter &writer) {
  auto operands = writer.numbers("operands");
  if (!operands)
    return operands.takeError();
  if (operands->empty() || llvm::any_of(*operands, [&](int64_t i) { return i >= writer.op->getNumOperands(); }))
    return fail("'operands' has numbers from 0 to " + std::to_string(writer.op->getNumOperands() - 1));
  for (int64_t operand : *operands)
    if (!llvm::isa<mlir::ShapedType>(writer.op->getOperand(operand).getType()))
      return fail("operand " + std::to_string(operand) + " is a scalar, of which there is nothing to promote");
  std::string space = writer.text("space").str();
  if (!llvm::is_contained(promoteOptions(writer.op).back().choices, space))
    return fail("'space' is one of those that are listed, or empty");
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  if (!llvm::cast<LinalgOp>(writer.op).hasPureTensorSemantics()) {
    writer.line(writer.fresh("promoted") + " = transform.structured.promote " + handle->name +
                " {operands_to_promote = [" + listed(*operands) + "], use_full_tiles_by_default" +
                (space.empty() ? "" : ", memory_space = " + space) + "} : (" + handle->type + ") -> !transform.any_op");
    return llvm::Error::success();
  }
  for (int64_t operand : *operands) {
    std::string value = writer.fresh("operand");
    writer.line(value + " = transform.get_operand " + handle->name + "[" + std::to_string(operand) + "] : (" +
                handle->type + ") -> !transform.any_value");
    writer.line(writer.fresh("promoted") + " = transform.structured.promote_tensor " +
                (space.empty() ? "" : "to " + space + " ") + value + " : !transform.any_value");
  }
  return llvm::Error::success();
}

std::vector<ActionOption> vectorOptions(mlir::Operation *) {
  return {{"sizes", "Vector sizes",
           "By loop; what is larger than the op is masked. Empty: as large as the op, whose sizes must be known.", ""}};
}

llvm::Error vectorize(ActionWriter &writer) {
  auto sizes = writer.numbers("sizes", 1);
  if (!sizes)
    return sizes.takeError();
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  writer.line("transform.structured.vectorize " + handle->name +
              (sizes->empty() ? "" : " vector_sizes [" + listed(*sizes) + "]") + " : " + handle->type);
  return llvm::Error::success();
}

} // namespace

std::vector<ScheduleAction> structuredActions() {
  return {
      {"tile", "Tile", "Computes the op tile by tile, in loops.", whyNotTiled, tileOptions, tile},
      {"tile_and_fuse", "Tile and fuse producers", "Tiles the op, and computes what it reads in the same loops.",
       whyNotTiled, tileOptions, tileAndFuse},
      {"interchange", "Interchange loops", "Another order of the op's loops.", whyNotInterchanged, orderOptions,
       interchange},
      {"pad", "Pad", "Pads the operands with zeros, up to sizes that tiles divide.", whyNotPadded, padOptions, pad},
      {"promote", "Promote operands", "Copies operands into memory that is nearer.", whyNotLinalg, promoteOptions,
       promote},
      {"vectorize", "Vectorize", "Becomes ops on vectors.", whyNotLinalg, vectorOptions, vectorize},
      {"generalize", "Generalize", "Becomes a linalg.generic.", whyNotGeneralized, noOptions, generalize},
  };
}

} // namespace fuselage
