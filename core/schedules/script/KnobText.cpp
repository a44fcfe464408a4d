#include "core/schedules/script/KnobText.h"
#include "core/ir/source/SourceEdits.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

using mlir::transform::tune::AlternativesOp;
using mlir::transform::tune::KnobOp;

/// Reads a text from a place on.
class Cursor {
public:
  Cursor(llvm::StringRef text, size_t at) : text_(text), at_(at) {}
  size_t at() const { return at_; }

  void skipSpace() {
    while (at_ < text_.size() && llvm::isSpace(text_[at_]))
      ++at_;
  }
  bool take(llvm::StringRef word) {
    skipSpace();
    if (!text_.substr(at_).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }
  /// Over `<"name">`.
  bool takeName() { return take("<") && take("\"") && skipString() && take(">"); }
  /// Over an attribute, to the word after it.
  bool skipTo(llvm::StringRef word) {
    for (int depth = 0; at_ < text_.size();) {
      char c = text_[at_];
      bool isWord = depth == 0 && at_ > 0 && llvm::isSpace(text_[at_ - 1]) && text_.substr(at_).starts_with(word);
      if (isWord)
        return true;
      ++at_;
      if (c == '"' && !skipString())
        return false;
      depth += c == '[' || c == '{' || c == '(' || c == '<' ? 1 : c == ']' || c == '}' || c == ')' || c == '>' ? -1 : 0;
    }
    return false;
  }
  void skipDigits() {
    skipSpace();
    while (at_ < text_.size() && llvm::isDigit(text_[at_]))
      ++at_;
  }

private:
  /// To after the quote that ends it.
  bool skipString() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\')
        ++at_;
      else if (text_[at_] == '"')
        return ++at_, true;
    }
    return false;
  }

  llvm::StringRef text_;
  size_t at_;
};

std::string spelled(mlir::Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(value);
  value.print(os, /*elideType=*/number && (number.getType().isInteger(64) || number.getType().isInteger(1)));
  return text;
}

/// Where an op's name ends.
std::optional<size_t> endOfName(mlir::Operation *op, llvm::StringRef path, llvm::StringRef source,
                                const LineTable &lines) {
  SourcePosition position = positionOf(op->getLoc());
  if (position.file != path || position.line == 0)
    return std::nullopt;
  size_t at = lines.offsetOf({position.line, position.column});
  llvm::StringRef name = op->getName().stripDialect();
  size_t found = source.find(name, at);
  return found == llvm::StringRef::npos || source.slice(at, found).contains('\n') ? std::nullopt
                                                                                  : std::optional(found + name.size());
}

/// What selects a knob's value: `<"name"> = 16 from options = ..`, or without the middle.
bool edit(SourceEdits &edits, KnobOp knob, Cursor cursor) {
  if (!cursor.takeName())
    return false;
  size_t from = cursor.at(), to = from;
  if (cursor.take("=")) {
    if (!cursor.skipTo("from") || !cursor.take("from"))
      return false;
    to = cursor.at();
  }
  edits.replace(from, to, knob.getSelectedAttr() ? " = " + spelled(knob.getSelectedAttr()) + " from" : "");
  return true;
}

/// What picks a region: `<"name"> selected_region = 0 {`, or without the middle.
bool edit(SourceEdits &edits, AlternativesOp choice, Cursor cursor) {
  if (!cursor.takeName())
    return false;
  size_t from = cursor.at(), to = from;
  if (cursor.take("selected_region")) {
    if (!cursor.take("="))
      return false;
    cursor.skipDigits();
    to = cursor.at();
  }
  mlir::IntegerAttr region = choice.getSelectedRegionAttrAttr();
  edits.replace(from, to, region ? " selected_region = " + std::to_string(region.getInt()) : "");
  return true;
}

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

} // namespace

std::optional<std::string> withSelection(Session &session, const Script &script, llvm::StringRef source) {
  LineTable lines(source);
  SourceEdits edits;
  mlir::WalkResult result = mlir::ModuleOp(*script.module).walk([&](mlir::Operation *op) {
    auto knob = mlir::dyn_cast<KnobOp>(op);
    auto choice = mlir::dyn_cast<AlternativesOp>(op);
    if (!knob && !(choice && !choice.getSelectedRegionParam()))
      return mlir::WalkResult::advance();
    auto at = endOfName(op, script.path, source, lines);
    bool isDone = at && (knob ? edit(edits, knob, Cursor(source, *at)) : edit(edits, choice, Cursor(source, *at)));
    return isDone ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  std::string text = edits.apply(source).text();
  auto again = parseScript(session, text, script.path);
  if (!again) {
    llvm::consumeError(again.takeError());
    return std::nullopt;
  }
  return printed(*again->module) == printed(*script.module) ? std::optional(std::move(text)) : std::nullopt;
}

} // namespace fuselage
