#include "core/graph/GraphNames.h"
#include "core/analysis/Costs.h"
#include "core/ir/Session.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

std::string asUtf8(std::string text) {
  return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text);
}

std::string symbolName(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? asUtf8(name.getValue().str()) : std::string();
}

std::string locationName(Location location) {
  return asUtf8(formatPosition(positionOf(location)));
}

std::string GraphNames::nameOf(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, state_);
  return asUtf8(std::move(text));
}

const std::string &GraphNames::nameOf(AffineMap map) {
  auto [entry, added] = maps_.try_emplace(map);
  if (added)
    llvm::raw_string_ostream(entry->second) << map;
  return entry->second;
}

GraphNames::TypeEntry &GraphNames::entryOf(Type type) {
  auto [entry, added] = types_.try_emplace(type);
  if (added) {
    llvm::raw_string_ostream(entry->second.name) << type;
    entry->second.name = asUtf8(std::move(entry->second.name));
    entry->second.bytes = byteSize(type).value_or(-1);
  }
  return entry->second;
}

} // namespace fuselage
