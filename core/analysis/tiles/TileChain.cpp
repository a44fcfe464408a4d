#include "core/analysis/tiles/TileChain.h"
#include "core/analysis/costs/Costs.h"
#include "core/ir/Session.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {
namespace {

/// Why nothing can compute this value inside a tile; empty if its op may.
std::string whyOutside(mlir::Value value, mlir::Operation *root, const ChainOptions &options) {
  mlir::Operation *producer = value.getDefiningOp();
  if (!producer)
    return "an argument";
  if (producer->hasTrait<mlir::OpTrait::ConstantLike>())
    return "a constant";
  if (mlir::isa<mlir::tensor::EmptyOp>(producer))
    return "tensor.empty";
  if (!options.fuse)
    return "fusion is off";
  if (producer->getBlock() != root->getBlock())
    return "it is computed in another block";
  return options.kept.contains(producer) ? "kept outside by request" : "";
}

double flopsPerPoint(const AccessModel &access) {
  int64_t points = pointsOf(access.domain), flops = access.isView ? 0 : costOf(access.op).flops;
  if (points < 0 || flops < 0)
    return -1;
  return points > 0 ? double(flops) / double(points) : 0;
}

/// Collects the chain: each op once all its consumers in it are known, so that needs add up.
class Builder {
public:
  Builder(const ChainOptions &options, TileChain &chain) : options_(options), chain_(chain) {}

  llvm::Error build(mlir::Operation *root) {
    std::string why;
    auto access = accessOf(root, why);
    std::string place = formatPosition(positionOf(root->getLoc()));
    std::string what = root->getName().getStringRef().str() + (place.empty() ? "" : " (" + place + ")");
    if (!access) {
      std::string text = what + " cannot be explored by tiles: " + why;
      if (llvm::StringRef(why).contains("dynamic"))
        text += "; 'fuselage tiles --size arg0.0=128' gives it one";
      return fail(text);
    }
    if (llvm::any_of(access->domain, [](int64_t size) { return size <= 0; }))
      return fail(what + " has no iterations: a size is 0");
    if (access->domain.size() > ChainOptions::maxLoops)
      return fail(what + " has " + std::to_string(access->domain.size()) + " loops; tiles of up to " +
                  std::to_string(ChainOptions::maxLoops) + " can be explored");
    models_[root] = std::move(access);
    collect(root, root);
    order(root);
    return llvm::Error::success();
  }

private:
  /// Models of all producers, depth first.
  void collect(mlir::Operation *from, mlir::Operation *root) {
    llvm::SmallVector<mlir::Operation *> open{from};
    while (!open.empty()) {
      mlir::Operation *op = open.pop_back_val();
      for (const TileInput &input : models_[op]->inputs) {
        if (!input.isRead || reasons_.contains(input.value))
          continue;
        std::string &why = reasons_[input.value] = whyOutside(input.value, root, options_);
        mlir::Operation *producer = input.value.getDefiningOp();
        if (!why.empty() || models_.contains(producer) || !isWithin(producer, why))
          continue;
        open.push_back(producer);
      }
    }
  }
  bool isWithin(mlir::Operation *producer, std::string &why) {
    if (models_.size() > ChainOptions::maxOps) {
      why = "the chain is too long";
      return false;
    }
    auto access = accessOf(producer, why);
    if (!access)
      return false;
    for (unsigned result = 0; result < producer->getNumResults(); ++result)
      if (!isFusable(*access, result, why))
        return false;
    models_[producer] = std::move(access);
    return true;
  }

  /// Ops of one block, consumers first: the order of the block backwards.
  void order(mlir::Operation *root) {
    llvm::SmallVector<mlir::Operation *> ops;
    for (auto &entry : models_)
      ops.push_back(entry.first);
    llvm::sort(ops, [](mlir::Operation *a, mlir::Operation *b) { return b->isBeforeInBlock(a); });
    llvm::DenseMap<mlir::Operation *, int> index;
    for (mlir::Operation *op : ops)
      index[op] = index.size();
    assert(ops.front() == root);
    (void)root;
    llvm::DenseMap<mlir::Value, int> outside;
    for (mlir::Operation *op : ops) {
      ChainNode node;
      node.access = std::move(models_[op]);
      node.flopsPerPoint = flopsPerPoint(*node.access);
      for (const TileInput &input : node.access->inputs) {
        ChainSource source;
        auto result = mlir::dyn_cast<mlir::OpResult>(input.value);
        auto producer = result ? index.find(result.getOwner()) : index.end();
        if (input.isRead && producer != index.end() && reasons_[input.value].empty()) {
          source.producer = producer->second;
          source.result = result.getResultNumber();
        } else if (auto [known, isNew] = outside.try_emplace(input.value, chain_.outside.size()); true) {
          source.outside = known->second;
          if (isNew)
            chain_.outside.push_back({input.value, input.isRead ? reasons_[input.value] : "not read"});
          else if (input.isRead)
            chain_.outside[known->second].why = reasons_[input.value];
        }
        node.sources.push_back(source);
      }
      chain_.nodes.push_back(std::move(node));
    }
  }

  const ChainOptions &options_;
  TileChain &chain_;
  std::map<mlir::Operation *, std::unique_ptr<AccessModel>> models_;
  llvm::DenseMap<mlir::Value, std::string> reasons_; // empty: computed in the tile
};

/// The tile as a product of the loops' intervals.
Product tileOf(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> tile,
               llvm::ArrayRef<int64_t> steps) {
  Product product;
  for (auto [loop, range] : llvm::enumerate(domain)) {
    int64_t begin = tile[loop] * sizes[loop];
    Axis axis{.set = IntSet::interval(begin, std::min(range, begin + sizes[loop])), .shift = {}};
    if (sizes[loop] < range) {
      axis.shift.assign(loop + 1, 0);
      axis.shift[loop] = sizes[loop] * (steps.empty() ? 1 : steps[loop]);
      axis.loops = 1u << loop;
    }
    product.push_back(std::move(axis));
  }
  return product;
}

void addNeed(Region &needed, const Region &more, FootprintKind kind, TileEvents &events) {
  if (kind == FootprintKind::Exact)
    return needed.add(more, events);
  for (const Product &piece : more.pieces)
    needed.addSlice(piece, events);
}

/// One slice a consumer: what it needs, whatever pieces that has.
Region sliceOf(const Region &region, TileEvents &events) {
  Region slice;
  if (!region.empty()) {
    // How pieces lie to each other is fixed where they move together; else the box may change.
    for (const Product &piece : llvm::drop_begin(region.pieces))
      for (auto [a, b] : llvm::zip_equal(region.pieces.front(), piece))
        if (!sameShift(a, b))
          events.cut(a, b);
    slice.pieces.push_back(region.hull());
  }
  return slice;
}

} // namespace

llvm::Expected<TileChain> TileChain::build(mlir::Operation *root, const ChainOptions &options) {
  TileChain chain;
  if (llvm::Error error = Builder(options, chain).build(root))
    return error;
  return chain;
}

TileFootprint footprintOf(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> tile,
                          FootprintKind kind, TileEvents &events, llvm::ArrayRef<int64_t> steps) {
  TileFootprint footprint;
  footprint.tile = Region::of(tileOf(chain.root().domain, sizes, tile, steps));
  footprint.points.resize(chain.nodes.size());
  footprint.results.resize(chain.nodes.size());
  footprint.inputs.resize(chain.nodes.size());
  footprint.outside.resize(chain.outside.size());
  for (auto [index, node] : llvm::enumerate(chain.nodes))
    footprint.results[index].resize(node.access->op->getNumResults());
  for (auto [index, node] : llvm::enumerate(chain.nodes)) {
    const AccessModel &access = *node.access;
    Region &points = footprint.points[index];
    if (index == 0) {
      points = footprint.tile;
      for (unsigned result = 0; result < access.op->getNumResults(); ++result)
        footprint.results[0][result] = access.written(result, points, events);
    } else {
      for (unsigned result = 0; result < access.op->getNumResults(); ++result)
        addNeed(points, access.pointsFor(result, footprint.results[index][result], events), kind, events);
    }
    for (unsigned input = 0; input < access.inputs.size(); ++input) {
      // Each slice has slices of its own.
      Region touched;
      if (kind == FootprintKind::Exact) {
        touched = access.touched(input, points, events);
      } else {
        for (const Product &piece : points.pieces)
          addNeed(touched, sliceOf(access.touched(input, Region::of(piece), events), events), kind, events);
      }
      const ChainSource &source = node.sources[input];
      if (access.inputs[input].isRead && source.producer >= 0)
        addNeed(footprint.results[source.producer][source.result], touched, kind, events);
      else if (access.inputs[input].isRead)
        addNeed(footprint.outside[source.outside], touched, kind, events);
      footprint.inputs[index].push_back(std::move(touched));
    }
  }
  return footprint;
}

int64_t pointsOf(llvm::ArrayRef<int64_t> domain) {
  int64_t points = 1;
  for (int64_t size : domain)
    points = times(points, size);
  return points;
}

TileSizes tripCounts(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<int64_t> sizes) {
  TileSizes trips;
  for (auto [range, size] : llvm::zip_equal(domain, sizes))
    trips.push_back(llvm::divideCeil(uint64_t(range), uint64_t(size)));
  return trips;
}

} // namespace fuselage
