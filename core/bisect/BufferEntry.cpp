#include "core/bisect/BufferEntry.h"
#include "core/bisect/LoweredCall.h"
#include "core/ir/module/RunPipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {
EntrySignature signatureOf(const HostReference &reference) {
  EntrySignature signature;
  for (const HostTensor &argument : reference.arguments())
    signature.inputs.push_back(argument.type());
  for (const HostTensor &output : reference.expected())
    signature.outputs.push_back(output.type());
  return signature;
}

namespace {

/// A tensor's buffer, or a scalar's where those are wanted in memory.
Type bufferOf(Type type, bool alsoScalars) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  return alsoScalars ? Type(MemRefType::get({}, type)) : type;
}

/// The type of the same memory with other sizes, layout as it is.
MemRefType withShape(MemRefType type, ArrayRef<int64_t> shape) {
  return MemRefType::get(shape, type.getElementType(), type.getLayout(), type.getMemorySpace());
}

class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, const EntrySignature &signature, EntryResults results)
      : module_(module), signature_(signature), results_(results), builder_(module.getContext()) {}

  llvm::Error build(Operation *callee) {
    makeFunction(callee->getLoc());
    auto gave = isa<LLVM::LLVMFuncOp>(callee) ? callLowered(cast<LLVM::LLVMFuncOp>(callee))
                                              : callOnBuffers(cast<func::FuncOp>(callee));
    if (!gave)
      return gave.takeError();
    if (gave->size() != signature_.outputs.size())
      return fail("the function gives another number of results than before");
    SmallVector<Value> returned;
    for (auto [index, value] : llvm::enumerate(*gave))
      if (llvm::Error error = handOn(value, index, returned))
        return error;
    func::ReturnOp::create(builder_, loc_, returned);
    return llvm::Error::success();
  }

private:
  void makeFunction(Location loc) {
    loc_ = loc;
    const bool inArguments = results_ == EntryResults::InLastArguments;
    SmallVector<Type> inputs, outputs;
    for (Type type : signature_.inputs)
      inputs.push_back(bufferOf(type, false));
    for (Type type : signature_.outputs)
      (inArguments ? inputs : outputs).push_back(bufferOf(type, inArguments));
    builder_.setInsertionPointToEnd(module_.getBody());
    function_ = func::FuncOp::create(builder_, loc, kBufferEntry, builder_.getFunctionType(inputs, outputs));
    builder_.setInsertionPointToStart(function_.addEntryBlock());
  }

  ValueRange inputs() { return function_.getArguments().take_front(signature_.inputs.size()); }

  /// A value as a parameter of this type takes it; null: it cannot.
  Value fit(Value value, Type type) {
    if (value.getType() == type)
      return value;
    auto from = dyn_cast<MemRefType>(value.getType()), to = dyn_cast<MemRefType>(type);
    if (!from || !to)
      return {};
    if (from.getMemorySpace() != to.getMemorySpace()) {
      from = MemRefType::get(from.getShape(), from.getElementType(), from.getLayout(), to.getMemorySpace());
      value = memref::MemorySpaceCastOp::create(builder_, loc_, from, value);
    }
    if (from == to)
      return value;
    return memref::CastOp::areCastCompatible(from, to) ? memref::CastOp::create(builder_, loc_, to, value).getResult()
                                                       : Value();
  }

  /// Fresh memory for an output that the function writes itself.
  Value allocate(Type output) {
    auto type = dyn_cast<MemRefType>(bufferOf(output, false));
    return type ? memref::AllocOp::create(builder_, loc_, type).getResult() : Value();
  }

  llvm::Expected<SmallVector<Value>> callOnBuffers(func::FuncOp callee) {
    FunctionType type = callee.getFunctionType();
    if (type.getNumInputs() < signature_.inputs.size())
      return fail("the function takes fewer arguments than before");
    SmallVector<Value> given(inputs()), written;
    for (size_t i = 0; given.size() < type.getNumInputs(); ++i) {
      while (i < signature_.outputs.size() && !isa<RankedTensorType>(signature_.outputs[i]))
        ++i; // scalars are returned
      if (i >= signature_.outputs.size())
        return fail("the function takes more arguments than before");
      written.push_back(allocate(signature_.outputs[i]));
      given.push_back(written.back());
    }
    for (auto [value, wanted] : llvm::zip_equal(given, type.getInputs()))
      if (value = fit(value, wanted); !value)
        return fail("the function takes an argument in a form that the bisection cannot pass");
    auto call = func::CallOp::create(builder_, loc_, callee, given);
    if (written.empty())
      return SmallVector<Value>(call.getResults());
    return inOrder(written, call.getResults());
  }

  llvm::Expected<SmallVector<Value>> callLowered(LLVM::LLVMFuncOp callee) {
    LoweredCall call(builder_, loc_, callee);
    SmallVector<Value> given(inputs()), written;
    if (!call.takes(given)) {
      for (Type output : signature_.outputs)
        if (Value memory = allocate(output))
          written.push_back(memory);
      given.append(written);
      if (written.empty() || !call.takes(given))
        return fail("the function, as it was lowered, takes other arguments than buffers by their descriptors or by "
                    "their pointers");
    }
    SmallVector<Type> results;
    for (Type output : signature_.outputs)
      if (written.empty() || !isa<RankedTensorType>(output))
        results.push_back(bufferOf(output, false));
    auto gave = call.make(given, results);
    if (!gave)
      return gave.takeError();
    return written.empty() ? std::move(*gave) : inOrder(written, *gave);
  }

  /// Results of which buffers were written and scalars returned.
  SmallVector<Value> inOrder(ArrayRef<Value> written, ValueRange returned) {
    SmallVector<Value> all;
    for (Type output : signature_.outputs) {
      const bool isBuffer = isa<RankedTensorType>(output);
      if (isBuffer ? written.empty() : returned.empty())
        return {};
      all.push_back(isBuffer ? written.front() : returned.front());
      if (isBuffer)
        written = written.drop_front();
      else
        returned = returned.drop_front();
    }
    return all;
  }

  /// Copies a result to where the caller looks for it.
  llvm::Error handOn(Value value, size_t index, SmallVector<Value> &returned) {
    Type wanted = signature_.outputs[index];
    const bool inArguments = results_ == EntryResults::InLastArguments;
    Value target = inArguments ? function_.getArgument(signature_.inputs.size() + index) : Value();
    auto tensor = dyn_cast<RankedTensorType>(wanted);
    if (!tensor) {
      if (value.getType() != wanted)
        return fail("result " + std::to_string(index) + " has another type than before");
      if (inArguments)
        memref::StoreOp::create(builder_, loc_, value, target);
      else
        returned.push_back(value);
      return llvm::Error::success();
    }
    auto type = dyn_cast<MemRefType>(value.getType());
    if (type && type.getRank() == tensor.getRank() && type.getElementType() == tensor.getElementType())
      value = fit(value, withShape(type, tensor.getShape()));
    else
      value = {};
    if (!value)
      return fail("result " + std::to_string(index) + " has another type than before");
    if (!target)
      target =
          returned.emplace_back(memref::AllocOp::create(builder_, loc_, cast<MemRefType>(bufferOf(tensor, false))));
    memref::CopyOp::create(builder_, loc_, value, target);
    return llvm::Error::success();
  }

  ModuleOp module_;
  const EntrySignature &signature_;
  EntryResults results_;
  OpBuilder builder_;
  Location loc_ = builder_.getUnknownLoc();
  func::FuncOp function_;
};

/// The function, wherever in the module; null: none with a body is called so.
Operation *findFunction(ModuleOp module, StringRef name) {
  Operation *found = nullptr;
  module.walk([&](FunctionOpInterface function) {
    if (function.getName() != name || function.isExternal() || !isa<func::FuncOp, LLVM::LLVMFuncOp>(*function))
      return WalkResult::advance();
    found = function;
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>> buildBufferEntry(ModuleOp module, StringRef name, const EntrySignature &signature,
                                                       EntryResults results) {
  Operation *original = findFunction(module, name);
  auto parent = original ? dyn_cast<ModuleOp>(original->getParentOp()) : ModuleOp();
  if (!parent)
    return fail("there is no function @" + name.str() + " with a body any more");
  OwningOpRef<ModuleOp> copy(parent.clone());
  if (SymbolTable::lookupSymbolIn(*copy, kBufferEntry))
    return fail("the module has a function @" + std::string(kBufferEntry) + " of its own");
  for (Operation &op : *copy->getBody())
    if (isa<func::FuncOp, LLVM::LLVMFuncOp>(op))
      SymbolTable::setSymbolVisibility(&op, SymbolTable::Visibility::Private);
  Operation *callee = SymbolTable::lookupSymbolIn(*copy, name);
  if (llvm::Error error = EntryBuilder(*copy, signature, results).build(callee))
    return error;
  if (failed(verify(*copy)))
    return fail("the function takes or gives something else than before");
  // What the function does not reach need not run here.
  if (llvm::Error error = runPipeline(*copy, "builtin.module(symbol-dce)"))
    return std::move(error);
  return std::move(copy);
}

} // namespace fuselage
