#include "core/dialects/decoders/InductorOps.h"
#include "core/dialects/flow/Flow.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

static constexpr llvm::StringLiteral kRecorded = "fuselage.recorded"; // by core/inductor/ModuleText.cpp

bool isInductorModule(ModuleOp module) { return module->hasAttr(kRecorded); }

StringRef inductorVersion(ModuleOp module) {
  auto writer = module->getAttrOfType<StringAttr>(kRecorded);
  return writer ? writer.getValue() : StringRef();
}

/// Of a node: "aten.add.Tensor" is "add".
static StringRef nodeName(Operation *op) {
  auto [dialect, name] = op->getName().getStringRef().split('.');
  if (dialect != "aten" && dialect != "prims" && dialect != "fx")
    return "";
  return name.take_until([](char c) { return c == '.'; });
}

/// The module around is looked at only for ops of a dialect that torch has.
bool isInductorOp(Operation *op) {
  if (!isa<flow::DispatchRegionOp>(op) && nodeName(op).empty())
    return false;
  auto module = op->getParentOfType<ModuleOp>();
  return module && isInductorModule(module);
}

namespace {
using Kind = ForeignWork::Kind;
using Extents = SmallVector<int64_t>;
} // namespace

static Extents shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Extents(tensor.getShape()) : Extents();
}

/// Of operand `number`; empty: it has none.
static Extents operandShape(Operation *op, unsigned number) {
  return number < op->getNumOperands() ? shapeOf(op->getOperand(number).getType()) : Extents();
}

/// M, N and batches of the result, and K: the last extent of the left operand.
static ForeignWork product(Operation *op, unsigned left) {
  ForeignWork work{.kind = Kind::Contraction, .extents = shapeOf(op->getResult(0).getType())};
  Extents shape = operandShape(op, left);
  if (!shape.empty())
    work.extents.push_back(shape.back());
  return work;
}

/// The result's extents and the filter's without the channels that it makes; of a transposed one, the input's.
static ForeignWork convolution(Operation *op) {
  auto call = op->getAttrOfType<StringAttr>("arguments");
  bool isTransposed = call && call.getValue().contains("], True, [");
  ForeignWork work{.kind = Kind::Convolution,
                   .extents = isTransposed ? operandShape(op, 0) : shapeOf(op->getResult(0).getType())};
  Extents filter = operandShape(op, 1);
  for (int64_t extent : llvm::drop_begin(ArrayRef(filter), filter.empty() ? 0 : 1))
    work.extents.push_back(extent);
  return work;
}

/// `(input, [2, 2], [2, 2], ..`: the result's extents and the window's.
static ForeignWork pooling(Operation *op) {
  ForeignWork work{.kind = Kind::Convolution, .extents = shapeOf(op->getResult(0).getType())};
  auto call = op->getAttrOfType<StringAttr>("arguments");
  StringRef window = call ? call.getValue().split('[').second.split(']').first : StringRef();
  SmallVector<StringRef> sizes;
  window.split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : sizes)
    if (int64_t size = 0; !text.trim().getAsInteger(10, size) && size > 0)
      work.extents.push_back(size);
  return work;
}

/// Two products, and the softmax of the scores between them.
static SmallVector<ForeignWork> attention(Operation *op) {
  Extents query = operandShape(op, 0), key = operandShape(op, 1), value = operandShape(op, 2);
  if (query.size() < 2 || key.size() < 2 || value.empty())
    return {{.kind = Kind::Other, .extents = {}}};
  Extents scores = query;
  scores.back() = key[key.size() - 2];
  Extents first = scores, second = scores;
  first.push_back(query.back());
  second.push_back(value.back());
  return {{Kind::Contraction, first}, {Kind::Reduction, scores},   {Kind::Elementwise, scores},
          {Kind::Reduction, scores},  {Kind::Elementwise, scores}, {Kind::Contraction, second}};
}

static Kind kindOf(StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases({"permute", "view", "reshape", "expand", "clone", "slice", "select", "cat", "squeeze", "unsqueeze"},
             Kind::Move)
      .Cases({"as_strided", "transpose", "t", "alias", "split", "split_with_sizes", "unbind", "unfold", "diagonal"},
             Kind::Move)
      .Cases({"constant_pad_nd", "flip", "roll", "repeat", "full", "iota", "arange", "empty", "lift_fresh_copy"},
             Kind::Move)
      .Cases({"slice_scatter", "select_scatter", "copy", "copy_", "view_as_real", "view_as_complex", "prepare"},
             Kind::Move)
      .Cases({"broadcast_in_dim", "full_like", "scalar_tensor", "detach", "movedim", "_unsafe_view"}, Kind::Move)
      .Cases({"sum", "mean", "amax", "amin", "max", "min", "prod", "any", "all", "argmax", "argmin"}, Kind::Reduction)
      .Cases({"var", "std", "logsumexp", "norm", "cumsum", "cumprod", "linalg_vector_norm"}, Kind::Reduction)
      .Cases({"sort", "topk", "scatter", "scatter_add", "scatter_reduce", "index_put", "index_put_", "nonzero"},
             Kind::Other)
      .Cases({"rand", "randn", "randint", "inductor_random", "inductor_seeds", "inductor_lookup_seed"}, Kind::Other)
      .Cases({"_fft_c2c", "_fft_r2c", "_fft_c2r", "getitem", "get_attr", "expression"}, Kind::Other)
      .Default(Kind::Elementwise);
}

/// What has a name of its own above: several pieces of work, or one with another domain than its result.
static SmallVector<ForeignWork> composed(Operation *op, StringRef name) {
  Extents result = shapeOf(op->getResult(0).getType()), first = operandShape(op, 0);
  if (name == "mm" || name == "bmm" || name == "linear" || name == "matmul" || name == "dot" || name == "mv")
    return {product(op, 0)};
  if (name == "_int_mm" || name == "_scaled_mm")
    return {product(op, 0)};
  if (name == "addmm" || name == "baddbmm" || name == "addmv")
    return {product(op, 1), {Kind::Elementwise, result}};
  if (name == "convolution")
    return {convolution(op)};
  if (name == "_softmax" || name == "softmax" || name == "_log_softmax")
    return {
        {Kind::Reduction, result}, {Kind::Elementwise, result}, {Kind::Reduction, result}, {Kind::Elementwise, result}};
  if (name == "var_mean") // the mean, squares of what is left, the mean of these
    return {{Kind::Reduction, first},
            {Kind::Elementwise, result},
            {Kind::Elementwise, first},
            {Kind::Reduction, first},
            {Kind::Elementwise, result}};
  if (name.contains("max_pool") || name.contains("avg_pool2d"))
    return {pooling(op)}; // linalg has them among the convolutions
  if (name == "native_layer_norm")
    return {{Kind::Reduction, first}, {Kind::Elementwise, first}, {Kind::Reduction, first}, {Kind::Elementwise, first}};
  if (name.contains("scaled_dot_product") || name == "flex_attention")
    return attention(op);
  return {};
}

SmallVector<ForeignWork> inductorWork(Operation *op) {
  StringRef name = nodeName(op);
  if (name.empty() || op->isRegistered() || op->getNumResults() == 0 || !isInductorOp(op))
    return {};
  if (SmallVector<ForeignWork> pieces = composed(op, name); !pieces.empty())
    return pieces;
  Kind kind = kindOf(name);
  Extents extents = shapeOf(op->getResult(0).getType());
  if (kind == Kind::Reduction && op->getNumOperands() > 0)
    extents = operandShape(op, 0);
  return {{kind, std::move(extents)}};
}

std::string inductorReason(Operation *reader, unsigned operand) {
  auto unfused = reader->getAttrOfType<DictionaryAttr>("unfused");
  auto said = unfused ? unfused.getAs<StringAttr>("operand" + std::to_string(operand)) : StringAttr();
  return kDecidedByInductor.str() + (said ? "; " + said.getValue().str() : std::string());
}

} // namespace fuselage
