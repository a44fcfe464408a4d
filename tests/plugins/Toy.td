// A dialect of two ops, for tests of plugins.
include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def ToyDialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
}

class ToyOp<string name> : Op<ToyDialect, name, [Pure, SameOperandsAndResultType]>;

def DoubleOp : ToyOp<"double"> {
  let summary = "twice the operand";
  let arguments = (ins AnyFloat:$value);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def ScaleOp : ToyOp<"scale"> {
  let summary = "the operand times a constant";
  let arguments = (ins AnyFloat:$value, I64Attr:$factor);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$value `by` $factor attr-dict `:` type($value)";
}
