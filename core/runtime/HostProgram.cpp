#include "core/runtime/HostArena.h"
#include "core/runtime/HostJit.h"
#include "core/runtime/HostLowering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cstring>

using namespace mlir;

namespace fuselage {

/// Leaves functions and what they may refer to; schedules and nested modules do not run.
static void dropWhatDoesNotRun(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::isa<ModuleOp>(op) || op.getName().getDialectNamespace() == "transform")
      op.erase();
}

llvm::Expected<std::unique_ptr<HostProgram>> HostProgram::compile(ModuleOp module,
                                                                  const HostJitOptions &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  dropWhatDoesNotRun(*copy);
  inlineDispatchRegions(*copy);
  std::unique_ptr<HostProgram> program(new HostProgram());
  for (auto function : copy->getOps<func::FuncOp>())
    program->types_.emplace(function.getName().str(), function.getFunctionType());
  if (llvm::Error error = lowerTensorsToMemRefs(*copy))
    return error;
  auto jit = HostJit::compile(*copy, options);
  if (!jit)
    return jit.takeError();
  program->jit_ = std::move(*jit);
  return program;
}

/// Checks one argument against the function's type.
static llvm::Error checkArgument(StringRef function, unsigned index, Type expected,
                                 const HostTensor &given) {
  auto wanted = llvm::dyn_cast<RankedTensorType>(expected);
  auto have = given ? llvm::dyn_cast<RankedTensorType>(given.type()) : RankedTensorType();
  bool fits = given && (wanted ? have && wanted.getElementType() == have.getElementType() &&
                                     succeeded(verifyCompatibleShape(wanted, have))
                               : given.type() == expected);
  if (fits)
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "argument " << index << " of @" << function << " is a " << expected << ", but a ";
  if (given)
    os << given.type();
  else
    os << "missing value";
  os << " was given";
  return fail(text);
}

llvm::Expected<std::vector<HostTensor>> HostProgram::call(StringRef function,
                                                          ArrayRef<HostTensor> arguments) {
  auto found = types_.find(function.str());
  FunctionType memrefs = jit_->typeOf(function);
  if (found == types_.end() || !memrefs)
    return fail("there is no function @" + function.str() + " with a body in the module");
  FunctionType type = found->second;
  if (arguments.size() != type.getNumInputs())
    return fail("@" + function.str() + " takes " + std::to_string(type.getNumInputs()) +
                " arguments, not " + std::to_string(arguments.size()));

  std::vector<MemRefDescriptor> descriptors;
  descriptors.reserve(arguments.size() + type.getNumResults());
  SmallVector<void *> in, out;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (llvm::Error error = checkArgument(function, i, type.getInput(i), arguments[i]))
      return error;
    in.push_back(arguments[i].isScalar()
                     ? arguments[i].data()
                     : descriptors.emplace_back(arguments[i].data(), arguments[i].shape()).data());
  }
  std::vector<HostTensor> results(type.getNumResults());
  for (unsigned i = 0; i < results.size(); ++i) {
    if (auto memref = llvm::dyn_cast<MemRefType>(memrefs.getResult(i))) {
      out.push_back(descriptors.emplace_back(memref.getRank()).data());
      continue;
    }
    auto scalar = HostTensor::create(type.getResult(i));
    if (!scalar)
      return scalar.takeError();
    results[i] = *scalar;
    out.push_back(scalar->data());
  }
  if (llvm::Error error = jit_->call(function, in, out))
    return error;

  for (unsigned i = 0,
                next = llvm::count_if(
                    arguments, [](const HostTensor &argument) { return !argument.isScalar(); });
       i < results.size(); ++i) {
    if (results[i])
      continue;
    MemRefDescriptor &descriptor = descriptors[next++];
    auto tensor = llvm::cast<RankedTensorType>(type.getResult(i));
    Type sized = RankedTensorType::get(descriptor.sizes(), tensor.getElementType());
    auto *data = static_cast<uint8_t *>(descriptor.aligned()) +
                 descriptor.offset() * hostElementBytes(tensor.getElementType());
    auto sameMemory = llvm::find_if(arguments, [&](const HostTensor &argument) {
      return !argument.isScalar() && argument.data() == descriptor.allocated();
    });
    if (sameMemory != arguments.end()) {
      results[i] = HostTensor::wrap(sized, sameMemory->owner(), data);
      continue;
    }
    void *block = descriptor.allocated();
    if (jit_->arena()->keep(block)) {
      std::shared_ptr<void> owner(block,
                                  [arena = jit_->arena()](void *block) { arena->release(block); });
      results[i] = HostTensor::wrap(sized, std::move(owner), data);
      continue;
    }
    // A constant of the compiled module.
    auto copy = HostTensor::create(sized);
    if (!copy)
      return copy.takeError();
    std::memcpy(copy->data(), data, copy->byteCount());
    results[i] = *copy;
  }
  return results;
}

void HostProgram::trim() { jit_->arena()->trim(); }

} // namespace fuselage
