#include "core/ir/ops/ValueNames.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/support/NameChars.h"
#include "mlir/IR/Location.h"
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

/// Finds names in a text by line and column.
class NamedPlaces {
public:
  explicit NamedPlaces(StringRef text) : text_(text) {
    for (size_t at = 0; at != StringRef::npos && at <= text.size(); at = next(at))
      lines_.push_back(at);
  }

  /// "%a" of "%a, %b = " and "%a:2 = " in front of an op.
  StringRef resultBefore(unsigned line, unsigned column) const {
    StringRef before = lineOf(line).take_front(column > 0 ? column - 1 : 0).rtrim();
    if (!before.consume_back("="))
      return {};
    StringRef first;
    do {
      before = before.rtrim();
      StringRef group = before.rtrim("0123456789");
      if (group.consume_back(":"))
        before = group;
      size_t length = before.size();
      while (length > 0 && isNameChar(before[length - 1]))
        --length;
      first = before.substr(length);
      before = before.take_front(length);
      if (first.empty() || !before.consume_back("%"))
        return {};
      before = before.rtrim();
    } while (before.consume_back(","));
    return first;
  }

  /// "%a" of an argument that begins there.
  StringRef argumentAt(unsigned line, unsigned column) const {
    StringRef rest = lineOf(line).drop_front(std::min<size_t>(column > 0 ? column - 1 : 0, lineOf(line).size()));
    return rest.consume_front("%") ? rest.take_while(isNameChar) : StringRef();
  }

private:
  size_t next(size_t at) const {
    size_t end = text_.find('\n', at);
    return end == StringRef::npos ? end : end + 1;
  }
  StringRef lineOf(unsigned line) const {
    if (line == 0 || line > lines_.size())
      return {};
    StringRef rest = text_.drop_front(lines_[line - 1]);
    return rest.take_front(rest.find('\n'));
  }

  StringRef text_;
  std::vector<size_t> lines_;
};

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
      StringRef name = places.resultBefore(place.getLine(), place.getColumn());
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

OpPrintingFlags withValueNames(OpPrintingFlags flags) { return flags.printNameLocAsPrefix(); }

Location placeOf(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  return named ? named.getChildLoc() : location;
}

} // namespace fuselage
