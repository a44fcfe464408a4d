#include "core/ir/reading/GapOperands.h"
#include "core/ir/source/LegacyText.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage {

StringRef resultsOf(const SourceScan &scan, const ScannedOp &op) {
  StringRef list = scan.text().slice(op.begin, op.name);
  return list.take_front(list.rfind('=') == StringRef::npos ? 0 : list.rfind('=')).trim();
}

/// Calls `visit` with each `%name` outside of strings and comments, and what follows it.
template <typename Visit> static void visitValues(StringRef text, Visit visit) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
    } else if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '%') {
      StringRef name = text.substr(i, 1 + text.drop_front(i + 1).take_while(isNameChar).size());
      if (name.size() > 1)
        visit(name, text.drop_front(i + name.size()));
      i += name.size() - 1;
    }
  }
}

/// Calls `visit` with the name of each argument in the text before a region, and whether it has a type:
/// `%a: type`, tight as MLIR prints arguments, `%i = ..` and `%i in ..`.
template <typename Visit> static void visitArguments(StringRef text, Visit visit) {
  visitValues(text, [&](StringRef name, StringRef rest) {
    bool isTyped = rest.starts_with(":") && !(rest.size() > 1 && llvm::isDigit(rest[1]));
    rest = rest.ltrim();
    if (isTyped || (rest.starts_with("=") && !rest.starts_with("==")) || rest.starts_with("in "))
      visit(name, isTyped);
  });
}

namespace {
/// The values that are defined before an op, with the number of their results.
class Definitions {
public:
  Definitions(const SourceScan &scan, llvm::function_ref<bool(int32_t)> isRead) : scan_(scan), isRead_(isRead) {}

  void addAround(int32_t op) {
    constexpr unsigned mostDepth = 64;
    for (unsigned depth = 0; op >= 0 && depth < mostDepth; ++depth) {
      addBlock(op);
      int32_t parent = scan_.ops()[op].parent;
      // What has arguments of its own may not see those of others.
      if (parent >= 0 && addArguments(headerOf(parent, scan_.ops()[op].region), isRead_(parent)))
        return;
      op = parent;
    }
  }
  bool contains(StringRef name, unsigned number) const {
    auto known = counts_.find(name);
    return known != counts_.end() && number < known->second;
  }

private:
  StringRef headerOf(int32_t op, int32_t region) const {
    return scan_.text().slice(scan_.ops()[op].nameEnd, scan_.regions()[region].open);
  }

  /// The results of the ops before `op` in its block, and the block's arguments.
  void addBlock(int32_t op) {
    constexpr unsigned mostOps = 2000;
    for (unsigned i = 0; i < mostOps; ++i) {
      int32_t previous = scan_.previousSibling(op);
      int32_t region = scan_.ops()[op].region;
      size_t from = previous >= 0 ? scan_.ops()[previous].end : region >= 0 ? scan_.regions()[region].open : 0;
      StringRef between = scan_.text().slice(from, scan_.ops()[op].begin);
      if (size_t label = between.rfind('^'); label != StringRef::npos) {
        addArguments(between.substr(label));
        return;
      }
      if (previous < 0)
        return;
      if (isRead_(previous))
        for (StringRef result : splitOutsideBrackets(resultsOf(scan_, scan_.ops()[previous]), ','))
          addResult(result);
      op = previous;
    }
  }
  void addResult(StringRef result) {
    auto [name, number] = result.split(':');
    unsigned count = 1;
    if (number.empty() || !number.getAsInteger(10, count))
      counts_.try_emplace(name.trim(), count);
  }
  /// Whether there are any with a type. What is not read defines none.
  bool addArguments(StringRef text, bool isRead = true) {
    bool hasTyped = false;
    visitArguments(text, [&](StringRef name, bool isTyped) {
      hasTyped |= isTyped;
      if (isRead)
        counts_.try_emplace(name, 1);
    });
    return hasTyped;
  }

  const SourceScan &scan_;
  llvm::function_ref<bool(int32_t)> isRead_;
  llvm::StringMap<unsigned> counts_;
};
} // namespace

std::vector<std::string> gapOperands(const SourceScan &scan, int32_t op, size_t end,
                                     llvm::function_ref<bool(int32_t)> isRead) {
  constexpr size_t mostOperands = 48, mostText = 16 << 10;
  StringRef text = scan.text().slice(scan.ops()[op].nameEnd, end).take_front(mostText);
  std::vector<std::string> operands;
  if (!text.contains('%'))
    return operands;
  Definitions definitions(scan, isRead);
  definitions.addAround(op);
  visitValues(text, [&](StringRef name, StringRef rest) {
    unsigned number = 0;
    StringRef digits;
    if (rest.consume_front("#"))
      digits = rest.take_while(llvm::isDigit);
    if (digits.getAsInteger(10, number))
      number = 0;
    if (operands.size() == mostOperands || !definitions.contains(name, number))
      return;
    std::string use = number ? (name + "#" + llvm::Twine(number)).str() : name.str();
    if (!llvm::is_contained(operands, use))
      operands.push_back(std::move(use));
  });
  return operands;
}

std::vector<std::string> argumentsIn(StringRef header) {
  std::vector<std::string> names;
  visitArguments(header, [&](StringRef name, bool) {
    if (!llvm::is_contained(names, name))
      names.push_back(name.str());
  });
  return names;
}

} // namespace fuselage
