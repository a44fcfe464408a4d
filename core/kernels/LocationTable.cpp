#include "core/kernels/LocationTable.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;

namespace fuselage {

void LocationTable::number(Operation *root) {
  MLIRContext *context = root->getContext();
  std::map<std::tuple<std::string, unsigned, unsigned>, unsigned> known;
  llvm::DenseMap<Location, Location> numbered;
  auto place = [&](Location old) -> Location {
    SourcePosition position = positionOf(old);
    unsigned line = 1;
    if (position.line != 0) {
      auto [entry, isNew] = known.try_emplace({position.file, position.line, position.column}, places_.size());
      if (isNew)
        places_.push_back(position);
      line = entry->second;
    }
    return FileLineColLoc::get(context, "places", line, 1);
  };
  root->walk([&](Operation *op) {
    auto found = numbered.find(op->getLoc());
    if (found == numbered.end())
      found = numbered.try_emplace(op->getLoc(), place(op->getLoc())).first;
    op->setLoc(found->second);
  });
}

} // namespace fuselage
