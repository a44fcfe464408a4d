#include "core/analysis/costs/ForeignCosts.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/decoders/InductorOps.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/support/CostArithmetic.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace mlir;

namespace fuselage {

/// The shape of a value as a builtin type; null if it has none.
static ShapedType shapeOf(Type type) {
  auto shaped = isa<ShapedType>(type) ? cast<ShapedType>(type) : ShapedType(underlyingTensor(type));
  return shaped && shaped.hasRank() ? shaped : ShapedType();
}

static int64_t elements(ShapedType type) {
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    count = times(count, ShapedType::isDynamic(extent) ? -1 : extent);
  return count;
}

/// The length of the reduction of a product; -1 if the sizes do not tell.
static int64_t reductionLength(ShapedType a, ShapedType b, ShapedType c) {
  int64_t product = times(elements(a), elements(b)), result = elements(c);
  if (product <= 0 || result <= 0 || product % result != 0)
    return -1;
  int64_t squared = product / result;
  if (a.getRank() > 2 && a.getRank() == b.getRank() && a.getRank() == c.getRank())
    for (int64_t i = 0; i < a.getRank() - 2; ++i) {
      int64_t extent = a.getDimSize(i);
      if (extent != b.getDimSize(i) || extent != c.getDimSize(i) || squared % extent != 0)
        break;
      squared /= extent;
    }
  auto length = static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(squared))));
  return length * length == squared ? length : -1;
}

/// Whether one of the words of a name, between dots and underscores, is in the set.
static bool hasWordOf(StringRef name, const llvm::StringSet<> &words) {
  while (!name.empty()) {
    size_t end = name.find_first_of("._");
    if (words.contains(name.take_front(end)))
      return true;
    name = end == StringRef::npos ? StringRef() : name.substr(end + 1);
  }
  return false;
}

/// Of what another compiler's op computes.
static std::optional<int64_t> flopsOf(const ForeignWork &work) {
  using Kind = ForeignWork::Kind;
  if (work.kind == Kind::Move || work.kind == Kind::Other)
    return std::nullopt;
  int64_t flops = work.kind == Kind::Contraction || work.kind == Kind::Convolution ? 2 : 1;
  for (int64_t extent : work.extents)
    flops = times(flops, ShapedType::isDynamic(extent) ? -1 : extent);
  return flops;
}

/// Of the pieces of work of an FX node together.
static std::optional<int64_t> flopsOf(ArrayRef<ForeignWork> pieces) {
  std::optional<int64_t> sum;
  for (const ForeignWork &piece : pieces)
    if (std::optional<int64_t> flops = flopsOf(piece))
      sum = plus(sum.value_or(0), *flops);
  return sum;
}

std::optional<int64_t> foreignFlops(Operation *op) {
  static const llvm::StringSet<> products = {"matmul", "dot",    "mm",     "bmm",  "gemm",
                                             "matvec", "vecmat", "linear", "addmm"};
  static const llvm::StringSet<> arithmetic = {
      "add",  "subtract",    "sub",  "multiply", "mul",     "divide",   "div",     "maximum", "minimum", "max",
      "min",  "exponential", "exp",  "log",      "tanh",    "logistic", "sigmoid", "sqrt",    "rsqrt",   "power",
      "pow",  "negate",      "neg",  "abs",      "compare", "relu",     "gelu",    "erf",     "sine",    "cosine",
      "addf", "addi",        "mulf", "muli",     "subf",    "subi",     "divf"};
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return std::nullopt;
  if (SmallVector<ForeignWork> pieces = inductorWork(op); !pieces.empty())
    return flopsOf(pieces);
  if (std::optional<ForeignWork> work = xlaWork(op))
    return flopsOf(*work);
  ShapedType result = shapeOf(op->getResult(0).getType()), first = shapeOf(op->getOperand(0).getType());
  if (!result || !first)
    return std::nullopt;
  std::string spelled = displayName(op);
  StringRef name = StringRef(spelled).split('.').second;
  if (hasWordOf(name, products)) {
    ShapedType second = op->getNumOperands() > 1 ? shapeOf(op->getOperand(1).getType()) : ShapedType();
    int64_t length = second ? reductionLength(first, second, result) : -1;
    return times(elements(result), times(2, length));
  }
  if (hasWordOf(name, {"softmax"}))
    return times(5, elements(first));
  if (hasWordOf(name, {"reduce"}))
    return elements(first);
  return hasWordOf(name, arithmetic) ? std::optional(elements(result)) : std::nullopt;
}

} // namespace fuselage
