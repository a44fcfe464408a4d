#include "core/ir/module/TextUses.h"
#include "core/text/MlirLexer.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

/// A name in a line, with its sigil; "%0#1" and "%0:2" are the name "%0", and a number.
struct Name {
  StringRef text;
  unsigned column = 0;
  std::optional<unsigned> result; ///< of "%0#1"
  unsigned length() const { return text.size(); }
};

/// Every name of a line, in order; those in strings and comments are none.
void forEachName(StringRef line, llvm::function_ref<void(const Name &)> found) {
  for (size_t at = 0; at < line.size();) {
    MlirToken token = nextMlirToken(std::string_view(line), at);
    at = token.end;
    bool isName = token.kind == MlirToken::Kind::Value || token.kind == MlirToken::Kind::Block ||
                  token.kind == MlirToken::Kind::Symbol || token.kind == MlirToken::Kind::Type ||
                  token.kind == MlirToken::Kind::Attribute;
    if (!isName || token.end == token.begin + 1)
      continue;
    Name name{.text = line.slice(token.begin, token.end), .column = static_cast<unsigned>(token.begin), .result = {}};
    if (token.kind == MlirToken::Kind::Value) {
      auto [value, number] = name.text.split('#');
      unsigned result = 0;
      if (!number.getAsInteger(10, result))
        name.result = result;
      name.text = value;
    }
    found(name);
  }
}

std::optional<Name> nameAt(StringRef line, unsigned column) {
  std::optional<Name> at;
  forEachName(line, [&](const Name &name) {
    // The end of a name is at it, too: where the caret stands after it was typed or jumped over.
    if (name.column <= column && column <= name.column + name.length() &&
        (!at || column < at->column + at->length() || column == name.column))
      at = name;
  });
  return at;
}

/// Whether a name stands where one is given to what is there.
bool isDefinedAt(StringRef line, const Name &name, bool isFirstLine) {
  StringRef front = line.take_front(name.column).ltrim();
  switch (name.text.front()) {
  case '%': {
    size_t equals = line.find('=');
    return isFirstLine || equals == StringRef::npos || name.column < equals;
  }
  case '@': // func.func private @f(, memref.global constant @g :
    return !front.empty() && !front.contains('(') && !front.contains('=') && !front.contains('@') &&
           !front.contains("call");
  default:
    return front.empty();
  }
}

class Finder {
public:
  Finder(const PrintedModule &printed, const NumberedOps &ops) : printed_(printed), ops_(ops) {}

  TextUses find(unsigned line, unsigned column) {
    std::optional<Name> at = nameAt(printed_.line(line), column);
    if (!at)
      return {};
    found_.name = at->text.str();
    name_ = at->text;
    line_ = line;
    switch (name_.front()) {
    case '%':
      findValue(*at);
      break;
    case '@':
      findSymbol();
      break;
    case '^':
      findBlock();
      break;
    default:
      findAlias();
    }
    finish();
    return std::move(found_);
  }

private:
  void addUse(unsigned line, const Name &name) { uses_.push_back({line, name.column, name.length()}); }
  void define(unsigned line, const Name &name) { found_.definition = TextSpan{line, name.column, name.length()}; }
  void finish() {
    llvm::sort(uses_);
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
    llvm::erase_if(uses_, [&](const TextSpan &use) { return found_.definition == use; });
    found_.uses = std::move(uses_);
  }

  /// The names of one line that are ours.
  void forEachHere(unsigned line, llvm::function_ref<void(const Name &)> found) {
    if (printed_.line(line).contains(name_))
      forEachName(printed_.line(line), [&](const Name &name) {
        if (name.text == name_)
          found(name);
      });
  }

  /// The lines of an op that are no other op's: its first, headers of blocks, what closes its regions.
  void forEachOwnLine(Operation *op, llvm::function_ref<void(unsigned)> visit) {
    OpId id = ops_.id(op);
    LineRange range = printed_.linesOf(id);
    visit(range.first);
    for (unsigned line = range.first + 1; line <= range.last;) {
      Operation *at = ops_.op(printed_.opAt(line));
      if (!at || at == op || !op->isProperAncestor(at)) {
        visit(line++);
        continue;
      }
      while (at->getParentOp() != op)
        at = at->getParentOp();
      line = std::max(line, printed_.linesOf(ops_.id(at)).last) + 1;
    }
  }

  /// Whether the op is written with this name in front: "%a, %b:2 = ".
  std::optional<Name> resultName(Operation *op) {
    if (op->getNumResults() == 0)
      return std::nullopt;
    std::optional<Name> result;
    StringRef line = printed_.line(printed_.linesOf(ops_.id(op)).first);
    StringRef front = line.take_front(line.find('='));
    forEachName(front, [&](const Name &name) {
      if (name.text == name_)
        result = name;
    });
    return result;
  }
  /// The results that a name in front stands for: groups follow each other.
  std::vector<Value> resultsNamed(Operation *op, const Name &named) {
    StringRef line = printed_.line(printed_.linesOf(ops_.id(op)).first);
    std::vector<Value> results;
    unsigned first = 0;
    forEachName(line.take_front(line.find('=')), [&](const Name &name) {
      unsigned count = 1;
      StringRef rest = line.substr(name.column + name.length());
      if (rest.consume_front(":"))
        rest.take_while(llvm::isDigit).getAsInteger(10, count);
      if (name.column == named.column)
        for (unsigned i = first; i < std::min(first + count, op->getNumResults()); ++i)
          results.push_back(op->getResult(i));
      first += count;
    });
    return results;
  }

  std::optional<std::vector<Value>> asResult(Value value) {
    auto result = dyn_cast<OpResult>(value);
    std::optional<Name> named = result ? resultName(result.getOwner()) : std::nullopt;
    if (!named)
      return std::nullopt;
    std::vector<Value> group = resultsNamed(result.getOwner(), *named);
    return llvm::is_contained(group, value) ? std::optional(group) : std::nullopt;
  }

  /// The values that the name means at the line's op; empty: the text does not tell.
  std::vector<Value> valuesAt(Operation *op) {
    if (std::optional<Name> named = resultName(op); named && printed_.linesOf(ops_.id(op)).first == line_)
      if (named->column + named->length() >= nameColumn_)
        return resultsNamed(op, *named);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (ops_.name(argument) == name_ && isSeenFrom(block))
            return {argument};
    for (Value operand : op->getOperands()) {
      if (std::optional<std::vector<Value>> group = asResult(operand))
        return *group;
      if (isa<BlockArgument>(operand) && ops_.name(operand) == name_)
        return {operand};
    }
    return {};
  }

  /// Arguments of several regions of an op may have one name: theirs is the header before their first op.
  bool isSeenFrom(Block &block) {
    std::optional<TextSpan> definition = argumentDefinition(&block);
    return definition && definition->line == line_;
  }

  std::optional<TextSpan> argumentDefinition(Block *block) {
    Operation *parent = block->getParentOp();
    LineRange range = printed_.linesOf(ops_.id(parent));
    unsigned end = range.last + 1;
    for (Operation &op : *block)
      if (unsigned first = printed_.linesOf(ops_.id(&op)).first; first > range.first) {
        end = first;
        break;
      }
    std::optional<TextSpan> last;
    // Back from the first op: the header of the block is right before it, or it is the op's own.
    for (unsigned line = end; line-- > range.first && !last;) {
      if (line != range.first && ops_.op(printed_.opAt(line)) != parent)
        line = range.first;
      forEachHere(line, [&](const Name &name) { last = TextSpan{line, name.column, name.length()}; });
    }
    return last;
  }

  void findValue(const Name &at) {
    nameColumn_ = at.column;
    Operation *op = ops_.op(printed_.opAt(line_));
    std::vector<Value> values;
    for (int depth = 0; op && values.empty() && depth < 3; ++depth, op = op->getParentOp())
      values = valuesAt(op);
    if (values.empty())
      return findInFunction();
    if (auto result = dyn_cast<OpResult>(values.front())) {
      unsigned first = printed_.linesOf(ops_.id(result.getOwner())).first;
      if (std::optional<Name> named = resultName(result.getOwner()))
        define(first, *named);
      if (at.result && *at.result < values.size())
        values = {values[*at.result]};
    } else {
      found_.definition = argumentDefinition(cast<BlockArgument>(values.front()).getOwner());
    }
    addUses(values, at.result);
  }

  void addUses(ArrayRef<Value> values, std::optional<unsigned> result) {
    llvm::DenseSet<Operation *> users;
    for (Value value : values)
      users.insert(value.user_begin(), value.user_end());
    for (Operation *user : users)
      forEachOwnLine(user, [&](unsigned line) {
        forEachHere(line, [&](const Name &name) {
          if (!result || name.result == result)
            addUse(line, name);
        });
      });
  }

  /// Text that says too little, as of a dump that does not parse: what is called so in the function around.
  void findInFunction() {
    found_.isExact = false;
    Operation *op = ops_.op(printed_.opAt(line_));
    while (op && op->getParentOp() && !op->hasTrait<OpTrait::IsIsolatedFromAbove>())
      op = op->getParentOp();
    LineRange range = op ? printed_.linesOf(ops_.id(op)) : LineRange{0, printed_.lineCount() - 1};
    for (unsigned line = range.first; line <= range.last; ++line)
      forEachHere(line, [&](const Name &name) {
        size_t equals = printed_.line(line).find('=');
        if (!found_.definition && (equals == StringRef::npos || name.column < equals || line == range.first))
          define(line, name);
        addUse(line, name);
      });
  }

  Operation *lookup(Operation *from, StringRef symbol) {
    return from ? tables_.lookupNearestSymbolFrom(from, StringAttr::get(from->getContext(), symbol)) : nullptr;
  }
  /// The op that the name means in a line: the symbol that the line defines, or what is looked up from there.
  Operation *symbolAt(unsigned line, StringRef symbol) {
    Operation *op = ops_.op(printed_.opAt(line));
    auto name = op ? op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()) : StringAttr();
    if (name && name.getValue() == symbol && printed_.linesOf(ops_.id(op)).first == line)
      return op;
    return lookup(op, symbol);
  }

  void findSymbol() {
    StringRef symbol = name_.drop_front().trim('"');
    Operation *meant = symbolAt(line_, symbol);
    found_.isExact = meant;
    if (meant)
      forEachHere(printed_.linesOf(ops_.id(meant)).first, [&](const Name &name) {
        if (!found_.definition)
          define(printed_.linesOf(ops_.id(meant)).first, name);
      });
    forEachLineOfText([&](unsigned line) {
      if (!meant || symbolAt(line, symbol) == meant)
        forEachHere(line, [&](const Name &name) { addUse(line, name); });
    });
  }

  void findAlias() {
    forEachLineOfText([&](unsigned line) {
      forEachHere(line, [&](const Name &name) {
        bool isDefinition = name.column == 0 && printed_.line(line).drop_front(name.length()).ltrim().starts_with("=");
        if (isDefinition && !found_.definition)
          define(line, name);
        addUse(line, name);
      });
    });
  }

  /// In the op whose regions have the block.
  void findBlock() {
    Operation *op = ops_.op(printed_.opAt(line_));
    if (op && !printed_.line(line_).ltrim().starts_with(name_))
      op = op->getParentOp();
    if (!op)
      return;
    LineRange range = printed_.linesOf(ops_.id(op));
    for (unsigned line = range.first; line <= range.last; ++line)
      forEachHere(line, [&](const Name &name) {
        Operation *at = ops_.op(printed_.opAt(line));
        if (at != op && (!at || at->getParentOp() != op))
          return;
        if (!found_.definition && printed_.line(line).ltrim().starts_with(name_))
          define(line, name);
        addUse(line, name);
      });
  }

  /// The lines of the whole text that have the name in them.
  void forEachLineOfText(llvm::function_ref<void(unsigned)> visit) {
    StringRef text = printed_.text();
    unsigned line = 0;
    for (size_t at = text.find(name_); at != StringRef::npos; at = text.find(name_, at)) {
      line = printed_.lineAt(at);
      visit(line);
      at = text.find('\n', at);
      if (at == StringRef::npos)
        return;
    }
  }

  const PrintedModule &printed_;
  const NumberedOps &ops_;
  SymbolTableCollection tables_;
  TextUses found_;
  std::vector<TextSpan> uses_; // in any order, some twice
  StringRef name_;
  unsigned line_ = 0, nameColumn_ = 0;
};

} // namespace

TextUses findUses(const PrintedModule &printed, const NumberedOps &ops, unsigned line, unsigned column) {
  if (line >= printed.lineCount())
    return {};
  return Finder(printed, ops).find(line, column);
}

TextUses findUsesByName(llvm::function_ref<StringRef(unsigned)> lineAt, unsigned count, LineRange around, unsigned line,
                        unsigned column) {
  std::optional<Name> at = line < count ? nameAt(lineAt(line), column) : std::nullopt;
  if (!at)
    return {};
  TextUses found{.name = at->text.str(), .definition = {}, .uses = {}, .isExact = false};
  bool isLocal = found.name.front() == '%' || found.name.front() == '^';
  unsigned first = isLocal ? around.first : 0, last = isLocal ? std::min(around.last, count - 1) : count - 1;
  for (unsigned i = first; i <= last; ++i) {
    StringRef text = lineAt(i);
    if (!text.contains(found.name))
      continue;
    forEachName(text, [&](const Name &name) {
      if (name.text != found.name)
        return;
      TextSpan span{i, name.column, name.length()};
      if (!found.definition && isDefinedAt(text, name, i == first))
        found.definition = span;
      else
        found.uses.push_back(span);
    });
  }
  return found;
}

} // namespace fuselage
