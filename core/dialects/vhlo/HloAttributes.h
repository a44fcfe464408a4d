// Attributes of StableHLO and CHLO, made from their parts as their text spells them.
#pragma once
#include "mlir/IR/BuiltinAttributes.h"

namespace fuselage {

/// The attribute that this text spells, such as `#stablehlo.bounds<?, 10>`. Its dialect is loaded and tolerant.
mlir::Attribute spelledAttribute(mlir::MLIRContext *context, llvm::StringRef text);

enum class HloEnum {
  ComparisonDirection,
  ComparisonType,
  FftType,
  Precision,
  ResultAccuracyMode,
  RngAlgorithm,
  RngDistribution,
  Transpose
};
/// `#stablehlo<precision HIGH>`, in the namespace `dialect`; null for a value that has no word.
mlir::Attribute hloEnum(mlir::MLIRContext *context, llvm::StringRef dialect, HloEnum kind, uint64_t value);

/// `name = [1, 2]` or `name = 3`, as attributes with named members have it.
struct HloMember {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> list;
  bool isNumber = false;  ///< the only element of `list`
  bool isOptional = true; ///< left out if it is empty or zero
};
/// `#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>` from "stablehlo.gather" and its members.
mlir::Attribute hloStruct(mlir::MLIRContext *context, llvm::StringRef name, llvm::ArrayRef<HloMember> members);

/// The dimensions of one tensor of a convolution.
struct ConvolutionSide {
  int64_t first = 0;  ///< batch of input and output, output features of the kernel
  int64_t second = 0; ///< features of input and output, input features of the kernel
  llvm::SmallVector<int64_t> spatial;
};
/// `#stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>`; null if one dimension has two roles, or none.
mlir::Attribute convolutionDimensions(mlir::MLIRContext *context, const ConvolutionSide &input,
                                      const ConvolutionSide &kernel, const ConvolutionSide &output);

/// `#stablehlo.bounds<?, 10>`
mlir::Attribute boundsAttribute(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> bounds);

/// `mode` is of HloEnum::ResultAccuracyMode.
mlir::Attribute resultAccuracy(mlir::MLIRContext *context, double absolute, double relative, int64_t ulps,
                               mlir::Attribute mode);

/// `#stablehlo.dot_algorithm<..>`: types of both sides and of the sum, components of both sides and the operations of
/// the hardware.
mlir::Attribute dotAlgorithm(mlir::MLIRContext *context, llvm::ArrayRef<mlir::Type> types,
                             llvm::ArrayRef<int64_t> counts, bool allowsImprecision);

/// A part of an axis of a mesh, `(1)2`; it has no text but in an axis, so that it is a string here.
mlir::StringAttr subAxis(mlir::MLIRContext *context, int64_t before, int64_t size);
/// `part` may be null.
mlir::Attribute axisReference(mlir::MLIRContext *context, llvm::StringRef name, mlir::StringAttr part);
mlir::Attribute meshAxis(mlir::MLIRContext *context, llvm::StringRef name, int64_t size);
/// `devices` may be null.
mlir::Attribute meshAttribute(mlir::MLIRContext *context, mlir::Attribute axes, mlir::Attribute devices);
mlir::Attribute replicaGroupMeshAxes(mlir::MLIRContext *context, mlir::Attribute mesh, mlir::Attribute axes);

} // namespace fuselage
