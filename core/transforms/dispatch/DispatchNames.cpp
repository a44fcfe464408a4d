// Kinds and names of dispatches.
#include "core/transforms/dispatch/DispatchNames.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

llvm::StringRef dispatchKindName(DispatchKind kind) {
  switch (kind) {
  case DispatchKind::Contraction:
    return "contraction";
  case DispatchKind::Convolution:
    return "convolution";
  case DispatchKind::Reduction:
    return "reduction";
  case DispatchKind::Elementwise:
    return "elementwise";
  case DispatchKind::Other:
    return "other";
  }
  return "other";
}

static DispatchKind kindOf(const ForeignWork &work) {
  switch (work.kind) {
  case ForeignWork::Kind::Contraction:
    return DispatchKind::Contraction;
  case ForeignWork::Kind::Convolution:
    return DispatchKind::Convolution;
  case ForeignWork::Kind::Reduction:
    return DispatchKind::Reduction;
  case ForeignWork::Kind::Elementwise:
    return DispatchKind::Elementwise;
  case ForeignWork::Kind::Move:
  case ForeignWork::Kind::Other:
    return DispatchKind::Other;
  }
  return DispatchKind::Other;
}

/// The kind of an op that may be of a dialect or version that we only read.
static DispatchKind kindOfAny(Operation *op) {
  if (std::optional<ForeignWork> work = xlaWork(op))
    return kindOf(*work);
  return op->isRegistered() ? kindOf(op) : kindByName(displayName(op));
}

DispatchKind kindByName(StringRef name) {
  SmallVector<StringRef> words;
  name.split(words, '.');
  StringRef last = words.empty() ? name : words.back();
  // "aten.sum.dim_IntList": the last word is the overload.
  if (words.size() > 2 && (words.front() == "aten" || words.front() == "prims"))
    last = words[1];
  auto has = [&](ArrayRef<StringRef> parts) {
    return llvm::any_of(parts, [&](StringRef part) { return last.contains(part); });
  };
  if (has({"convert"}))
    return DispatchKind::Other;
  if (has({"matmul", "dot", "gemm", "einsum", "contract", "attention"}) || last == "mm" || last == "bmm" ||
      last == "addmm" || last == "linear" || last == "matvec" || last == "vecmat")
    return DispatchKind::Contraction;
  if (has({"conv"}))
    return DispatchKind::Convolution;
  if (has({"softmax", "pooling", "reduce"}) || last == "sum" || last == "mean" || last == "argmax")
    return DispatchKind::Reduction;
  return DispatchKind::Other;
}

/// A generic that only moves elements: transpose, broadcast or copy.
static llvm::StringRef nameOfMove(linalg::GenericOp generic, OpOperand *input) {
  if (!isPlainCopy(generic))
    return "transpose";
  auto from = cast<RankedTensorType>(input->get().getType());
  auto to = cast<RankedTensorType>(generic.getResult(0).getType());
  return from.getShape() == to.getShape() ? "copy" : "broadcast";
}

/// `linalg.batch_matmul` -> `batch_matmul`; generics are named after what they do.
static std::string stemOf(Operation *root) {
  auto generic = dyn_cast<linalg::GenericOp>(root);
  if (!generic) {
    std::string name = displayName(root);
    return name.substr(name.rfind('.') + 1);
  }
  if (OpOperand *input = findMovedInput(generic))
    return nameOfMove(generic, input).str();
  if (isCheapProducer(root))
    return "fill";
  DispatchKind kind = kindOf(root);
  return kind == DispatchKind::Other ? "generic" : dispatchKindName(kind).str();
}

/// The sizes of the op's loops, or of its result where it has none of linalg's.
static SmallVector<int64_t> domainOf(Operation *root) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(root))
    return linalgOp.getStaticLoopRanges();
  if (root->getNumResults() == 0)
    return {};
  auto type = dyn_cast<RankedTensorType>(root->getResult(0).getType());
  return type ? llvm::to_vector(type.getShape()) : SmallVector<int64_t>();
}

std::string symbolOf(std::string text) {
  for (char &c : text)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  return text;
}

std::string dispatchName(Operation *root) {
  std::string name = symbolOf(stemOf(root));
  SmallVector<int64_t> domain = domainOf(root);
  for (auto [index, size] : llvm::enumerate(domain)) {
    name += index == 0 ? '_' : 'x';
    name += ShapedType::isDynamic(size) ? "D" : std::to_string(size);
  }
  return name;
}

/// The first op of the best kind among those that only their names tell.
static Operation *findNamedRoot(Operation *dispatchRegion) {
  Operation *root = nullptr;
  DispatchKind rootKind = DispatchKind::Other;
  dispatchRegion->walk<WalkOrder::PreOrder>([&](Operation *op) {
    DispatchKind kind = op->isRegistered() || op->getNumResults() == 0 ? DispatchKind::Other : kindOfAny(op);
    if (kind < rootKind) {
      root = op;
      rootKind = kind;
    }
  });
  return root;
}

Operation *findDispatchRoot(Operation *dispatchRegion) {
  Operation *root = nullptr;
  DispatchKind rootKind = DispatchKind::Other;
  dispatchRegion->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isComputeOp(op))
      return WalkResult::advance();
    // Cheap ops lead only where there is nothing else; kinds are listed by precedence.
    DispatchKind kind = kindOf(op);
    bool isBetter =
        !root || (isCheapProducer(root) && !isCheapProducer(op)) || (kind < rootKind && !isCheapProducer(op));
    if (isBetter) {
      root = op;
      rootKind = kind;
    }
    return WalkResult::skip();
  });
  if (root && !isCheapProducer(root))
    return root;
  Operation *named = findNamedRoot(dispatchRegion);
  return named ? named : root;
}

DispatchKind classifyDispatch(Operation *dispatchRegion) {
  Operation *root = findDispatchRoot(dispatchRegion);
  return root ? kindOfAny(root) : DispatchKind::Other;
}

std::string nameOfDispatch(Operation *dispatchRegion) {
  if (auto named = dyn_cast<NameLoc>(dispatchRegion->getLoc()))
    return named.getName().str();
  Operation *root = findDispatchRoot(dispatchRegion);
  return root ? dispatchName(root) : "dispatch";
}

} // namespace fuselage
