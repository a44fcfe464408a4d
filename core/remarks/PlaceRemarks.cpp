#include "core/remarks/PlaceRemarks.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <tuple>

using namespace mlir;

namespace fuselage {

using message::RemarkPlace;
using Remark = message::Remark<>;

namespace {

struct PlacedOp {
  int64_t id = -1;
  Operation *op = nullptr;
  std::string file;
};

/// Finds ops by the places that they come from, and functions by their names.
class PlaceIndex {
public:
  explicit PlaceIndex(ModuleOp module) {
    int64_t next = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      const int64_t id = next++;
      addPlaces(op->getLoc(), id, op);
      if (auto symbol = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
        functions_.try_emplace(symbol.getValue().str(), PlacedOp{.id = id, .op = op, .file = {}});
    });
  }

  const PlacedOp *at(const Remark &remark) const {
    auto [begin, end] = byPlace_.equal_range({baseOf(remark.file), unsigned(remark.line), unsigned(remark.column)});
    for (auto entry = begin; entry != end; ++entry)
      if (areSameFile(entry->second.file, remark.file))
        return &entry->second;
    return nullptr;
  }
  /// The first op of the line that is nothing around other ops of that line.
  const PlacedOp *onLine(const Remark &remark) const {
    auto entry = byPlace_.lower_bound({baseOf(remark.file), unsigned(remark.line), 0u});
    auto end = byPlace_.upper_bound({baseOf(remark.file), unsigned(remark.line), ~0u});
    for (; entry != end; ++entry)
      if (areSameFile(entry->second.file, remark.file))
        return &entry->second;
    return nullptr;
  }
  const PlacedOp *function(const std::string &name) const {
    auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }

private:
  static std::string baseOf(llvm::StringRef file) {
    return file.rsplit('/').second.empty() ? file.str() : file.rsplit('/').second.str();
  }
  /// "model.mlir" and "/tmp/model.mlir" are, "a/model.mlir" and "b/model.mlir" are not.
  static bool areSameFile(llvm::StringRef a, llvm::StringRef b) {
    a.consume_front("./");
    b.consume_front("./");
    llvm::StringRef shorter = a.size() < b.size() ? a : b, longer = a.size() < b.size() ? b : a;
    return longer.ends_with(shorter) &&
           (longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/');
  }
  void addPlaces(Location location, int64_t id, Operation *op) {
    location->walk([&](Location inner) {
      if (auto place = dyn_cast<FileLineColRange>(LocationAttr(inner)))
        byPlace_.insert({{baseOf(place.getFilename().getValue()), place.getStartLine(), place.getStartColumn()},
                         {.id = id, .op = op, .file = place.getFilename().str()}});
      return WalkResult::advance();
    });
  }

  std::multimap<std::tuple<std::string, unsigned, unsigned>, PlacedOp> byPlace_;
  std::map<std::string, PlacedOp> functions_;
};

} // namespace

static std::string placeText(const Remark &remark) {
  std::string text = remark.file;
  if (remark.line > 0)
    text += ":" + std::to_string(remark.line) + (remark.column > 0 ? ":" + std::to_string(remark.column) : "");
  return text;
}

static void place(const PlaceIndex &index, Remark &remark, llvm::function_ref<int(int64_t)> lineOf) {
  const PlacedOp *found = nullptr;
  if (!remark.file.empty() && remark.line > 0) {
    if ((found = index.at(remark)))
      remark.place = RemarkPlace::Column;
    else if ((found = index.onLine(remark)))
      remark.place = RemarkPlace::Line;
  }
  if (!found && !remark.function.empty() && (found = index.function(remark.function)))
    remark.place = RemarkPlace::Function;
  if (found) {
    remark.op = found->id;
    remark.opName = found->op->getName().getStringRef().str();
    remark.opLine = lineOf(found->id);
    return;
  }
  std::string noFunction = remark.function.empty() ? "" : "there is no function '" + remark.function + "'";
  remark.why = remark.file.empty() ? "it says no place" : "no op comes from " + placeText(remark);
  if (!noFunction.empty())
    remark.why += ", and " + noFunction;
}

void placeRemarks(ModuleOp module, llvm::function_ref<int(int64_t)> lineOf, message::Remarks<> &remarks) {
  PlaceIndex index(module);
  for (Remark &remark : remarks.remarks) {
    place(index, remark, lineOf);
    ++(remark.op >= 0 ? remarks.placed : remarks.unplaced);
  }
  llvm::stable_sort(remarks.remarks, [](const Remark &a, const Remark &b) {
    auto key = [](const Remark &remark) {
      return std::tuple(std::string_view(remark.pass), std::string_view(remark.name), remark.op < 0, remark.op);
    };
    return key(a) < key(b);
  });
}

static std::string countText(int64_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

static std::string lineOf(const Remark &remark) {
  std::string text = "    ";
  if (remark.op >= 0)
    text += std::to_string(remark.op) + " " + remark.opName +
            (remark.opLine > 0 ? " (line " + std::to_string(remark.opLine) + ")" : "") +
            (remark.place == RemarkPlace::Function ? ", by the name of the function" : "") + ": ";
  else if (!remark.file.empty())
    text += placeText(remark) + ": ";
  return text + message::remarkKindNames[size_t(remark.kind)] + (remark.message.empty() ? "" : ": ") + remark.message +
         (remark.op >= 0 ? "" : " (" + remark.why + ")") + "\n";
}

std::string formatRemarks(const message::Remarks<> &remarks) {
  std::string text = countText(int64_t(remarks.remarks.size()), "remark", "remarks") + " of " + remarks.path + ": " +
                     std::to_string(remarks.placed) + " placed, " + std::to_string(remarks.unplaced) + " not\n";
  for (size_t begin = 0; begin < remarks.remarks.size();) {
    const Remark &first = remarks.remarks[begin];
    size_t end = begin;
    while (end < remarks.remarks.size() && remarks.remarks[end].pass == first.pass &&
           remarks.remarks[end].name == first.name)
      ++end;
    text += "\n" + (first.pass.empty() ? "(no pass)" : first.pass) + ": " + first.name + ", " +
            countText(int64_t(end - begin), "remark", "remarks") + "\n";
    for (; begin < end; ++begin)
      text += lineOf(remarks.remarks[begin]);
  }
  if (remarks.leftOut > 0)
    text += "\n" + countText(remarks.leftOut, "more remark is", "more remarks are") + " not listed\n";
  if (!remarks.problem.empty())
    text += "\nthe rest of the file cannot be read: " + remarks.problem + "\n";
  return text;
}

} // namespace fuselage
