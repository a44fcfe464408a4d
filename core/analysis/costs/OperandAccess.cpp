#include "core/analysis/costs/OperandAccess.h"
#include "core/analysis/costs/PayloadReads.h"
#include "core/analysis/sets/AffineImage.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace fuselage {

mlir::OpOperand *viewedOperand(mlir::Operation *op) {
  if (mlir::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp, mlir::tensor::CastOp,
                mlir::tensor::ReshapeOp, mlir::tensor::ExtractSliceOp, mlir::bufferization::ToTensorOp,
                mlir::bufferization::ToBufferOp>(op))
    return &op->getOpOperand(0);
  if (auto view = mlir::dyn_cast<mlir::ViewLikeOpInterface>(op))
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (operand.get() == view.getViewSource())
        return &operand;
  return nullptr;
}

/// All points of a structured op; nullopt where a loop's range that `map` looks at is dynamic.
static std::optional<Region> domainOf(mlir::linalg::LinalgOp op, mlir::AffineMap map) {
  Product points;
  for (auto [loop, extent] : llvm::enumerate(loopExtents(op))) {
    bool isUnknown = mlir::ShapedType::isDynamic(extent);
    if (isUnknown && (!map || map.isFunctionOfDim(loop)))
      return std::nullopt;
    points.push_back(Axis::whole(isUnknown ? 1 : extent));
  }
  return isEmpty(points) ? Region() : Region::of(std::move(points));
}

/// What a structured op touches of an operand.
static Bytes bytesOfImage(mlir::linalg::LinalgOp op, mlir::OpOperand &use) {
  int64_t whole = memoryBytes(use.get().getType());
  mlir::AffineMap map = op.getMatchingIndexingMap(&use);
  if (map.isProjectedPermutation() || whole == 0) // every element, since the loops are as long as the dimensions
    return {.count = whole};
  std::optional<Region> domain = hasKnownImage(map) ? domainOf(op, map) : std::nullopt;
  if (!domain)
    return {.count = whole, .atMost = true};
  TileEvents events;
  Region image = imageOf(map, *domain, events);
  return Bytes{.count = bytesOfElements(use.get().getType(), image.size()), .atMost = !image.isExact()}.limitedTo(
      whole);
}

/// Whether the name of an op of a dialect that we only read says that it fetches from its first operand
/// what the others name.
static bool gathersByName(mlir::Operation *op) {
  if (op->isRegistered())
    return false;
  std::string spelled = displayName(op);
  llvm::StringRef name = llvm::StringRef(spelled).split('.').second;
  return name.contains("gather") || name.contains("embedding") || name.contains("index_select");
}

OperandAccess accessTo(mlir::OpOperand &use) {
  mlir::Operation *op = use.getOwner();
  mlir::Type type = use.get().getType();
  int64_t whole = memoryBytes(type);
  auto places = [&](mlir::ValueRange values) { return llvm::SmallVector<mlir::Value>(values); };
  auto element = [&] { return Bytes{.count = bytesOfElements(type, 1)}; };
  bool isFirst = use.getOperandNumber() == 0;
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    return {.bytes = bytesOfImage(linalgOp, use)};
  if (auto extract = mlir::dyn_cast<mlir::tensor::ExtractOp>(op); extract && isFirst)
    return {.bytes = element(), .places = places(extract.getIndices())};
  if (auto load = mlir::dyn_cast<mlir::memref::LoadOp>(op); load && isFirst)
    return {.bytes = element(), .places = places(load.getIndices())};
  if (auto store = mlir::dyn_cast<mlir::memref::StoreOp>(op); store && use.get() == store.getMemRef())
    return {.bytes = element(), .places = places(store.getIndices())};
  if (auto load = mlir::dyn_cast<mlir::vector::LoadOp>(op); load && isFirst)
    return {.bytes = Bytes{.count = memoryBytes(load.getType())}.limitedTo(whole), .places = places(load.getIndices())};
  if (auto store = mlir::dyn_cast<mlir::vector::StoreOp>(op); store && use.get() == store.getBase())
    return {.bytes = Bytes{.count = memoryBytes(store.getVectorType())}.limitedTo(whole),
            .places = places(store.getIndices())};
  if (auto transfer = mlir::dyn_cast<mlir::VectorTransferOpInterface>(op); transfer && use.get() == transfer.getBase())
    return {.bytes = Bytes{.count = memoryBytes(transfer.getVectorType())}.limitedTo(whole),
            .places = places(transfer.getIndices())};
  if (isFirst && op->getNumResults() == 1) {
    int64_t result = memoryBytes(op->getResult(0).getType());
    if (mlir::isa<mlir::tensor::ExtractSliceOp, mlir::memref::SubViewOp>(op)) // of dynamic size: no more than all
      return {.bytes = Bytes{.count = result}.limitedTo(whole)};
    if (mlir::isa<mlir::tensor::GatherOp>(op) || gathersByName(op))
      return {.bytes = Bytes{.count = result, .atMost = true}.limitedTo(whole)};
  }
  return {.bytes = {.count = whole}};
}

/// The same of what a structured op's payload reads.
static Bytes bytesOfRead(mlir::linalg::LinalgOp op, const PayloadRead &read) {
  mlir::Type type = read.source().getType();
  int64_t whole = memoryBytes(type);
  std::optional<Region> domain = domainOf(op, {});
  if (!domain || !mlir::cast<mlir::ShapedType>(type).hasRank())
    return {.count = whole, .atMost = true};
  Region touched = domain->empty() ? Region() : read.touchedBy(domain->pieces.front());
  return Bytes{.count = bytesOfElements(type, touched.size()), .atMost = !read.isExact()}.limitedTo(whole);
}

llvm::MapVector<mlir::Value, OperandAccess> payloadAccesses(mlir::Operation *op) {
  llvm::MapVector<mlir::Value, OperandAccess> accesses;
  auto add = [&](mlir::OpOperand &use, Bytes bytes) {
    OperandAccess &access = accesses[use.get()];
    bool isMore = !access.places.empty() || access.bytes.count != 0;
    access.bytes += bytes;
    access.bytes.atMost |= isMore; // they may be the same elements
    access.bytes = access.bytes.limitedTo(memoryBytes(use.get().getType()));
    for (mlir::Value index : use.getOwner()->getOperands())
      if (index != use.get())
        access.places.push_back(index);
  };
  if (auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op)) {
    for (const PayloadRead &read : payloadReads(linalgOp))
      add(*read.use, bytesOfRead(linalgOp, read));
    return accesses;
  }
  // An element of the result each time: tensor.generate, and what is like it elsewhere.
  int64_t runs = op->getNumResults() == 1 ? elementCount(op->getResult(0).getType()) : -1;
  for (mlir::Region &region : op->getRegions())
    region.walk([&](mlir::Operation *inner) {
      for (mlir::OpOperand &use : inner->getOpOperands()) {
        bool isInside = op->isAncestor(use.get().getParentRegion()->getParentOp());
        if (isInside || memoryBytes(use.get().getType()) == 0 || mlir::isa<mlir::VectorType>(use.get().getType()) ||
            mlir::isa<mlir::tensor::DimOp, mlir::memref::DimOp>(inner))
          continue;
        bool isElement = mlir::isa<mlir::tensor::ExtractOp, mlir::memref::LoadOp>(inner);
        int64_t count = isElement ? bytesOfElements(use.get().getType(), runs) : memoryBytes(use.get().getType());
        add(use, {.count = count, .atMost = true});
      }
    });
  return accesses;
}

void TouchedValues::add(mlir::Value source, const void *part, Bytes bytes, std::optional<Box> box) {
  auto &parts = parts_[source];
  auto known = llvm::find_if(parts, [&](const Part &other) { return other.id == part; });
  if (known == parts.end()) {
    parts.push_back({part, bytes, std::move(box)});
    return;
  }
  // The same part by two ops: all that either touches, if one touches all of it.
  if (known->bytes == bytes)
    return;
  if (known->bytes.count < 0 || bytes.count < 0)
    known->bytes.count = -1;
  else
    known->bytes = {.count = std::max(known->bytes.count, bytes.count), .atMost = known->bytes.atMost || bytes.atMost};
}

/// Whether no two parts share an element.
bool TouchedValues::areApart(llvm::ArrayRef<Part> parts) {
  auto isApart = [](const Part &a, const Part &b) {
    if (!a.box || !b.box || a.box->offsets.size() != b.box->offsets.size())
      return false;
    for (size_t dim = 0; dim < a.box->offsets.size(); ++dim)
      if (a.box->offsets[dim] + a.box->sizes[dim] <= b.box->offsets[dim] ||
          b.box->offsets[dim] + b.box->sizes[dim] <= a.box->offsets[dim])
        return true;
    return false;
  };
  constexpr size_t most = 64;
  if (parts.size() > most)
    return false;
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (!isApart(parts[i], parts[k]))
        return false;
  return true;
}

Bytes TouchedValues::total() const {
  Bytes total;
  for (const auto &[source, parts] : parts_) {
    int64_t whole = memoryBytes(source.getType());
    bool isAll = llvm::any_of(parts, [&](const Part &part) { return !part.bytes.atMost && part.bytes.count == whole; });
    Bytes sum{.count = 0, .atMost = !areApart(parts)};
    for (const Part &part : parts)
      sum += part.bytes;
    total += isAll ? Bytes{.count = whole} : sum.limitedTo(whole);
  }
  return total;
}

void forEachBufferEffect(mlir::Operation *op, llvm::function_ref<void(mlir::OpOperand &, bool)> visit) {
  auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  llvm::SmallVector<mlir::MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const mlir::MemoryEffects::EffectInstance &effect : instances) {
    auto *use = effect.getEffectValue<mlir::OpOperand *>();
    if (!use || !mlir::isa<mlir::BaseMemRefType>(use->get().getType()))
      continue;
    if (mlir::isa<mlir::MemoryEffects::Read, mlir::MemoryEffects::Write>(effect.getEffect()))
      visit(*use, mlir::isa<mlir::MemoryEffects::Write>(effect.getEffect()));
  }
}

} // namespace fuselage
