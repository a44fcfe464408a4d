#include "core/run/reference/HostProgram.h"
#include "core/ir/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace fuselage {

HostProgram::HostProgram() = default;
HostProgram::~HostProgram() = default;

llvm::Expected<std::unique_ptr<HostProgram>> HostProgram::compile(ModuleOp module, const HostProgramOptions &options) {
  auto compiled = compileForHost(module, options.compile);
  if (!compiled)
    return compiled.takeError();
  auto code = HostCode::load(compiled->object, compiled->form);
  if (!code)
    return code.takeError();
  std::unique_ptr<HostProgram> program(new HostProgram());
  program->code_ = std::move(*code);
  program->kernels_ = std::move(compiled->kernels);
  program->cancelled_ = options.cancelled;
  for (auto function : module.getOps<func::FuncOp>())
    program->types_.emplace(function.getName().str(), function.getFunctionType());
  return program;
}

/// Checks one argument against the function's type.
static llvm::Error checkArgument(StringRef function, unsigned index, Type expected, const HostTensor &given) {
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

llvm::Error HostProgram::checkCall(StringRef function, ArrayRef<HostTensor> arguments) const {
  auto found = types_.find(function.str());
  if (found == types_.end() || !code_->formOf(function))
    return fail("there is no function @" + function.str() + " with a body in the module");
  FunctionType type = found->second;
  if (arguments.size() != type.getNumInputs())
    return fail("@" + function.str() + " takes " + std::to_string(type.getNumInputs()) + " arguments, not " +
                std::to_string(arguments.size()));
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (llvm::Error error = checkArgument(function, i, type.getInput(i), arguments[i]))
      return error;
  for (Type result : type.getResults())
    if (!hostElementBytes(getElementTypeOrSelf(result)))
      return fail("a result of @" + function.str() + " is a " + textOf(result) + ", which has no form in host memory");
  return llvm::Error::success();
}

HostValue hostValueOf(const HostTensor &tensor) {
  return {.memory = std::shared_ptr<void>(tensor.owner(), tensor.data()),
          .shape = tensor.isScalar() ? std::vector<int64_t>() : tensor.shape().vec(),
          .byteCount = tensor.byteCount()};
}

HostTensor hostTensorOf(Type type, const HostValue &value) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  Type sized = tensor ? RankedTensorType::get(value.shape, tensor.getElementType()) : type;
  return HostTensor::wrap(sized, value.memory, value.data());
}

llvm::Expected<HostResults> HostProgram::measure(StringRef function, ArrayRef<HostTensor> arguments, RepeatPlan plan,
                                                 const HostMeasureOptions &options) {
  if (llvm::Error error = checkCall(function, arguments))
    return error;
  auto measured = measureOnHost(*code_, function, llvm::map_to_vector(arguments, hostValueOf), std::move(plan),
                                {.fill = options.fill, .coldCaches = options.coldCaches, .cancelled = cancelled_});
  if (!measured)
    return measured.takeError();
  HostResults results{.microseconds = std::move(measured->microseconds),
                      .overheadUs = measured->overheadUs,
                      .poison = std::move(measured->poison)};
  for (auto [type, value] : llvm::zip_equal(types_.at(function.str()).getResults(), measured->values))
    results.values.push_back(hostTensorOf(type, value));
  return results;
}

llvm::Expected<std::vector<HostTensor>> HostProgram::call(StringRef function, ArrayRef<HostTensor> arguments,
                                                          const HostMeasureOptions &options) {
  auto results = measure(function, arguments, RepeatPlan({.repeat = 1, .warmup = 0}), options);
  if (!results)
    return results.takeError();
  return std::move(results->values);
}

} // namespace fuselage
