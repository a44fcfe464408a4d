#include "core/notes/BugReport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace mlir;

namespace fuselage {
namespace {

constexpr unsigned mostLinesOfOp = 60, mostLinesOfOther = 8;
constexpr size_t mostOfLine = 400;

/// Lines to show, by number; a gap between two is "...".
class Excerpt {
public:
  explicit Excerpt(const PrintedModule &printed) : printed_(printed) {}

  void add(LineRange range, unsigned most) {
    for (unsigned line = range.first; line <= range.last && line - range.first < most; ++line)
      lines_.insert(line);
  }

  std::string text() {
    addAliases();
    std::string text;
    std::optional<unsigned> last;
    for (unsigned line : lines_) {
      if (last && line != *last + 1)
        text += "// ...\n";
      llvm::StringRef content = printed_.line(line);
      text += content.take_front(mostOfLine).str() + (content.size() > mostOfLine ? " ..." : "") + "\n";
      last = line;
    }
    return llvm::json::fixUTF8(text);
  }

private:
  /// "#map3 = .." of names that the lines have; they stand before the module.
  void addAliases() {
    std::map<std::string, unsigned> aliases;
    for (unsigned i = 0; i < printed_.lineCount() && i < 20'000; ++i) {
      llvm::StringRef line = printed_.line(i);
      if (!line.starts_with("#"))
        break;
      aliases[line.take_until([](char c) { return c == ' '; }).str()] = i;
    }
    const std::set<unsigned> shown = lines_;
    for (unsigned line : shown)
      for (llvm::StringRef rest = printed_.line(line); rest.contains('#');) {
        rest = rest.drop_front(rest.find('#'));
        size_t end = 1;
        while (end < rest.size() && (llvm::isAlnum(rest[end]) || rest[end] == '_'))
          ++end;
        if (auto it = aliases.find(rest.take_front(end).str()); it != aliases.end())
          lines_.insert(it->second);
        rest = rest.drop_front(end);
      }
  }

  const PrintedModule &printed_;
  std::set<unsigned> lines_;
};

std::string excerptOf(const BugReportParts &parts) {
  std::vector<Operation *> ops;
  llvm::DenseMap<Operation *, OpId> ids;
  parts.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ids[op] = ops.size();
    ops.push_back(op);
  });
  Excerpt excerpt(*parts.printed);
  auto addDefinitions = [&](OpId id) {
    for (Value operand : ops[id]->getOperands())
      if (Operation *definer = operand.getDefiningOp())
        excerpt.add(parts.printed->linesOf(ids[definer]), mostLinesOfOther);
    for (Operation *around = ops[id]->getParentOp(); around; around = around->getParentOp())
      if (isa<FunctionOpInterface>(around)) {
        excerpt.add(parts.printed->linesOf(ids[around]), 1);
        break;
      }
    excerpt.add(parts.printed->linesOf(id), mostLinesOfOp);
  };
  if (parts.producer)
    addDefinitions(*parts.producer);
  addDefinitions(parts.op);
  return excerpt.text();
}

/// A fence that nothing in the text closes.
std::string fenced(llvm::StringRef text, llvm::StringRef language) {
  size_t most = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    most = std::max(most, run);
  }
  std::string fence(most + 1, '`');
  return fence + language.str() + "\n" + text.str() + (text.ends_with("\n") ? "" : "\n") + fence + "\n";
}

std::string nameOf(const BugReportParts &parts, OpId wanted) {
  std::string name;
  OpId id = 0;
  parts.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (id++ != wanted)
      return WalkResult::advance();
    name = op->getName().getStringRef().str();
    return WalkResult::interrupt();
  });
  return name;
}

} // namespace

std::string bugReport(const BugReportParts &parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "### ";
  if (parts.producer)
    os << "`" << nameOf(parts, *parts.producer) << "` -> `" << nameOf(parts, parts.op) << "`";
  else
    os << "`" << nameOf(parts, parts.op) << "`";
  os << " in " << parts.input << ", " << parts.step << "\n\n";
  if (!parts.reason.empty())
    os << parts.reason << "\n\n";
  os << "IR (an excerpt, " << parts.step << "):\n\n" << fenced(excerptOf(parts), "mlir") << "\n";
  if (!parts.pipeline.empty())
    os << "Pipeline:\n\n" << fenced(parts.pipeline, "") << "\n";
  os << "To repeat it:\n\n" << fenced(parts.command, "sh") << "\n";
  os << "Fuselage " << parts.version << ", LLVM and MLIR " << LLVM_VERSION_STRING << "\n";
  return text;
}

} // namespace fuselage
