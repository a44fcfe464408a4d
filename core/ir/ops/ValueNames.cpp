#include "core/ir/ops/ValueNames.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/ir/ops/NamedPlaces.h"
#include "mlir/IR/Location.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <vector>

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

/// Whether the printer comes up with the name by itself.
bool isDefault(StringRef name) {
  name.consume_front("arg");
  return name.empty() || llvm::all_of(name, llvm::isDigit);
}

/// Whether a name is one that a dispatch gets ("attention_12x128"), as in files that were written here. Any
/// other name of a region's result says less than what is in the region.
bool isDispatchName(StringRef name) {
  StringRef sizes = name.rsplit('_').second;
  return name.contains('_') && !sizes.empty() && llvm::isDigit(sizes.front()) && llvm::isDigit(sizes.back()) &&
         llvm::all_of(sizes, [](char c) { return llvm::isDigit(c) || c == 'x'; });
}

} // namespace

void keepValueNames(ModuleOp module, StringRef source, StringRef fileName) {
  NamedPlaces places(source);
  MLIRContext *context = module.getContext();
  StringAttr file = StringAttr::get(context, fileName);
  auto named = [&](Location place, StringRef name) -> Location {
    return isDefault(name) ? place : Location(NameLoc::get(StringAttr::get(context, name), place));
  };
  module->walk([&](Operation *op) {
    auto place = dyn_cast<FileLineColLoc>(op->getLoc());
    if (place && place.getFilename() == file && op->getNumResults() > 0) {
      std::vector<NamedResults> results = places.resultsBefore(place.getLine(), place.getColumn());
      StringRef name = results.empty() ? StringRef() : results.front().name;
      if (decode(op).role != OpRole::DispatchRegion || isDispatchName(name))
        op->setLoc(named(place, name));
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (auto where = dyn_cast<FileLineColLoc>(argument.getLoc()); where && where.getFilename() == file)
            argument.setLoc(named(where, places.argumentAt(where.getLine(), where.getColumn())));
  });
}

namespace {
/// How likely an op is what was named: of several that have one name, those of the highest rank keep it.
enum class Bearer { Helper, View, Buffer, Value };

Bearer rankOf(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      llvm::all_of(op->getResultTypes(), [](Type type) { return isa<IndexType>(type); }))
    return Bearer::Helper;
  if (isa<OffsetSizeAndStrideOpInterface, ViewLikeOpInterface>(op) || op->getName().getStringRef() == "tensor.empty")
    return Bearer::View;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.hasEffect<MemoryEffects::Allocate>() ? Bearer::Buffer : Bearer::Value;
}
} // namespace

void leaveNamesToValues(ModuleOp module) {
  llvm::DenseMap<Attribute, Bearer> best;
  module->walk([&](Operation *op) {
    if (auto name = dyn_cast<NameLoc>(op->getLoc()); name && op->getNumResults() > 0) {
      auto known = best.try_emplace(name, rankOf(op));
      known.first->second = std::max(known.first->second, rankOf(op));
    }
  });
  if (best.empty())
    return;
  module->walk([&](Operation *op) {
    if (auto name = dyn_cast<NameLoc>(op->getLoc()); name && op->getNumResults() > 0 && rankOf(op) < best.lookup(name))
      op->setLoc(name.getChildLoc());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (auto name = dyn_cast<NameLoc>(argument.getLoc()); name && best.contains(name))
            argument.setLoc(name.getChildLoc());
  });
}

OpPrintingFlags withValueNames(OpPrintingFlags flags) { return flags.printNameLocAsPrefix(); }

Location placeOf(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  return named ? named.getChildLoc() : location;
}

} // namespace fuselage
