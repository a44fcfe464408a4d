#include "core/runtime/Reference.h"
#include "core/runtime/HostJit.h"
#include "core/runtime/HostLowering.h"
#include "core/runtime/UnwrittenReads.h"

using namespace mlir;

namespace fuselage {

constexpr llvm::StringLiteral markName = "fuselage.reference";

void markOps(func::FuncOp function) {
  int64_t next = 0;
  function.walk([&](Operation *op) {
    // The number of results guards against rewrites that copy attributes but drop results.
    if (op != function.getOperation() && op->getNumResults() != 0)
      op->setAttr(markName,
                  DenseI64ArrayAttr::get(op->getContext(), {next++, int64_t(op->getNumResults())}));
  });
}

void unmarkOps(Operation *root) {
  root->walk([](Operation *op) { op->removeAttr(markName); });
}

std::optional<ReferenceKey> referenceKeyOf(Value value) {
  auto result = llvm::dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  auto mark = result.getOwner()->getAttrOfType<DenseI64ArrayAttr>(markName);
  if (!mark || mark.size() != 2 || mark[1] != result.getOwner()->getNumResults())
    return std::nullopt;
  return ReferenceKey{mark[0], result.getResultNumber()};
}

/// Appends the values that the keys name to the function's results, as far as they dominate its
/// return. Returns the keys found, in the order of the new results.
static std::vector<ReferenceKey> returnValues(func::FuncOp function, ArrayRef<ReferenceKey> keys) {
  std::vector<ReferenceKey> found;
  if (!function.getBody().hasOneBlock())
    return found;
  std::map<ReferenceKey, Value> values;
  for (Operation &op : function.getBody().front())
    for (Value result : op.getResults())
      if (auto key = referenceKeyOf(result); key && llvm::isa<RankedTensorType>(result.getType()))
        values.emplace(*key, result);
  Operation *terminator = function.getBody().front().getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  for (const ReferenceKey &key : keys) {
    auto value = values.find(key);
    if (value == values.end() || llvm::is_contained(found, key))
      continue;
    found.push_back(key);
    results.push_back(value->second);
  }
  terminator->setOperands(results);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     TypeRange(ValueRange(results))));
  return found;
}

llvm::Expected<ReferenceResults> runReference(OwningOpRef<ModuleOp> module, func::FuncOp function,
                                              ArrayRef<ReferenceKey> keys,
                                              ArrayRef<HostTensor> arguments,
                                              const RunOptions &options) {
  inlineDispatchRegions(function);
  size_t outputs = function.getNumResults();
  std::vector<ReferenceKey> found = returnValues(function, keys);
  unmarkOps(*module);
  std::optional<UnwrittenRead> suspect = findUnwrittenRead(function);
  std::string name = function.getName().str();
  auto program = HostProgram::compile(*module, {.jit = {.cancelled = options.cancelled}});
  if (!program) {
    Failure failure = takeFailure(program.takeError());
    return fail("the reference of @" + name + " cannot be computed: " + failure.message,
                failure.diagnostics);
  }
  bool depends = false;
  auto results = suspect ? callOnFreshMemory(**program, name, arguments, depends) : (*program)->call(name, arguments);
  if (!results)
    return results.takeError();
  ReferenceResults reference;
  if (depends)
    reference.uninitialised = describe(*suspect);
  for (size_t i = 0; i < results->size(); ++i) {
    if (i < outputs)
      reference.outputs.push_back((*results)[i]);
    else
      reference.values.emplace(found[i - outputs], (*results)[i]);
  }
  return reference;
}

} // namespace fuselage
