// linalg's named structured ops, from the list of their classes: the shapes of operands come from
// the op's own indexing maps.
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "tests/fuzz/ValidModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage::fuzz {

namespace {

template <typename... Ops> struct OpList {};
using StructuredOps = OpList<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
    >;

/// The operands of a named op: the shape of each, without one for scalars.
struct Operands {
  std::string op;
  std::vector<std::optional<std::vector<int64_t>>> shapes; ///< the last is the output
};

} // namespace

/// The shape that an indexing map reaches in loops of these sizes; nullopt: a scalar.
static std::optional<std::vector<int64_t>> shapeOf(mlir::AffineMap map, llvm::ArrayRef<int64_t> sizes) {
  if (map.getNumResults() == 0 && map.getNumDims() > 0)
    return std::nullopt;
  std::vector<int64_t> shape;
  mlir::Builder builder(map.getContext());
  llvm::SmallVector<mlir::AffineExpr> last;
  for (int64_t size : sizes)
    last.push_back(builder.getAffineConstantExpr(size - 1));
  for (mlir::AffineExpr expr : map.getResults()) {
    auto end = llvm::dyn_cast<mlir::AffineConstantExpr>(expr.replaceDims(last));
    shape.push_back(end ? end.getValue() + 1 : 1);
  }
  return shape;
}

/// Asks an op without a body for its maps; none where its operands are not fixed by its class.
template <typename Op> static void addOperands(mlir::MLIRContext &context, std::vector<Operands> &all) {
  if constexpr (requires { Op::getNumRegionArgs(); } && !std::is_same_v<Op, mlir::linalg::ContractOp> &&
                !std::is_same_v<Op, mlir::linalg::ElementwiseOp>) {
    mlir::OpBuilder builder(&context);
    mlir::Location loc = builder.getUnknownLoc();
    unsigned count = Op::getNumRegionArgs();
    mlir::Block block;
    mlir::OperationState state(loc, Op::getOperationName());
    auto type = mlir::RankedTensorType::get({4, 6}, builder.getF32Type());
    for (unsigned i = 0; i < count; ++i)
      state.operands.push_back(block.addArgument(
          std::is_same_v<Op, mlir::linalg::FillOp> && i == 0 ? mlir::Type(builder.getF32Type()) : type, loc));
    state.types.push_back(type);
    state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({int32_t(count) - 1, 1}));
    if constexpr (requires { Op::getDefaultIndexingMaps(&context); })
      state.addAttribute("indexing_maps", builder.getAffineMapArrayAttr(Op::getDefaultIndexingMaps(&context)));
    state.addRegion();
    builder.setInsertionPointToEnd(&block);
    auto op = llvm::cast<mlir::linalg::LinalgOp>(builder.create(state));
    Operands operands{.op = Op::getOperationName().str(), .shapes = {}};
    llvm::SmallVector<mlir::AffineMap> maps = op.getIndexingMapsArray();
    llvm::SmallVector<int64_t> sizes;
    for (unsigned dim = 0; dim < maps.front().getNumDims(); ++dim)
      sizes.push_back(llvm::ArrayRef<int64_t>{4, 6, 3, 5, 2, 3, 2, 4, 3}[dim % 9]);
    for (mlir::AffineMap map : maps)
      operands.shapes.push_back(shapeOf(map, sizes));
    if (!operands.shapes.back())
      operands.shapes.back().emplace(); // a tensor of rank 0
    all.push_back(std::move(operands));
    op->erase();
  }
}

template <typename... Ops> static std::vector<Operands> operandsOfAll(mlir::MLIRContext &context, OpList<Ops...>) {
  std::vector<Operands> all;
  (addOperands<Ops>(context, all), ...);
  return all;
}

/// The element types of inputs and output that are tried: one type, and narrow inputs that are
/// widened.
static std::vector<std::pair<std::string, std::string>> elementPairs() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (StringRef type : elementTypes())
    if (type != "index" && !type.starts_with("vector")) // upstream's parser dies on those
      pairs.emplace_back(type, type);
  for (auto [narrow, wide] : {std::pair("i8", "i32"),
                              {"i4", "i32"},
                              {"i1", "i32"},
                              {"i32", "i64"},
                              {"i8", "f32"},
                              {"f8E4M3FN", "f32"},
                              {"f4E2M1FN", "bf16"},
                              {"bf16", "f32"},
                              {"f16", "f32"},
                              {"f32", "f64"},
                              {"f32", "bf16"},
                              {"f64", "i32"}})
    pairs.emplace_back(narrow, wide);
  return pairs;
}

static void addModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules, const Operands &operands,
                       StringRef input, StringRef output, const ModuleForm &form) {
  std::vector<std::string> types, names;
  bool isSelect = operands.op == "linalg.select";
  for (auto [index, shape] : llvm::enumerate(operands.shapes)) {
    bool isOutput = index + 1 == operands.shapes.size();
    std::string element = (isOutput ? output : isSelect && index == 0 ? StringRef("i1") : input).str();
    bool isRandom = operands.op == "linalg.fill_rng_2d", isZeroPoint = operands.op != "linalg.fill";
    std::string scalar = isRandom ? (index < 2 ? "f64" : "i32") : isZeroPoint ? "i32" : input.str();
    types.push_back(shape ? tensorText(*shape, element, form) : scalar);
    names.push_back("%a" + std::to_string(index));
  }
  auto inputs = llvm::ArrayRef(names).drop_back(), inputTypes = llvm::ArrayRef(types).drop_back();
  std::string body = "  %r = " + operands.op + " ins(" + llvm::join(inputs, ", ") + " : " +
                     llvm::join(inputTypes, ", ") + ") outs(" + names.back() + " : " + types.back() + ") -> " +
                     types.back() + "\n";
  std::string name = operands.op + " " + input.str() + "->" + output.str() + " " + nameOf(form);
  addIfValid(context, modules, name, functionText(types, body, {"%r"}, {types.back()}, form));
}

void addStructuredModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules) {
  for (const Operands &operands : operandsOfAll(context, StructuredOps()))
    for (const auto &[input, output] : elementPairs())
      for (const ModuleForm &form : allForms())
        addModules(context, modules, operands, input, output, form);
}

} // namespace fuselage::fuzz
