#include "core/schedules/write/OpFinder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

static bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; }

ScriptNames::ScriptNames(llvm::StringRef script) {
  for (size_t at = script.find('%'); at != llvm::StringRef::npos; at = script.find('%', at + 1))
    taken_.insert(script.drop_front(at + 1).take_while(isNameCharacter));
}

std::string ScriptNames::fresh(llvm::StringRef stem) {
  std::string name;
  for (char c : stem)
    name += isNameCharacter(c) && c != '-' ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "op");
  std::string free = name;
  for (unsigned i = 0; !taken_.insert(free).second; ++i)
    free = name + "_" + std::to_string(i);
  return "%" + free;
}

namespace {

/// Writes the matches, from an op that a handle holds down to the one that is wanted.
class Matcher {
public:
  Matcher(FoundHandle start, ScriptNames &names) : found_(std::move(start)), names_(names) {}

  FoundHandle find(mlir::Operation *op, mlir::Operation *in) {
    if (matchIn(op, in))
      return std::move(found_);
    // A function with a name is a place that stays.
    auto function = op->getParentOfType<mlir::FunctionOpInterface>();
    if (function && in->isProperAncestor(function) && matchIn(function, in)) {
      in = function;
      if (matchIn(op, in))
        return std::move(found_);
    }
    takeByNumber(op, in);
    return std::move(found_);
  }

private:
  using Ops = llvm::SmallVector<mlir::Operation *>;

  /// In the order in which transform.structured.match finds them.
  static Ops likeIn(mlir::Operation *op, mlir::Operation *in, llvm::function_ref<bool(mlir::Operation *)> isAlso) {
    Ops like;
    in->walk([&](mlir::Operation *other) {
      if (other->getName() == op->getName() && isAlso(other))
        like.push_back(other);
    });
    return like;
  }

  void addMatch(mlir::Operation *op, const std::string &handle, llvm::StringRef by) {
    std::string name; // of a foreign op, it may hold anything
    llvm::raw_string_ostream os(name);
    llvm::printEscapedString(op->getName().getStringRef(), os);
    found_.lines.push_back(
        llvm::formatv("{0} = transform.structured.match ops{{[\"{1}\"]} {2}in {3} : ({4}) -> !transform.any_op", handle,
                      name, by, found_.handle, found_.type));
    found_.handle = handle;
    found_.type = "!transform.any_op";
  }

  static std::string stemOf(mlir::Operation *op) { return op->getName().getStringRef().rsplit('.').second.str(); }

  /// Where name, an attribute or the type is enough. False: nothing is written.
  bool matchIn(mlir::Operation *op, mlir::Operation *in) {
    bool isOnly = likeIn(op, in, [](mlir::Operation *) { return true; }).size() == 1;
    std::string by = isOnly ? "" : filterFor(op, in);
    if (!isOnly && by.empty())
      return false;
    addMatch(op, names_.fresh(stemOf(op)), by);
    return true;
  }

  /// "attributes{tag} " or "filter_result_type = f32 "; empty: none tells it from the others.
  static std::string filterFor(mlir::Operation *op, mlir::Operation *in) {
    auto tellsApart = [&](llvm::function_ref<bool(mlir::Operation *)> isAlike) {
      return likeIn(op, in, isAlike).size() == 1;
    };
    // What somebody put there comes before what the op is made of.
    llvm::SmallVector<mlir::NamedAttribute> attributes = llvm::to_vector(op->getDiscardableAttrs());
    llvm::append_range(attributes, op->getAttrs());
    for (mlir::NamedAttribute attribute : attributes) {
      constexpr size_t longest = 60;
      std::string text;
      llvm::raw_string_ostream os(text);
      os << mlir::DictionaryAttr::get(op->getContext(), attribute);
      if (text.size() <= longest && tellsApart([&](mlir::Operation *other) {
            return other->hasAttr(attribute.getName()) && other->getAttr(attribute.getName()) == attribute.getValue();
          }))
        return "attributes" + text + " ";
    }
    if (op->getNumResults() != 1)
      return "";
    mlir::Type type = op->getResult(0).getType();
    if (!tellsApart([&](mlir::Operation *other) {
          return other->getNumResults() == 1 && other->getResult(0).getType() == type;
        }))
      return "";
    return llvm::formatv("filter_result_type = {0} ", type);
  }

  void takeByNumber(mlir::Operation *op, mlir::Operation *in) {
    Ops like = likeIn(op, in, [](mlir::Operation *) { return true; });
    size_t number = llvm::find(like, op) - like.begin(), parts = std::min(number + 2, like.size());
    addMatch(op, names_.fresh(stemOf(op) + "s"), "");
    std::string split = names_.fresh(stemOf(op));
    std::string rest = number + 1 < like.size() ? llvm::formatv(" {{overflow_result = {0}}", number + 1).str() : "";
    std::string types;
    for (size_t i = 0; i < parts; ++i)
      types += i ? ", !transform.any_op" : "!transform.any_op";
    found_.lines.push_back(llvm::formatv("{0}:{1} = transform.split_handle {2}{3} : (!transform.any_op) -> ({4})",
                                         split, parts, found_.handle, rest, types));
    found_.handle = split + "#" + std::to_string(number);
  }

  FoundHandle found_;
  ScriptNames &names_;
};

} // namespace

llvm::Expected<FoundHandle> findOp(mlir::Operation *op, const TracePosition &position, ScriptNames &names) {
  llvm::SmallVector<mlir::Operation *> ops;
  mlir::ModuleOp(**position.payload)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *each) {
    ops.push_back(each);
  });
  const HandleRow *best = nullptr;
  mlir::Operation *around = nullptr;
  for (const HandleRow &row : position.handles) {
    if (row.kind != HandleRow::Kind::Op || row.fate.state != HandleFate::State::Live || row.ops.size() != 1)
      continue;
    mlir::Operation *held = ops[row.ops.front()];
    if (held->isAncestor(op) && (!around || around->isAncestor(held))) {
      best = &row;
      around = held;
    }
  }
  if (!best)
    return fail("no handle that is still alive holds '" + op->getName().getStringRef().str() +
                "' or an op around it: the schedule has consumed them");
  FoundHandle start{.lines = {}, .handle = best->name, .type = best->type};
  return around == op ? start : Matcher(std::move(start), names).find(op, around);
}

} // namespace fuselage
