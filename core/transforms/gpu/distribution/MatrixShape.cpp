#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

std::optional<MatrixShape> readMatrixShape(MLIRContext *context, StringRef text) {
  size_t blank = text.find_first_of(" _");
  if (blank == StringRef::npos)
    return std::nullopt;
  StringRef sizes = text.take_front(blank), type = text.drop_front(blank + 1);
  Builder builder(context);
  MatrixShape shape;
  shape.operand = llvm::StringSwitch<Type>(type)
                      .Case("f16", builder.getF16Type())
                      .Case("bf16", builder.getBF16Type())
                      .Case("tf32", builder.getF32Type())
                      .Case("s8", builder.getI8Type())
                      .Default(Type());
  if (!shape.operand)
    return std::nullopt;
  shape.isTf32 = type == "tf32";
  shape.k = 2 * shape.perRow();
  if (sizes != "m16n8k" + std::to_string(shape.k))
    return std::nullopt;
  return shape;
}

/// Without the operands' type.
static std::optional<MatrixShape> readCooperativeSizes(StringRef text, int64_t subgroup) {
  MatrixShape shape{.subgroup = subgroup, .operand = {}, .isOpaque = true};
  auto take = [&](StringRef name, int64_t &size) {
    return text.consume_front(name) && !text.consumeInteger(10, size) && size > 0 && size <= 64;
  };
  bool isKnown = take("m", shape.m) && take("n", shape.n) && take("k", shape.k) && (text == " f16" || text == "_f16");
  return isKnown && subgroup > 0 && (shape.m * shape.n) % subgroup == 0 ? std::optional(shape) : std::nullopt;
}

bool isCooperativeShape(StringRef text, int64_t subgroup) { return readCooperativeSizes(text, subgroup).has_value(); }

std::optional<MatrixShape> readCooperativeShape(MLIRContext *context, StringRef text, int64_t subgroup) {
  std::optional<MatrixShape> shape = readCooperativeSizes(text, subgroup);
  if (shape)
    shape->operand = Float16Type::get(context);
  return shape;
}

FragmentElement leftElement(const MatrixShape &shape, int64_t reg, int64_t element) {
  MatrixBlock block = leftBlock(reg);
  return {.byGroupRow = 1,
          .byGroupColumn = 0,
          .byMemberRow = 0,
          .byMemberColumn = shape.perRegister(),
          .row = 8 * block.outer,
          .column = shape.perRow() * block.k + element};
}

FragmentElement rightElement(const MatrixShape &shape, int64_t reg, int64_t element) {
  MatrixBlock block = rightBlock(reg);
  return {.byGroupRow = 0,
          .byGroupColumn = 1,
          .byMemberRow = shape.perRegister(),
          .byMemberColumn = 0,
          .row = shape.perRow() * block.k + element,
          .column = 8 * block.outer};
}

FragmentElement resultElement(int64_t reg, int64_t element) {
  return {
      .byGroupRow = 1, .byGroupColumn = 0, .byMemberRow = 0, .byMemberColumn = 2, .row = 8 * reg, .column = element};
}

MatrixBlock leftBlock(int64_t matrix) { return {.outer = matrix % 2, .k = matrix / 2}; }
MatrixBlock rightBlock(int64_t matrix) { return {.outer = matrix / 2, .k = matrix % 2}; }

} // namespace fuselage
