#include "core/ir/reading/Completion.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/reading/ReadPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

void completeFragments(ModuleOp module) {
  module.walk([](func::FuncOp function) {
    if (!function.getName().starts_with("fragment") || function.isDeclaration() || function.getNumArguments() != 0)
      return;
    Block &last = function.getBody().back();
    if (auto terminator = last.empty() ? func::ReturnOp() : dyn_cast<func::ReturnOp>(last.back())) {
      if (terminator.getOperandTypes() != function.getFunctionType().getResults())
        function.setType(FunctionType::get(function.getContext(), {}, terminator.getOperandTypes()));
      return;
    }
    if (!last.empty() && (last.back().hasTrait<OpTrait::IsTerminator>() ||
                          (!last.back().isRegistered() && isTerminatorName(last.back().getName().getStringRef()))))
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(&last);
    func::ReturnOp::create(builder, function.getLoc());
  });
}

/// The name that an op of an unknown dialect seems to define.
static StringAttr guessedSymbol(Operation &op) {
  bool isGuess = TolerantOp(&op) && !op.hasAttr("function_type");
  return isGuess ? op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()) : StringAttr();
}

/// Whoever reads `config @f {..}` cannot know whether it defines @f; where a function does, it does not.
static bool referToFunctions(Region &table) {
  llvm::DenseSet<StringAttr> functions;
  for (Operation &op : table.getOps())
    if (isa<FunctionOpInterface>(op) || op.hasAttr("function_type"))
      if (auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        functions.insert(name);
  bool changed = false;
  for (Operation &op : table.getOps())
    if (StringAttr name = guessedSymbol(op); name && functions.contains(name)) {
      TolerantOp(&op).replaceAttribute(SymbolTable::getSymbolAttrName(), "symbol", FlatSymbolRefAttr::get(name));
      changed = true;
    }
  return changed;
}

bool renameSecondSymbols(ModuleOp module, llvm::function_ref<void(Operation *, StringRef)> report) {
  bool changed = false;
  module.walk([&](Operation *table) {
    if (!table->hasTrait<OpTrait::SymbolTable>() || table->getNumRegions() != 1)
      return;
    changed |= referToFunctions(table->getRegion(0));
    llvm::StringSet<> names;
    for (Operation &op : table->getRegion(0).getOps())
      if (auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        if (!names.insert(name.getValue()).second) {
          changed = true;
          report(&op, name.getValue());
          std::string free;
          for (unsigned i = 1; !names.insert(free = name.getValue().str() + "_" + std::to_string(i)).second; ++i) {
          }
          op.setAttr(SymbolTable::getSymbolAttrName(), StringAttr::get(op.getContext(), free));
        }
  });
  return changed;
}

bool completeBlocks(ModuleOp module, llvm::function_ref<void(Operation *)> report) {
  SmallVector<Block *> open;
  module.walk([&](Block *block) {
    Operation *around = block->getParentOp();
    bool needsNone = llvm::hasSingleElement(*block->getParent()) && around->mightHaveTrait<OpTrait::NoTerminator>();
    if (!needsNone && (block->empty() || !block->back().mightHaveTrait<OpTrait::IsTerminator>()))
      open.push_back(block);
  });
  for (Block *block : open) {
    Operation *last = block->empty() ? block->getParentOp() : &block->back();
    report(last);
    OpBuilder builder = OpBuilder::atBlockEnd(block);
    auto function = dyn_cast<func::FuncOp>(block->getParentOp());
    if (function && function.getFunctionType().getNumResults() == 0) {
      func::ReturnOp::create(builder, last->getLoc());
      continue;
    }
    OperationState state(last->getLoc(), kGapOp);
    state.addAttribute("text", builder.getStringAttr(""));
    builder.create(state);
  }
  return !open.empty();
}

} // namespace fuselage
