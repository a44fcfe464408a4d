#include "core/run/SingleDispatch.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/values/HostTensor.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace fuselage {

/// "file:line:col" as a whole or up to the line, the file by its name or its path.
static bool isPlace(func::FuncOp dispatch, StringRef wanted) {
  Operation *root = findDispatchRoot(dispatch);
  SourcePosition position = positionOf(root ? root->getLoc() : dispatch.getLoc());
  if (position.line == 0)
    return false;
  for (StringRef file : {StringRef(position.file), llvm::sys::path::filename(position.file)}) {
    std::string line = file.str() + ":" + std::to_string(position.line);
    if (wanted == line || wanted == line + ":" + std::to_string(position.column))
      return true;
  }
  return false;
}

static llvm::Error noDispatch(const RunProgram &program, StringRef wanted) {
  constexpr size_t most = 40;
  std::string text = wanted.empty() ? "no dispatch is named; " : "there is no dispatch '" + wanted.str() + "'; ";
  if (program.dispatches.empty()) {
    std::string place = formatPosition(positionOf(func::FuncOp(program.function).getLoc()));
    return fail(text + "the function has none" + (place.empty() ? "" : " (" + place + ")"));
  }
  text += "those that there are:";
  for (auto [index, dispatch] : llvm::enumerate(program.dispatches)) {
    if (index == most)
      return fail(text + " ...");
    text += (index ? ", " : " ") + std::to_string(index) + " " + func::FuncOp(dispatch).getName().str();
  }
  return fail(text);
}

/// A program that was exported may have one place for all of its ops.
static llvm::Error severalDispatches(StringRef wanted, llvm::ArrayRef<std::pair<int64_t, func::FuncOp>> found) {
  constexpr size_t most = 40;
  std::string text = "several dispatches come from '" + wanted.str() + "', name one of them by its number:";
  for (auto [index, each] : llvm::enumerate(found.take_front(most)))
    text += (index ? ", " : " ") + std::to_string(each.first) + " " + func::FuncOp(each.second).getName().str();
  return fail(text + (found.size() > most ? ", ..." : ""));
}

llvm::Expected<func::FuncOp> findDispatch(const RunProgram &program, StringRef wanted) {
  unsigned number = 0;
  bool isNumber = !wanted.getAsInteger(10, number);
  llvm::SmallVector<std::pair<int64_t, func::FuncOp>> there;
  for (auto [index, each] : llvm::enumerate(program.dispatches)) {
    func::FuncOp dispatch = each;
    auto attribute = dispatch->getAttrOfType<IntegerAttr>(kDispatchAttr);
    int64_t own = attribute ? attribute.getInt() : int64_t(index);
    if (isNumber ? own == number : dispatch.getName() == wanted)
      return dispatch;
    if (isPlace(dispatch, wanted))
      there.push_back({own, dispatch});
  }
  if (there.size() == 1)
    return there.front().second;
  if (!there.empty())
    return severalDispatches(wanted, there);
  // Outlining puts function and number before the name that graph and text have.
  llvm::SmallVector<func::FuncOp> ending;
  llvm::copy_if(program.dispatches, std::back_inserter(ending),
                [&](func::FuncOp dispatch) { return dispatch.getName().ends_with("_" + wanted.str()); });
  if (ending.size() == 1)
    return ending.front();
  return noDispatch(program, wanted);
}

static bool isOpen(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return type.isIndex() || (shaped && (!shaped.hasRank() || !shaped.hasStaticShape()));
}

/// ", by arith.index_cast (f.mlir:12:8)": who makes a value that the program gives the dispatch; empty: it is not
/// known.
static std::string madeBy(func::FuncOp dispatch, unsigned argument) {
  Operation *maker = nullptr;
  if (auto module = dispatch->getParentOfType<ModuleOp>())
    module->walk([&](func::CallOp call) {
      if (maker || call.getCallee() != dispatch.getName())
        return;
      maker = call.getOperand(argument).getDefiningOp();
      while (llvm::isa_and_present<tensor::CastOp>(maker)) // says nothing
        maker = maker->getOperand(0).getDefiningOp();
    });
  std::string place = maker ? formatPosition(positionOf(maker->getLoc())) : "";
  return maker ? ", by " + maker->getName().getStringRef().str() + (place.empty() ? "" : " (" + place + ")") : "";
}

std::string whyNotAlone(func::FuncOp dispatch) {
  std::string head = "dispatch @" + dispatch.getName().str() + " cannot be run alone: its ";
  for (auto [index, type] : llvm::enumerate(dispatch.getArgumentTypes()))
    if (isOpen(type))
      return head + "argument " + std::to_string(index) +
             (type.isIndex() ? " is an index" : ", " + textOf(type) + ", has a size") +
             " that only the program around it computes, while it runs" + madeBy(dispatch, index);
  for (auto [index, type] : llvm::enumerate(dispatch.getResultTypes()))
    if (isOpen(type))
      return head + "result " + std::to_string(index) + ", " + textOf(type) +
             ", has a size that is known only when it is computed";
  return "";
}

llvm::Expected<func::FuncOp> keepDispatch(RunProgram &program, StringRef wanted) {
  auto found = findDispatch(program, wanted);
  if (!found)
    return found.takeError();
  func::FuncOp dispatch = *found;
  if (std::string why = whyNotAlone(dispatch); !why.empty())
    return fail(why);
  OpBuilder builder(program.module->getBodyRegion());
  std::string name = dispatch.getName().str() + "_alone";
  while (program.module->lookupSymbol(name))
    name += "_";
  builder.setInsertionPointToEnd(program.module->getBody());
  auto alone = func::FuncOp::create(builder, dispatch.getLoc(), name, dispatch.getFunctionType());
  builder.setInsertionPointToStart(alone.addEntryBlock());
  auto call = func::CallOp::create(builder, dispatch.getLoc(), dispatch, alone.getArguments());
  func::ReturnOp::create(builder, dispatch.getLoc(), call.getResults());
  program.function = alone;
  program.dispatches.clear();
  program.dispatches.insert(dispatch);
  program.dispatchCalls = 1;
  return program.plainOf(dispatch);
}

} // namespace fuselage
