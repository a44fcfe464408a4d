// Rewrites of transform ops.
#include "core/ir/source/LegacyOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage::legacy {

static constexpr StringRef kHandle = "!transform.any_op";

/// `!pdl.operation`, the type of handles until 2023, in the op's text outside of the ops in its regions.
static bool replacePdlTypes(const OpText &op, SourceEdits &edits) {
  constexpr StringRef old = "!pdl.operation";
  bool changed = false;
  StringRef text = op.rest();
  auto ops = op.scan().ops();
  size_t nested = op.index() + 1;
  for (size_t at = text.find(old); at != StringRef::npos; at = text.find(old, at + 1)) {
    size_t offset = op.op().nameEnd + at;
    while (nested < ops.size() && ops[nested].end <= offset)
      ++nested;
    bool isNested = nested < ops.size() && ops[nested].begin <= offset && ops[nested].begin < op.op().end;
    if (isNested)
      continue;
    edits.replace(offset, offset + old.size(), kHandle.str());
    changed = true;
  }
  return changed;
}

static std::string repeated(StringRef type, unsigned count, bool inParentheses) {
  SmallVector<StringRef> types(count, type);
  std::string list = llvm::join(types, ", ");
  return inParentheses ? "(" + list + ")" : list;
}

/// Types of handles as a function's, where the op has none.
static bool addTypes(const OpText &op, SourceEdits &edits, unsigned operands, unsigned results) {
  if (op.hasTypes())
    return false;
  edits.insert(op.endOf(op.rest()),
               " : " + repeated(kHandle, operands, true) + " -> " + repeated(kHandle, results, results != 1));
  return true;
}

/// What all old forms share: values of type `!pdl.operation`, or no types.
static bool typeHandles(const OpText &op, SourceEdits &edits) {
  bool isOld = replacePdlTypes(op, edits);
  return addTypes(op, edits, op.values().size(), std::max(op.numResults(), 1u)) || isOld;
}

bool handles(const OpText &op, SourceEdits &edits) { return typeHandles(op, edits); }

bool handlesAlone(const OpText &op, SourceEdits &edits) {
  bool isOld = replacePdlTypes(op, edits);
  bool isRenamed = findLegacyOp(op.name()) && findLegacyOp(op.name())->nameToday() != op.name();
  bool lacksType = !op.hasTypes() && !op.op().hasRegion && op.values().size() == 1 &&
                   (isRenamed || op.name().starts_with("transform.loop.unroll"));
  if (lacksType)
    edits.insert(op.endOf(op.rest()), (" : " + kHandle).str());
  return isOld || lacksType || isRenamed;
}

bool sequence(const OpText &op, SourceEdits &edits) {
  bool isOld = replacePdlTypes(op, edits);
  StringRef header = op.header();
  bool isRoot = header.ltrim().starts_with("%");
  if (isRoot && findOutsideBrackets(header, ":") == StringRef::npos) {
    edits.insert(op.endOf(op.values().front()), (" : " + kHandle).str());
    isOld = true;
  }
  if (findOutsideBrackets(header, "failures(") == StringRef::npos) {
    edits.insert(op.endOf(header.rtrim()), " failures(propagate) ");
    isOld = true;
  }
  return isOld || op.name() != "transform.sequence";
}

/// The names in `["linalg.matmul", ..]`, as they are in a payload that is read today.
static bool renameMatched(const OpText &op, SourceEdits &edits) {
  bool changed = false;
  StringRef head = op.head().take_front(op.head().find('%'));
  if (op.name() == "transform.match.operation_name")
    head = op.head();
  for (size_t at = head.find('"'); at != StringRef::npos;) {
    StringRef name = head.drop_front(at + 1).take_until([](char c) { return c == '"'; });
    const LegacyOp *row = findLegacyOp(name);
    if (row && row->since <= kParsedLlvm && row->nameToday() != name) {
      op.replace(edits, name, row->nameToday().str());
      changed = true;
    }
    at = head.find('"', at + name.size() + 2);
  }
  return changed;
}

bool match(const OpText &op, SourceEdits &edits) {
  bool isOld = renameMatched(op, edits);
  if (op.name() == "transform.match.operation_name")
    return replacePdlTypes(op, edits) || isOld;
  return typeHandles(op, edits) || isOld;
}

/// Attributes that are spelled outside of the dictionary today, `from = [1, 0]` as `to [1, 0]`.
struct Moved {
  StringRef from, to;
  bool isFlag = false; ///< `from = true` is `from` in the dictionary
};

/// Takes them out of the dictionary and puts them before it. Whether there were any.
static bool moveOutOfDictionary(const OpText &op, SourceEdits &edits, llvm::ArrayRef<Moved> moves) {
  std::string moved, kept;
  bool changed = false;
  for (OpText::Entry entry : op.attributes()) {
    const auto *move = llvm::find_if(moves, [&](const Moved &move) { return move.from == entry.key; });
    std::string text = entry.key.str() + (entry.value.empty() ? "" : " = " + entry.value.str());
    if (move == moves.end()) {
      kept += (kept.empty() ? "" : ", ") + text;
    } else if (move->isFlag) {
      if (entry.value != "false")
        kept += (kept.empty() ? "" : ", ") + entry.key.str();
      changed |= !entry.value.empty();
    } else {
      moved += (move->to + " " + entry.value + " ").str();
      changed = true;
    }
  }
  if (changed)
    op.replace(edits, op.dictionary(), moved + (kept.empty() ? "" : "{" + kept + "}"));
  return changed;
}

/// `%0[4, 4]` and `%0 [4, 4]`: the word that stands before the list today.
static bool nameList(const OpText &op, SourceEdits &edits, StringRef word) {
  auto values = op.values();
  if (values.empty())
    return false;
  StringRef after(values.front().end(), op.head().end() - values.front().end());
  if (!after.ltrim().starts_with("["))
    return false;
  edits.insert(op.offsetOf(after), (" " + word + (after.starts_with("[") ? " " : "")).str());
  return true;
}

bool tileFor(const OpText &op, SourceEdits &edits) {
  bool isOld = nameList(op, edits, "tile_sizes");
  isOld |= moveOutOfDictionary(op, edits, {{"interchange", "interchange ="}});
  return typeHandles(op, edits) || isOld || op.name() != "transform.structured.tile_using_for";
}

/// The end of the text in which the results of `op` may be used.
static size_t endOfRegion(const OpText &op) {
  return op.op().region < 0 ? op.scan().text().size() : op.scan().regions()[op.op().region].close;
}

/// Gives the results in the order `order` of old results. Where they have one name, each gets its own, in later ops,
/// too.
static bool reorderResults(const OpText &op, SourceEdits &edits, llvm::ArrayRef<unsigned> order) {
  StringRef list = op.results();
  if (list.empty())
    return true;
  SmallVector<std::string> names;
  SmallVector<StringRef> groups = splitOutsideBrackets(list, ',');
  for (StringRef group : groups) {
    auto [name, number] = group.split(':');
    unsigned count = 1;
    if (number.empty() || number.getAsInteger(10, count)) {
      names.push_back(group.str());
      continue;
    }
    for (unsigned i = 0; i < count; ++i) {
      std::string own = op.freshValue(names.size());
      std::string use = (name + "#" + llvm::Twine(i)).str();
      StringRef text = op.scan().text().take_front(endOfRegion(op));
      for (size_t at = text.find(use, op.op().end); at != StringRef::npos; at = text.find(use, at + 1))
        if (at + use.size() == text.size() || !llvm::isDigit(text[at + use.size()]))
          edits.replace(at, at + use.size(), own);
      names.push_back(own);
    }
  }
  if (names.size() != order.size())
    return false;
  std::string reordered;
  for (unsigned old : order)
    reordered += (reordered.empty() ? "" : ", ") + names[old];
  op.replace(edits, list, reordered);
  return true;
}

/// Whether a later op wants a tiled op where the first result, which was the loop, stands: then the results are named
/// in the order of today.
static bool namesTiledOpFirst(const OpText &op) {
  SmallVector<StringRef> groups = splitOutsideBrackets(op.results(), ',');
  if (groups.size() != 2)
    return false;
  auto ops = op.scan().ops();
  for (size_t i = op.index() + 1; i < ops.size() && ops[i].begin < endOfRegion(op); ++i) {
    StringRef name = op.scan().nameOf(ops[i]);
    if (!name.starts_with("transform.structured.") || name.ends_with("fuse_into_containing_op"))
      continue;
    SmallVector<StringRef> values = OpText(op.scan(), static_cast<int32_t>(i)).values();
    if (!values.empty() && (values.front() == groups[0] || values.front() == groups[1]))
      return values.front() == groups[0];
  }
  return false;
}

bool tileForall(const OpText &op, SourceEdits &edits) {
  if (!namesTiledOpFirst(op) && !reorderResults(op, edits, {1, 0}))
    return false;
  replacePdlTypes(op, edits);
  addTypes(op, edits, op.values().size(), 2);
  return true;
}

bool tileReduction(const OpText &op, SourceEdits &edits) {
  if (!reorderResults(op, edits, {1, 2, 3, 0}))
    return false;
  replacePdlTypes(op, edits);
  addTypes(op, edits, op.values().size(), 4);
  return true;
}

bool fuse(const OpText &op, SourceEdits &edits) {
  bool isOld = nameList(op, edits, "tile_sizes");
  isOld |= moveOutOfDictionary(op, edits,
                               {{"tile_sizes", "tile_sizes"},
                                {"tile_interchange", "interchange"},
                                {"apply_cleanup", "", true},
                                {"use_forall", "", true}});
  return typeHandles(op, edits) || isOld;
}

/// Adds results after those that there are, up to `count`, in the types as well.
static bool addResults(const OpText &op, SourceEdits &edits, unsigned count) {
  unsigned has = op.numResults();
  size_t arrow = findOutsideBrackets(op.types(), "->");
  bool isTyped = arrow != StringRef::npos;
  StringRef typed = isTyped ? op.types().substr(arrow + 2).trim() : "";
  bool isListed = typed.starts_with("(");
  unsigned types = !isTyped ? count : isListed ? splitOutsideBrackets(insideBrackets(typed), ',').size() : 1;
  if (has >= count || (has == 0 && types >= count))
    return false;
  if (has > 0) {
    std::string names;
    for (unsigned i = has; i < count; ++i)
      names += ", " + op.freshValue(i);
    edits.insert(op.endOf(op.results()), names);
  }
  if (types < count) {
    std::string more = repeated(kHandle, count - types, false);
    if (!isListed)
      op.replace(edits, typed, ("(" + (typed == "!pdl.operation" ? kHandle : typed) + ", " + more + ")").str());
    else
      edits.insert(op.endOf(insideBrackets(typed)), types ? ", " + more : more);
  }
  return true;
}

/// An op of that many results; the last of them were added later.
static bool withResults(const OpText &op, SourceEdits &edits, unsigned count) {
  bool isOld = addResults(op, edits, count);
  isOld |= replacePdlTypes(op, edits);
  return addTypes(op, edits, op.values().size(), count) || isOld;
}

bool fuseInto(const OpText &op, SourceEdits &edits) { return withResults(op, edits, 2); }
bool twoLoops(const OpText &op, SourceEdits &edits) { return withResults(op, edits, 2); }

bool pad(const OpText &op, SourceEdits &edits) {
  bool isOld = moveOutOfDictionary(op, edits, {{"pad_to_multiple_of", "pad_to_multiple_of"}});
  StringRef dictionary = op.dictionary();
  if (size_t at = dictionary.find("pack_paddings"); at != StringRef::npos && !isOld) {
    op.replace(edits, dictionary.substr(at, StringRef("pack_paddings").size()), "nofold_flags");
    isOld = true;
  }
  return withResults(op, edits, 3) || isOld;
}

bool interchange(const OpText &op, SourceEdits &edits) {
  bool isOld = moveOutOfDictionary(op, edits, {{"iterator_interchange", "iterator_interchange ="}});
  return typeHandles(op, edits) || isOld;
}

bool vectorize(const OpText &op, SourceEdits &edits) {
  bool isOld = op.numResults() > 0 || op.types().contains("->");
  return isOld && (typeHandles(op, edits) || true);
}

/// "a=1 b" as `"a" = 1, "b" = true`; empty if it holds more than words, numbers and lists of them.
static std::string optionDictionary(StringRef text) {
  std::string entries;
  auto literal = [](StringRef value) {
    double number;
    bool isWord = value != "true" && value != "false" && value.getAsDouble(number);
    return isWord ? "\"" + value.str() + "\"" : value.str();
  };
  SmallVector<StringRef> options;
  text.split(options, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef option : options) {
    auto [key, value] = option.split('=');
    if (value.find_first_of("{}\"'=") != StringRef::npos)
      return "";
    std::string spelt = value.empty() ? "true" : literal(value);
    if (value.contains(','))
      spelt = "[" + llvm::join(llvm::map_range(llvm::split(value, ','), literal), ", ") + "]";
    entries += (entries.empty() ? "\"" : ", \"") + key.str() + "\" = " + spelt;
  }
  return entries.empty() ? "" : "{" + entries + "}";
}

bool registeredPass(const OpText &op, SourceEdits &edits) {
  bool isOld = typeHandles(op, edits);
  StringRef head = op.head();
  size_t options = head.find("options"), quote = head.find('"', options == StringRef::npos ? options : options + 7);
  size_t to = findOutsideBrackets(head, "to ");
  if (options == StringRef::npos || quote == StringRef::npos || to == StringRef::npos)
    return isOld;
  if (!head.slice(options + 7, quote).trim(" =").empty())
    return isOld; // a dictionary as of today
  StringRef text = head.drop_front(quote + 1).take_until([](char c) { return c == '"'; });
  std::string dictionary = optionDictionary(text);
  if (dictionary.empty())
    return isOld;
  if (options < to) { // `with options = ".." to`
    edits.replace(op.op().nameEnd + quote, op.endOf(text) + 1, dictionary);
    return true;
  }
  edits.insert(op.op().nameEnd + to, "with options = " + dictionary + " ");
  op.replace(edits, op.dictionary(), "");
  return true;
}

bool split(const OpText &op, SourceEdits &edits) {
  bool isOld = replacePdlTypes(op, edits);
  if (!op.hasTypes()) {
    edits.insert(op.endOf(op.rest()), " : " + repeated(kHandle, op.values().size(), false));
    isOld = true;
  }
  if (op.numResults() != 2)
    return isOld;
  std::string both = op.freshValue(0);
  op.replace(edits, op.results(), both);
  edits.insert(op.op().end, ("\n" + op.results() + " = transform.split_handle " + both + " : (" + kHandle + ") -> " +
                             repeated(kHandle, 2, true) + "\n")
                                .str());
  return true;
}

bool isolatedParent(const OpText &op, SourceEdits &edits) {
  if (op.values().size() != 1)
    return false;
  edits.insert(op.endOf(op.values().front()), " {isolated_from_above}");
  typeHandles(op, edits);
  return true;
}

bool parentLoop(const OpText &op, SourceEdits &edits) {
  std::string attributes = "op_name = \"scf.for\"";
  for (OpText::Entry entry : op.attributes()) {
    if (entry.key == "num_loops")
      attributes += ", nth_parent = " + entry.value.str();
    else if (entry.key == "affine" && entry.value == "true")
      attributes.replace(attributes.find("scf.for"), 7, "affine.for");
  }
  if (op.values().size() != 1)
    return false;
  if (!op.dictionary().empty())
    op.replace(edits, op.dictionary(), "");
  edits.insert(op.endOf(op.values().front()), " {" + attributes + "}");
  typeHandles(op, edits);
  return true;
}

bool splitHandle(const OpText &op, SourceEdits &edits) {
  size_t in = findOutsideBrackets(op.head(), "in");
  if (in != StringRef::npos)
    edits.replace(op.op().nameEnd + in, op.endOf(op.head().rtrim()), "");
  typeHandles(op, edits);
  return true;
}

bool mapToThreads(const OpText &op, SourceEdits &edits) {
  moveOutOfDictionary(op, edits,
                      {{"blockDim", "block_dims ="},
                       {"block_dims", "block_dims ="},
                       {"gridDim", "grid_dims ="},
                       {"grid_dims", "grid_dims ="},
                       {"warp_dims", "warp_dims ="}});
  typeHandles(op, edits);
  return true;
}

} // namespace fuselage::legacy
