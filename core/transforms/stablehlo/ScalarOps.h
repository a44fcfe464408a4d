// Ops of StableHLO on one element each: for bodies of linalg ops.
#pragma once
#include "core/transforms/stablehlo/HloOp.h"
#include "core/transforms/stablehlo/HloTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fuselage {

/// One op on scalars. `from` and `to` are the element types as written, `args` are signless.
struct ScalarCall {
  HloOp op;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> args = {};
  llvm::SmallVector<mlir::Type> from = {};
  mlir::Type to = {};

  mlir::Type type(unsigned index = 0) const { return args[index].getType(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(type()); }
  bool isComplex() const { return llvm::isa<mlir::ComplexType>(type()); }
  bool isInteger() const { return llvm::isa<mlir::IntegerType>(type()); }
  bool isBoolean() const { return type().isInteger(1); }
  bool isUnsigned() const { return isUnsignedElement(from[0]); }
  unsigned width() const { return type().getIntOrFloatBitWidth(); }

  template <typename Op, typename... Args> mlir::Value make(Args &&...arguments) const {
    return Op::create(builder, loc, std::forward<Args>(arguments)...);
  }
  mlir::Value integer(mlir::Type type, int64_t number) const;
  mlir::Value real(mlir::Type type, double number) const;
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value left, mlir::Value right) const;
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value left, mlir::Value right) const;
};

/// Null: the op does not exist on these types.
using ScalarLowering = mlir::Value (*)(const ScalarCall &call);
using ScalarLowerings = llvm::StringMap<ScalarLowering>;

void addScalarArithmetic(ScalarLowerings &lowerings);
void addScalarConversions(ScalarLowerings &lowerings);
void addScalarFunctions(ScalarLowerings &lowerings);
void addSpecialFunctions(ScalarLowerings &lowerings);

/// Builds one op on scalars, also on those of quantized types.
class ScalarFunction {
public:
  explicit ScalarFunction(ScalarLowering lowering, bool onBits = false) : lowering_(lowering), onBits_(onBits) {}
  explicit operator bool() const { return lowering_; }
  mlir::Value operator()(const ScalarCall &call) const;

private:
  ScalarLowering lowering_;
  bool onBits_; ///< what numbers stand for does not matter
};

/// Null if an op is not elementwise.
ScalarFunction scalarLowering(llvm::StringRef name);

/// A number in another type, as stablehlo.convert does; types are those as written. `op` is what it is for.
mlir::Value convertScalar(mlir::OpBuilder &builder, mlir::Location loc, HloOp op, mlir::Value number, mlir::Type from,
                          mlir::Type to);

/// Builds the body of a reduction, a sort, a scatter on scalars: `args` are its arguments' elements.
/// `outer` gives the tensor that a value from outside the body has become.
/// Empty if an op of the body is not known on scalars; then `why` says so.
std::optional<llvm::SmallVector<mlir::Value>> inlineScalarBody(mlir::OpBuilder &builder, mlir::Block &body,
                                                               mlir::ValueRange args,
                                                               llvm::function_ref<mlir::Value(mlir::Value)> outer,
                                                               std::string &why);

/// A float as the integer whose order is the total order of floats: -NaN < -inf < ... < -0 < +0 < ... < NaN.
mlir::Value totalOrderKey(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number);

/// Whether a body is one commutative and associative op on its arguments: "add" of (a, b) -> a + b; else empty.
std::string simpleBody(mlir::Block &body);

} // namespace fuselage
