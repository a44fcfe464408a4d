#include "core/stepping/pipeline/PipelineText.h"
#include "core/ir/module/PassCatalog.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

/// An entry of the text: `name`, `name{options}` or `name(inner)`.
struct Entry {
  llvm::StringRef name, options;
  size_t offset = 0;
  bool isAnchor = false;
  std::vector<Entry> inner;
};

/// A Failure about a place in the text; its diagnostic has the line of it, for a caret.
llvm::Error failAt(llvm::StringRef text, size_t offset, const llvm::Twine &what) {
  llvm::StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
  Diagnostic diagnostic;
  diagnostic.message = what.str();
  diagnostic.file = "pipeline";
  diagnostic.line = before.count('\n') + 1;
  diagnostic.column = before.size() - lineStart + 1;
  diagnostic.sourceLine = text.drop_front(lineStart).take_until([](char c) { return c == '\n'; }).str();
  std::string message = "the pipeline does not parse: " + diagnostic.message;
  return fail(std::move(message), {std::move(diagnostic)});
}

/// ", did you mean 'a' or 'b'?", or nothing.
std::string suggestion(llvm::StringRef name, const std::vector<std::string> &candidates) {
  std::vector<std::string> near = nearestNames(name, candidates);
  if (near.empty())
    return "";
  std::string text = "; did you mean ";
  for (size_t i = 0; i < near.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == near.size() ? " or '" : ", '") + near[i] + "'";
  return text + "?";
}

/// Recursive descent over the text; knows brackets, not passes.
class Reader {
public:
  explicit Reader(llvm::StringRef text) : text_(text) {}

  llvm::Expected<std::vector<Entry>> read() {
    std::vector<Entry> entries;
    if (llvm::Error error = readList(entries, 0))
      return error;
    if (pos_ < text_.size())
      return failAt(text_, pos_, "this ')' closes nothing; remove it, or open a '(' before it");
    return entries;
  }

private:
  static constexpr unsigned maxDepth = 64;

  void skipSpace() {
    while (pos_ < text_.size() && llvm::isSpace(text_[pos_]))
      ++pos_;
  }
  bool at(char c) const { return pos_ < text_.size() && text_[pos_] == c; }

  /// entry (',' entry)*, up to a ')' or the end.
  llvm::Error readList(std::vector<Entry> &entries, unsigned depth) {
    if (depth > maxDepth)
      return failAt(text_, pos_, "nested too deeply");
    skipSpace();
    if (at(')') || pos_ == text_.size())
      return llvm::Error::success();
    while (true) {
      entries.emplace_back();
      if (llvm::Error error = readEntry(entries.back(), depth))
        return error;
      skipSpace();
      if (!at(','))
        break;
      ++pos_;
    }
    if (at(')') || pos_ == text_.size())
      return llvm::Error::success();
    return failAt(text_, pos_, "expected ',' between two passes");
  }

  llvm::Error readEntry(Entry &entry, unsigned depth) {
    skipSpace();
    entry.offset = pos_;
    entry.name =
        text_.substr(pos_).take_until([](char c) { return llvm::isSpace(c) || llvm::StringRef(",(){}").contains(c); });
    pos_ += entry.name.size();
    if (entry.name.empty())
      return failAt(text_, pos_, "expected the name of a pass here");
    skipSpace();
    if (at('{'))
      return readOptions(entry);
    if (!at('('))
      return llvm::Error::success();
    size_t open = pos_++;
    entry.isAnchor = true;
    if (llvm::Error error = readList(entry.inner, depth + 1))
      return error;
    if (!at(')'))
      return failAt(text_, open, "this '(' is never closed; add a ')'");
    ++pos_;
    return llvm::Error::success();
  }

  llvm::Error readOptions(Entry &entry) {
    size_t open = pos_;
    unsigned depth = 0;
    for (; pos_ < text_.size(); ++pos_) {
      if (at('{'))
        ++depth;
      if (at('}') && --depth == 0)
        break;
    }
    if (pos_ == text_.size())
      return failAt(text_, open, "this '{' is never closed; add a '}'");
    entry.options = text_.slice(open + 1, pos_++).trim();
    return llvm::Error::success();
  }

  llvm::StringRef text_;
  size_t pos_ = 0;
};

/// Opens Pass::canScheduleOn, which is protected, to a question.
struct PassAccess : mlir::Pass {
  static bool canSchedule(const mlir::Pass &pass, mlir::RegisteredOperationName name) {
    bool (mlir::Pass::*ask)(mlir::RegisteredOperationName) const = &PassAccess::canScheduleOn;
    return (pass.*ask)(name);
  }
};

/// Turns entries into units: looks names up, expands pipelines, nests where needed.
class Flattener {
public:
  Flattener(llvm::StringRef text, mlir::MLIRContext &context) : text_(text), context_(context) {}

  /// `path`: anchors from the top, never empty.
  llvm::Error flatten(const std::vector<Entry> &entries, const std::vector<std::string> &path) {
    for (const Entry &entry : entries)
      if (llvm::Error error = entry.isAnchor ? enter(entry, path) : add(entry, path))
        return error;
    return llvm::Error::success();
  }

  /// builtin.module at the top is the input itself; anything else is nested in it.
  llvm::Error flattenTop(const std::vector<Entry> &entries) {
    for (const Entry &entry : entries) {
      bool isInput = entry.isAnchor && (entry.name == "builtin.module" || entry.name == "any");
      if (llvm::Error error = isInput ? flatten(entry.inner, {"builtin.module"}) : flatten({entry}, {"builtin.module"}))
        return error;
    }
    return llvm::Error::success();
  }

  std::vector<PassUnit> units;

private:
  std::optional<mlir::RegisteredOperationName> lookupOp(llvm::StringRef name) {
    context_.getOrLoadDialect(name.split('.').first);
    return mlir::RegisteredOperationName::lookup(name, &context_);
  }

  llvm::Error enter(const Entry &entry, std::vector<std::string> path) {
    if (mlir::PassInfo::lookup(entry.name) || mlir::PassPipelineInfo::lookup(entry.name))
      return failAt(text_, entry.offset,
                    "'" + entry.name + "' is a pass: its options go in braces, '" + entry.name +
                        "{...}', and only ops have passes in parentheses");
    if (entry.name != "any" && !lookupOp(entry.name)) {
      std::vector<std::string> ops;
      for (mlir::RegisteredOperationName op : context_.getRegisteredOperations())
        ops.push_back(op.getStringRef().str());
      return failAt(text_, entry.offset,
                    "no op is called '" + entry.name + "', so no pass can be nested in it" +
                        suggestion(entry.name, ops));
    }
    path.push_back(entry.name.str());
    return flatten(entry.inner, path);
  }

  llvm::Error unknownPass(const Entry &entry) {
    std::vector<std::string> names;
    for (const CatalogEntry &known : listRegisteredPasses())
      names.push_back(known.argument);
    return failAt(text_, entry.offset, "no pass is called '" + entry.name + "'" + suggestion(entry.name, names));
  }

  llvm::Error badOptions(const Entry &entry, llvm::StringRef said) {
    llvm::StringRef unknown = said.split("no such option ").second.split('\n').first.trim();
    std::string near;
    if (!unknown.empty())
      for (const CatalogEntry &known : listRegisteredPasses())
        if (known.argument == entry.name) {
          near = suggestion(unknown, known.options);
          if (near.empty())
            near = known.options.empty() ? "; it has none" : "; it has " + llvm::join(known.options, ", ");
        }
    std::string what = unknown.empty()
                           ? "'" + entry.name.str() + "' does not take these options: {" + entry.options.str() + "}"
                           : "'" + entry.name.str() + "' has no option '" + unknown.str() + "'" + near;
    return failAt(text_, entry.offset, what);
  }

  llvm::Error add(const Entry &entry, const std::vector<std::string> &path) {
    if (const auto *pipeline = mlir::PassPipelineInfo::lookup(entry.name))
      return expand(entry, *pipeline, path);
    const auto *info = mlir::PassInfo::lookup(entry.name);
    if (!info)
      return unknownPass(entry);
    mlir::OpPassManager any;
    std::string said;
    auto listen = [&](const llvm::Twine &message) {
      said += message.str() + "\n";
      return mlir::failure();
    };
    if (mlir::failed(info->addToPipeline(any, entry.options, listen)) || any.size() != 1)
      return badOptions(entry, said);
    return place(entry, *any.begin(), path);
  }

  /// Nests the pass below `path` until it can run.
  llvm::Error place(const Entry &entry, const mlir::Pass &pass, std::vector<std::string> path) {
    if (canRun(pass, path.back()))
      return emit(entry, path);
    if (path.back() == "builtin.module") {
      using Path = std::vector<std::string>;
      for (const Path &below : {Path{"func.func"}, Path{"gpu.module"}, Path{"gpu.module", "gpu.func"},
                                Path{"spirv.module"}, Path{"llvm.func"}})
        if (canRun(pass, below.back())) {
          path.insert(path.end(), below.begin(), below.end());
          return emit(entry, path);
        }
      if (pass.getOpName() && lookupOp(*pass.getOpName())) {
        path.push_back(pass.getOpName()->str());
        return emit(entry, path);
      }
    }
    std::string wants = pass.getOpName() ? "on '" + pass.getOpName()->str() + "'" : "on other ops";
    return failAt(text_, entry.offset,
                  "'" + entry.name + "' runs " + wants + " and cannot be nested in '" + path.back() + "'; write it " +
                      (pass.getOpName() ? "as " + *pass.getOpName() + "(" + entry.name + ")"
                                        : "outside of " + path.back() + "(...)") +
                      (pass.getOpName() == "builtin.module" ? " at the top" : ""));
  }

  bool canRun(const mlir::Pass &pass, llvm::StringRef anchor) {
    if (anchor == "any")
      return true;
    auto name = lookupOp(anchor);
    return name && PassAccess::canSchedule(pass, *name);
  }

  llvm::Error emit(const Entry &entry, const std::vector<std::string> &path) {
    std::string leaf = entry.name.str();
    if (!entry.options.empty())
      leaf += "{" + entry.options.str() + "}";
    units.push_back({.pass = entry.name.str(),
                     .options = entry.options.str(),
                     .pipeline = llvm::join(path, "(") + "(" + leaf + std::string(path.size(), ')')});
    return llvm::Error::success();
  }

  /// A registered pipeline: built, printed and read again, so that its passes become units.
  llvm::Error expand(const Entry &entry, const mlir::PassPipelineInfo &pipeline, const std::vector<std::string> &path) {
    // Implicit nesting, since a builder that adds a misfit to an explicit one ends the process.
    mlir::OpPassManager manager(path.back(), mlir::OpPassManager::Nesting::Implicit);
    std::string said;
    auto listen = [&](const llvm::Twine &message) {
      said += message.str() + "\n";
      return mlir::failure();
    };
    if (mlir::failed(pipeline.addToPipeline(manager, entry.options, listen)))
      return badOptions(entry, said);
    std::string text;
    llvm::raw_string_ostream os(text);
    manager.printAsTextualPipeline(os);
    auto entries = Reader(text).read();
    if (!entries) {
      llvm::consumeError(entries.takeError());
      return emit(entry, path);
    }
    Flattener inner(text, context_);
    if (llvm::Error error = inner.flatten((*entries)[0].inner, path)) {
      // Some of its passes have no name of their own: it can only be run as a whole.
      llvm::consumeError(std::move(error));
      return emit(entry, path);
    }
    llvm::append_range(units, inner.units);
    return llvm::Error::success();
  }

  llvm::StringRef text_;
  mlir::MLIRContext &context_;
};

} // namespace

llvm::Expected<std::vector<PassUnit>> parsePipeline(llvm::StringRef text, mlir::MLIRContext &context) {
  auto entries = Reader(text).read();
  if (!entries)
    return entries.takeError();
  Flattener flattener(text, context);
  if (llvm::Error error = flattener.flattenTop(*entries))
    return error;
  return std::move(flattener.units);
}

} // namespace fuselage
