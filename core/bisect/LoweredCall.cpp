#include "core/bisect/LoweredCall.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {

SmallVector<Type> LoweredCall::fieldsOf(Type type, bool bare) const {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return {converter_.convertType(type)};
  auto pointer = LLVM::LLVMPointerType::get(type.getContext());
  if (bare)
    return {pointer};
  SmallVector<Type> fields{pointer, pointer};
  fields.append(1 + 2 * memref.getRank(), converter_.getIndexType());
  return fields;
}

bool LoweredCall::takes(ValueRange arguments, bool bare) {
  SmallVector<Type> types;
  for (Value argument : arguments)
    types.append(fieldsOf(argument.getType(), bare));
  return types == SmallVector<Type>(callee_.getFunctionType().getParams());
}

bool LoweredCall::takes(ValueRange arguments) { return takes(arguments, false) || takes(arguments, true); }

Value LoweredCall::cast(Value value, Type type) {
  return value.getType() == type
             ? value
             : UnrealizedConversionCastOp::create(builder_, loc_, TypeRange(type), value).getResult(0);
}

Value LoweredCall::extract(Value value, ArrayRef<int64_t> position) {
  return LLVM::ExtractValueOp::create(builder_, loc_, value, position);
}

void LoweredCall::pass(Value argument, bool bare, SmallVector<Value> &operands) {
  auto memref = dyn_cast<MemRefType>(argument.getType());
  Value lowered = cast(argument, converter_.convertType(argument.getType()));
  if (!memref) {
    operands.push_back(lowered);
    return;
  }
  if (bare) {
    operands.push_back(extract(lowered, 1));
    return;
  }
  for (int64_t field = 0; field < 3; ++field)
    operands.push_back(extract(lowered, field));
  for (int64_t field : {3, 4})
    for (int64_t i = 0; i < memref.getRank(); ++i)
      operands.push_back(extract(lowered, {field, i}));
}

/// A descriptor or a pointer as a buffer, a scalar as it was; null: it is none of these.
Value LoweredCall::receive(Value value, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return value.getType() == converter_.convertType(type) ? cast(value, type) : Value();
  if (isa<LLVM::LLVMPointerType>(value.getType())) {
    Value descriptor = mlir::MemRefDescriptor::fromStaticShape(builder_, loc_, converter_, memref, value);
    return cast(descriptor, memref);
  }
  if (value.getType() != converter_.convertType(type))
    return {};
  // What the strides are, only the descriptor knows.
  SmallVector<int64_t> strides(memref.getRank(), ShapedType::kDynamic);
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return cast(value, MemRefType::get(memref.getShape(), memref.getElementType(), layout));
}

llvm::Expected<SmallVector<Value>> LoweredCall::make(ValueRange arguments, TypeRange results) {
  const bool bare = !takes(arguments, false);
  SmallVector<Value> operands, received;
  for (Value argument : arguments)
    pass(argument, bare, operands);
  auto call = LLVM::CallOp::create(builder_, loc_, callee_, operands);
  if (call.getNumResults() != (results.empty() ? 0u : 1u))
    return fail("the function, as it was lowered, gives another number of results than before");
  for (auto [index, type] : llvm::enumerate(results)) {
    Value value = call.getResult();
    if (results.size() > 1) {
      auto all = dyn_cast<LLVM::LLVMStructType>(value.getType());
      if (!all || all.getBody().size() != results.size())
        return fail("the function, as it was lowered, gives another number of results than before");
      value = extract(value, int64_t(index));
    }
    received.push_back(receive(value, type));
    if (!received.back())
      return fail("result " + std::to_string(index) + " has another type than before");
  }
  return received;
}

} // namespace fuselage
