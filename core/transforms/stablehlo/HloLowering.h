// What the lowerings of StableHLO share: one function an op, registered by family.
#pragma once
#include "core/transforms/stablehlo/HloOp.h"
#include "core/transforms/stablehlo/HloTypes.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

using HloResults = llvm::FailureOr<llvm::SmallVector<mlir::Value>>;

/// Reasons of ops that stay as they are.
using HloReasons = llvm::DenseMap<mlir::Operation *, std::string>;

/// One op that is replaced. Operands are converted already: signless, tuples as their elements.
class HloCall {
public:
  HloCall(HloOp op, llvm::ArrayRef<mlir::ValueRange> operands, mlir::ConversionPatternRewriter &builder,
          const mlir::TypeConverter &types, HloReasons &reasons)
      : op(op), builder(builder), types(types), loc(op.loc()), groups(operands), reasons_(reasons) {
    for (mlir::ValueRange group : operands)
      llvm::append_range(this->operands, group);
  }

  HloOp op;
  mlir::ConversionPatternRewriter &builder;
  const mlir::TypeConverter &types;
  mlir::Location loc;
  /// What each operand became, and all in one list.
  llvm::ArrayRef<mlir::ValueRange> groups;
  llvm::SmallVector<mlir::Value> operands;

  /// The element type of an operand or result as it was written: it says whether numbers have a sign.
  mlir::Type writtenOperand(unsigned index) const { return elementOf(op->getOperand(index)); }
  mlir::Type writtenResult(unsigned index = 0) const { return elementOf(op->getResult(index)); }
  mlir::RankedTensorType operandType(unsigned index) const {
    return llvm::cast<mlir::RankedTensorType>(operands[index].getType());
  }
  /// Converted; null if it is no ranked tensor.
  mlir::RankedTensorType resultType(unsigned index = 0) const {
    return types.convertType<mlir::RankedTensorType>(op->getResult(index).getType());
  }
  /// Whether all operands and results are ranked tensors, as most ops want them.
  bool isOnTensors() const;

  /// What a value from outside of the op's regions has become.
  mlir::Value converted(mlir::Value outer) const;

  /// "stays as it is: ..."; the caller returns it.
  mlir::LogicalResult refuse(const llvm::Twine &reason);

private:
  HloReasons &reasons_;
};

using HloLowering = HloResults (*)(HloCall &call);
using HloLowerings = llvm::StringMap<HloLowering>;

// The families, by the name of the op without its dialect.
void addElementwiseLowerings(HloLowerings &lowerings);
void addShapeLowerings(HloLowerings &lowerings);
void addSliceLowerings(HloLowerings &lowerings);
void addDotLowerings(HloLowerings &lowerings);
void addConvolutionLowerings(HloLowerings &lowerings);
void addReduceLowerings(HloLowerings &lowerings);
void addWindowLowerings(HloLowerings &lowerings);
void addGatherLowerings(HloLowerings &lowerings);
void addScatterLowerings(HloLowerings &lowerings);
void addSortLowerings(HloLowerings &lowerings);
void addControlFlowLowerings(HloLowerings &lowerings);
void addNormalizationLowerings(HloLowerings &lowerings);
void addFftLowerings(HloLowerings &lowerings);
void addMatrixLowerings(HloLowerings &lowerings);
void addBitcastLowerings(HloLowerings &lowerings);
void addDeviceLowerings(HloLowerings &lowerings);
void addEinsumLowerings(HloLowerings &lowerings);
void addQuantizedLowerings(HloLowerings &lowerings);
void addRaggedDotLowerings(HloLowerings &lowerings);
void addRandomLowerings(HloLowerings &lowerings);
void addSpecialLowerings(HloLowerings &lowerings);

/// All of them, made once.
const HloLowerings &hloLowerings();

/// An op on scalars as one on tensors: linalg.generic, or arithmetic where there are no dimensions.
HloResults lowerElementwise(HloCall &call);

// Building blocks.

/// The sizes of a result that has the sizes of `like`.
mlir::Value emptyLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type, mlir::Value like);
/// A tensor of this type whose dynamic sizes are given.
mlir::Value emptyTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                        mlir::ValueRange dynamicSizes = {});
/// One of its sizes is 0.
bool isWithoutElements(mlir::RankedTensorType type);
/// As emptyTensor, each element being `scalar`.
mlir::Value filledTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type, mlir::Value scalar,
                         mlir::ValueRange dynamicSizes = {});
/// The element of a tensor without dimensions; what it was made from, where that is known.
mlir::Value scalarOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);
/// A tensor without dimensions.
mlir::Value tensorOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar);
/// A tensor as another of as many elements, by tensor's collapse_shape and expand_shape; static shapes, or a cast.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor, mlir::RankedTensorType type);
mlir::Value transposed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                       llvm::ArrayRef<int64_t> permutation);
/// Elements of `padding` before, after and between those of a tensor; negative edges take elements away.
mlir::Value padded(HloCall &call, mlir::Value tensor, mlir::Value padding, llvm::ArrayRef<int64_t> low,
                   llvm::ArrayRef<int64_t> high, llvm::ArrayRef<int64_t> interior);
mlir::Value reversed(HloCall &call, mlir::Value tensor, llvm::ArrayRef<int64_t> dims);
/// sum + left * right; of booleans, sum or (left and right).
mlir::Value multiplyAdd(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left, mlir::Value right,
                        mlir::Value sum);
/// Numbers along a dimension, from 0; `sizes` are the dynamic ones.
mlir::Value iota(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type, int64_t dim,
                 mlir::ValueRange sizes = {});
/// An element of a list of integers as an index.
mlir::Value indexAt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value list, int64_t position);
/// The constant that a value of StableHLO or arith is; null if it is none.
mlir::ElementsAttr constantOf(mlir::Value value);
/// Its elements, where they are integers.
std::optional<llvm::SmallVector<int64_t>> integersOf(mlir::Value value);
/// All ones, or zero, of a type as arith has it.
mlir::Value zeroOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

} // namespace fuselage
