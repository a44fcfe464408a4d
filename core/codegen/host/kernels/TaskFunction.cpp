#include "core/codegen/host/kernels/TaskFunction.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace fuselage {

TaskFunction makeTaskFunction(OpBuilder &builder, ModuleOp module, StringRef name, Region &body, ArrayRef<Value> more,
                              IRMapping &inside) {
  llvm::SetVector<Value> used(more.begin(), more.end());
  getUsedValuesDefinedAbove(body, used);
  TaskFunction made;
  SmallVector<Type> types(2, builder.getIndexType());
  SmallVector<Value> constants;
  for (Value value : used) {
    if (matchPattern(value, m_Constant())) {
      constants.push_back(value);
      continue;
    }
    made.arguments.push_back(value);
    types.push_back(value.getType());
  }
  Location loc = body.getLoc();
  builder.setInsertionPointToEnd(module.getBody());
  made.tasks = func::FuncOp::create(builder, loc, (name + ".tasks").str(), builder.getFunctionType(types, {}));
  made.all = func::FuncOp::create(builder, loc, (name + ".all").str(),
                                  builder.getFunctionType(ArrayRef(types).drop_front(2), {}));
  made.tasks.setPrivate();
  made.all.setPrivate();
  Block *entry = made.tasks.addEntryBlock();
  inside.map(made.arguments, entry->getArguments().drop_front(2));
  builder.setInsertionPointToStart(entry);
  for (Value constant : constants)
    builder.clone(*constant.getDefiningOp(), inside);
  return made;
}

} // namespace fuselage
