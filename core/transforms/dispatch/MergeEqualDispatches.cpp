// fuselage-merge-equal-dispatches: outlined dispatches that are equal become one function.
#include "core/ir/layers/EqualOps.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/Hashing.h"

namespace fuselage {
#define GEN_PASS_DEF_MERGEEQUALDISPATCHESPASS
#include "core/transforms/dispatch/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

/// All attributes but those that tell equal dispatches apart.
static DictionaryAttr attributesOf(func::FuncOp function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(function.getSymNameAttrName());
  attributes.erase(kDispatchAttr);
  return attributes.getDictionary(function.getContext());
}

static llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash = llvm::hash_value(attributesOf(function).getAsOpaquePointer());
  for (Operation &op : function.getBody().getOps())
    hash = llvm::hash_combine(hash, hashOfOps(&op));
  return hash;
}

static bool areEqual(func::FuncOp one, func::FuncOp other) {
  return attributesOf(one) == attributesOf(other) &&
         OperationEquivalence::isRegionEquivalentTo(&one.getBody(), &other.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

namespace {

struct MergeEqualDispatchesPass : fuselage::impl::MergeEqualDispatchesPassBase<MergeEqualDispatchesPass> {
  void runOnOperation() override;
};

} // namespace

void MergeEqualDispatchesPass::runOnOperation() {
  llvm::DenseMap<uint64_t, SmallVector<func::FuncOp, 1>> known;
  llvm::StringMap<func::FuncOp> firsts; // by the name of what is equal to it
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!isDispatch(function) || !function.isPrivate())
      continue;
    auto &bucket = known[static_cast<size_t>(hashOf(function)) >> 1]; // the map reserves the largest keys
    auto equal = llvm::find_if(bucket, [&](func::FuncOp other) { return areEqual(other, function); });
    if (equal == bucket.end())
      bucket.push_back(function);
    else
      firsts[function.getName()] = *equal;
  }
  SmallVector<func::CallOp> calls;
  getOperation()->walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (firsts.contains(call.getCallee()))
        calls.push_back(call);
      return;
    }
    // What is named by anything else stays.
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk([&](FlatSymbolRefAttr symbol) { firsts.erase(symbol.getValue()); });
  });
  for (func::CallOp call : calls)
    if (auto first = firsts.find(call.getCallee()); first != firsts.end())
      call.setCallee(first->second.getName());
  SymbolTable symbols(getOperation());
  for (const auto &[name, first] : firsts)
    symbols.erase(symbols.lookup(name));
}
