#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

bool isXlaModule(ModuleOp module) { return module->hasAttr(kXlaModule); }

bool isXlaOp(Operation *op) { return op->getName().getDialectNamespace() == "hlo"; }

/// The kernel that a backend_config names: {"fusion_backend_config":{"kind":"__triton_gemm"}}.
static StringRef configuredKind(Operation *op) {
  auto config = op->getAttrOfType<StringAttr>("backend_config");
  constexpr StringRef key = "\"kind\":\"__";
  StringRef text = config ? config.getValue() : StringRef();
  size_t at = text.find(key);
  return at == StringRef::npos ? StringRef()
                               : text.drop_front(at + key.size() - 2).take_until([](char c) { return c == '"'; });
}

std::string xlaKernelKind(Operation *op) {
  auto kind = op->getAttrOfType<StringAttr>("kind");
  StringRef configured = configuredKind(op);
  std::string name = kind ? kind.getValue().str() : "kernel";
  return configured.empty() ? name : name + " " + configured.str();
}

static SmallVector<int64_t> extentsOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? llvm::to_vector(tensor.getShape()) : SmallVector<int64_t>();
}

/// Those of the largest result, or operand if `ofOperand`.
static SmallVector<int64_t> largest(TypeRange types) {
  SmallVector<int64_t> extents;
  int64_t most = -1;
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (int64_t count = tensor.hasStaticShape() ? tensor.getNumElements() : 0; count > most) {
        most = count;
        extents = extentsOf(type);
      }
  return extents;
}

/// The library function that a custom call names; empty for other ops.
static StringRef targetOf(Operation *op) {
  auto target = op->getAttrOfType<StringAttr>("custom_call_target");
  return target ? target.getValue() : StringRef();
}

/// The dimensions of the left operand that a product sums over: of a library's, as its configuration tells.
static SmallVector<int64_t> contractedDims(Operation *op) {
  if (auto dims = op->getAttrOfType<DenseI64ArrayAttr>("lhs_contracting_dims"))
    return llvm::to_vector(dims.asArrayRef());
  SmallVector<int64_t> found;
  auto config = op->getAttrOfType<StringAttr>("backend_config");
  StringRef text = config ? config.getValue() : StringRef();
  constexpr StringRef key = "\"lhs_contracting_dimensions\":[";
  size_t at = text.find(key);
  if (at == StringRef::npos)
    return found;
  SmallVector<StringRef> words;
  text.drop_front(at + key.size()).take_until([](char c) { return c == ']'; }).split(words, ',');
  for (StringRef word : words)
    if (int64_t dim = 0; !word.trim().trim('"').getAsInteger(10, dim))
      found.push_back(dim);
  return found;
}

static ForeignWork product(Operation *op) {
  ForeignWork work{.kind = ForeignWork::Kind::Contraction, .extents = extentsOf(op->getResult(0).getType())};
  SmallVector<int64_t> left = extentsOf(op->getOperand(0).getType());
  for (int64_t dim : contractedDims(op))
    if (dim >= 0 && dim < int64_t(left.size()))
      work.extents.push_back(left[dim]);
  return work;
}

/// `dim_labels=b01f_01io->b01f`: the kernel's dimensions but for its features of the output.
static ForeignWork convolution(Operation *op) {
  ForeignWork work{.kind = ForeignWork::Kind::Convolution, .extents = extentsOf(op->getResult(0).getType())};
  auto labels = op->getAttrOfType<StringAttr>("dim_labels");
  StringRef ofKernel = labels ? labels.getValue().split('_').second.split('-').first : StringRef();
  SmallVector<int64_t> kernel =
      op->getNumOperands() > 1 ? extentsOf(op->getOperand(1).getType()) : SmallVector<int64_t>();
  for (auto [label, extent] : llvm::zip(ofKernel, kernel))
    if (label != 'o')
      work.extents.push_back(extent);
  return work;
}

/// `window={size=1x1x32 stride=..}`: the sizes.
static ForeignWork windowed(Operation *op) {
  ForeignWork work{.kind = ForeignWork::Kind::Reduction, .extents = extentsOf(op->getResult(0).getType())};
  auto window = op->getAttrOfType<StringAttr>("window");
  StringRef text = window ? window.getValue() : StringRef();
  size_t at = text.find("size=");
  if (at == StringRef::npos)
    return work;
  SmallVector<StringRef> words;
  text.drop_front(at + 5).take_while([](char c) { return llvm::isDigit(c) || c == 'x'; }).split(words, 'x');
  for (StringRef word : words)
    if (int64_t size = 0; !word.getAsInteger(10, size))
      work.extents.push_back(size);
  return work;
}

static ForeignWork::Kind kindOf(StringRef name) {
  using Kind = ForeignWork::Kind;
  return llvm::StringSwitch<Kind>(name)
      .Cases({"broadcast", "transpose", "reshape", "bitcast", "copy", "copy_start", "slice", "concatenate"}, Kind::Move)
      .Cases({"pad", "reverse", "iota", "constant", "dynamic_slice", "dynamic_update_slice"}, Kind::Move)
      .Cases({"dynamic_reshape", "bitcast_convert"}, Kind::Move)
      .Cases({"reduce", "reduce_window"}, Kind::Reduction)
      .Cases({"dot", "ragged_dot", "scaled_dot"}, Kind::Contraction)
      .Case("convolution", Kind::Convolution)
      .Cases({"scatter", "select_and_scatter", "sort", "topk", "fft", "custom_call", "rng", "rng_bit_generator"},
             Kind::Other)
      .Cases({"rng_get_and_update_state", "cholesky", "triangular_solve", "infeed", "outfeed", "send", "recv"},
             Kind::Other)
      .Cases({"all_reduce", "all_gather", "all_to_all", "reduce_scatter", "collective_permute"}, Kind::Other)
      .Cases({"collective_broadcast", "ragged_all_to_all", "partition_id", "replica_id"}, Kind::Other)
      .Default(name.ends_with("_start") || name.ends_with("_done") || name.ends_with("_update") ? Kind::Other
                                                                                                : Kind::Elementwise);
}

/// What a library function computes, by its name: "__cublas$gemm", "__onednn$matmul", "__cudnn$convForward".
static ForeignWork::Kind kindOfTarget(StringRef target) {
  std::string lower = target.lower();
  StringRef name = lower;
  if (name.contains("conv"))
    return ForeignWork::Kind::Convolution;
  bool isProduct = name.contains("gemm") || name.contains("matmul") || name.contains("dot");
  return isProduct ? ForeignWork::Kind::Contraction : ForeignWork::Kind::Other;
}

std::optional<ForeignWork> xlaWork(Operation *op) {
  StringRef name = op->getName().stripDialect();
  bool isControl = llvm::StringSwitch<bool>(name)
                       .Cases({"fusion", "kernel", "while", "conditional", "call", "async_start", "return"}, true)
                       .Default(false);
  if (!isXlaOp(op) || isControl || op->getNumResults() == 0)
    return std::nullopt;
  ForeignWork::Kind kind = name == "custom_call" ? kindOfTarget(targetOf(op)) : kindOf(name);
  if (op->getNumOperands() == 0 && kind != ForeignWork::Kind::Move)
    kind = ForeignWork::Kind::Other;
  switch (kind) {
  case ForeignWork::Kind::Contraction:
    return product(op);
  case ForeignWork::Kind::Convolution:
    return convolution(op);
  case ForeignWork::Kind::Reduction:
    if (name == "reduce_window")
      return windowed(op);
    return ForeignWork{.kind = kind, .extents = extentsOf(op->getOperand(0).getType())};
  case ForeignWork::Kind::Move:
  case ForeignWork::Kind::Elementwise:
  case ForeignWork::Kind::Other:
    break;
  }
  return ForeignWork{.kind = kind, .extents = largest(op->getResultTypes())};
}

std::string xlaLabel(Operation *op) {
  std::optional<ForeignWork> work = xlaWork(op);
  StringRef name = op->getName().stripDialect(), target = targetOf(op);
  if (!work || name == "constant")
    return "";
  std::string label = target.empty() ? name.str() : target.str();
  for (StringRef key : {"to_apply", "direction"})
    if (auto word = op->getAttrOfType<StringAttr>(key))
      label += " " + word.getValue().str();
  std::string sizes = shapeText(work->extents);
  return sizes.empty() ? label : label + " " + sizes;
}

} // namespace fuselage
