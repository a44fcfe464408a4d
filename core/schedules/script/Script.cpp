#include "core/schedules/script/Script.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/module/Splits.h"
#include "core/ir/ops/NamedPlaces.h"
#include "core/ir/ops/ValueNames.h"
#include "core/ir/source/SourceText.h"
#include "core/schedules/script/FormNames.h"
#include "core/schedules/script/ScriptEntry.h"
#include "core/schedules/script/ScriptSafety.h"
#include "core/schedules/script/TuningSpec.h"
#include "core/schedules/script/UnknownOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/IR/Utils.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fuselage {
namespace {

/// The lines of the script and its libraries. Locations can name any file, and others are nobody's business.
class SourceLines {
public:
  void add(llvm::StringRef file, llvm::StringRef text) {
    Lines &lines = files_[file];
    lines.text = text.str();
    llvm::StringRef(lines.text).split(lines.lines, '\n');
  }
  /// A file that was opened as a module; of a stream, which was read, nothing is left.
  void addFile(llvm::StringRef file) {
    if (isStream(file))
      return;
    if (auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true))
      add(file, (*buffer)->getBuffer());
  }
  llvm::StringRef text(llvm::StringRef file) { return files_[file].text; }
  llvm::StringRef line(llvm::StringRef file, unsigned number) {
    const Lines &lines = files_[file];
    return number == 0 || number > lines.lines.size() ? llvm::StringRef() : lines.lines[number - 1].trim();
  }

private:
  struct Lines {
    std::string text;
    llvm::SmallVector<llvm::StringRef> lines;
  };
  llvm::StringMap<Lines> files_;
};

/// Fills in `ops` and `numbers`.
void listOps(Script &script, SourceLines &lines) {
  script.module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    SourcePosition position = positionOf(op->getLoc());
    ScriptOp row{
        .name = displayName(op), .text = {}, .file = position.file, .line = position.line, .column = position.column};
    constexpr size_t maxLength = 120;
    llvm::StringRef text = lines.line(position.file, position.line);
    if (op->getNumResults() > 0 && !text.contains(row.name) && script.names.contains(op->getResult(0)))
      text = {}; // an argument of the entry that was bound
    if (text.empty())
      row.text = (op->getNumResults() > 0 ? script.names.lookup(op->getResult(0)) + " = " : "") + row.name;
    else
      row.text = text.size() <= maxLength ? text.str() : text.take_front(maxLength).str() + "...";
    script.numbers[op] = script.ops.size();
    script.ops.push_back(std::move(row));
  });
}

/// Fills in `names`: from the text; by MLIR's printer where there is none.
void nameValues(Script &script, SourceLines &lines) {
  mlir::AsmState printer(*script.module);
  llvm::StringMap<NamedPlaces> places;
  auto placesIn = [&](llvm::StringRef file) -> const NamedPlaces & {
    return places.try_emplace(file, lines.text(file)).first->second;
  };
  auto name = [&](mlir::Value value, const std::string &text) {
    std::string &spelt = script.names[value];
    llvm::raw_string_ostream os(spelt);
    if (!text.empty())
      os << '%' << text;
    else
      value.printAsOperand(os, printer);
  };
  script.module->walk([&](mlir::Operation *op) {
    SourcePosition position = positionOf(op->getLoc());
    std::vector<std::string> results;
    for (const NamedResults &group : placesIn(position.file).resultsBefore(position.line, position.column))
      for (unsigned i = 0; i < group.count && results.size() < op->getNumResults(); ++i)
        results.push_back(group.name.str() + (group.count > 1 ? "#" + std::to_string(i) : ""));
    results.resize(op->getNumResults());
    for (mlir::OpResult result : op->getResults())
      name(result, results[result.getResultNumber()]);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments()) {
          SourcePosition place = positionOf(argument.getLoc());
          name(argument, placesIn(place.file).argumentAt(place.line, place.column).str());
        }
  });
}

/// Moves the named sequences of the library at `path` into `script`.
llvm::Error link(Session &session, mlir::ModuleOp script, llvm::StringRef path) {
  auto library = session.open(path);
  if (!library)
    return library.takeError();
  DiagnosticCapture capture(session.context());
  mlir::OwningOpRef<mlir::Operation *> other((*library).release().getOperation());
  mlir::InFlightDiagnostic merged = mlir::transform::detail::mergeSymbolsInto(script, std::move(other));
  bool failed = mlir::failed(mlir::LogicalResult(merged));
  merged.report();
  if (failed)
    return fail("the library '" + path.str() + "' cannot be linked into the schedule", capture.take());
  return llvm::Error::success();
}

llvm::Expected<Script> makeScript(Session &session, ReadResult read, llvm::StringRef path, const ScriptOptions &options,
                                  SourceLines &lines) {
  Script script;
  script.path = path.str();
  script.module = std::move(read.module);
  script.diagnostics = std::move(read.diagnostics);
  llvm::append_range(script.diagnostics, findMistypedMatches(*script.module));
  keepValueNames(*script.module, lines.text(path), path);
  for (const std::string &library : options.libraries) {
    if (llvm::Error error = link(session, *script.module, library))
      return error;
    lines.addFile(library);
  }
  if (llvm::Error error = refuseReachingOut(*script.module))
    return error;
  if (llvm::Error error = refuseDeadly(*script.module))
    return error;
  auto forms = FormSet::declaredIn(*script.module);
  if (!forms)
    return forms.takeError();
  script.forms = std::move(*forms);
  if (llvm::Error error = refuseUnknownForms(*script.module, script.forms))
    return error;
  llvm::SmallVector<mlir::ModuleOp> pieces = splitModules(*script.module);
  if (options.piece && *options.piece >= pieces.size())
    return fail("'" + path.str() + "' has no piece " + std::to_string(*options.piece));
  auto entry = findEntry(options.piece ? pieces[*options.piece] : *script.module, path, options.entry);
  if (!entry)
    return entry.takeError();
  script.entry = *entry;
  if (std::optional<Diagnostic> chosen = options.entry.empty() ? describeChosenEntry(script.entry) : std::nullopt)
    script.diagnostics.push_back(std::move(*chosen));
  if (std::optional<Diagnostic> spec = describeTuningSpec(script.entry, path))
    script.diagnostics.push_back(std::move(*spec));
  nameValues(script, lines);
  if (llvm::Error error = bindArguments(script.entry, *script.module, script.path, script.names, options.arguments))
    return error;
  listOps(script, lines);
  return script;
}

} // namespace

/// A dialect that an earlier script brought into the session parses from then on, and is as unknown as it was.
static std::vector<Diagnostic> unknownDialects(mlir::ModuleOp module) {
  std::vector<Diagnostic> said;
  llvm::StringSet<> known;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (!TolerantOp(op) || !known.insert(dialect).second)
      return;
    SourcePosition position = positionOf(op->getLoc());
    said.push_back({.severity = Diagnostic::Severity::Warning,
                    .message = "'" + displayName(op) + "' is unknown; the schedule ends there",
                    .file = position.file,
                    .line = position.line,
                    .column = position.column});
  });
  return said;
}

/// The sequence that is not read as one, and why; nullopt if all are.
static std::optional<Diagnostic> refusedSequence(ReadResult &read) {
  std::optional<Diagnostic> refused;
  read.module->walk([&](mlir::Operation *op) {
    bool isSequence = !op->isRegistered() && llvm::StringRef(displayName(op)).ends_with("sequence");
    for (const Diagnostic &diagnostic : read.diagnostics)
      if (isSequence && llvm::StringRef(diagnostic.message).contains("'" + displayName(op) + "'"))
        refused = diagnostic;
  });
  if (refused) {
    refused->severity = Diagnostic::Severity::Error;
    auto [prefix, why] = llvm::StringRef(refused->message).split("': ");
    refused->message = (why.empty() ? prefix : why).str();
  }
  return refused;
}

/// `strict` is what MLIR's parser says; where it refuses, the tolerant reader may read the script without a gap.
static llvm::Expected<ReadResult> orTolerant(llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> strict,
                                             llvm::function_ref<llvm::Expected<ReadResult>()> read) {
  ReadResult result;
  if (strict) {
    result.module = std::move(*strict);
    result.diagnostics = unknownDialects(*result.module);
    return result;
  }
  auto tolerant = read();
  bool isWhole =
      tolerant && tolerant->gaps == 0 && llvm::none_of(tolerant->diagnostics, [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Diagnostic::Severity::Error;
      });
  if (!isWhole) {
    llvm::consumeError(tolerant.takeError());
    return strict.takeError();
  }
  llvm::consumeError(strict.takeError());
  if (std::optional<Diagnostic> refused = refusedSequence(*tolerant))
    return fail("MLIR refuses the schedule", {std::move(*refused)});
  return tolerant;
}

llvm::Expected<Script> openScript(Session &session, llvm::StringRef path, const ScriptOptions &options) {
  auto read = orTolerant(session.open(path), [&] { return session.read(path); });
  if (!read)
    return read.takeError();
  SourceLines lines;
  lines.addFile(path);
  return makeScript(session, std::move(*read), path, options, lines);
}

llvm::Expected<Script> parseScript(Session &session, llvm::StringRef text, llvm::StringRef name,
                                   const ScriptOptions &options) {
  auto read = orTolerant(session.parse(text, name), [&] { return session.readText(text, name); });
  if (!read)
    return read.takeError();
  SourceLines lines;
  lines.add(name, text);
  return makeScript(session, std::move(*read), name, options, lines);
}

bool hasSchedule(mlir::ModuleOp module) {
  return module
      .walk([](mlir::Operation *op) {
        return llvm::isa<mlir::transform::NamedSequenceOp, mlir::transform::SequenceOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the payload is of the script's file.
static bool isOneFile(const Script &script, mlir::ModuleOp payload) {
  std::string file = positionOf(payload.getLoc()).file;
  return file == script.path || (!file.empty() && llvm::sys::fs::equivalent(file, script.path));
}

mlir::OwningOpRef<mlir::ModuleOp> payloadFor(const Script &script, mlir::ModuleOp payload) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = payload.clone();
  bool readsOwn = false; // a pass that starts an interpreter finds its script in the payload
  script.module.get()->walk([&](mlir::Operation *op) { readsOwn |= runsInterpreter(op); });
  if (!isOneFile(script, payload) || readsOwn)
    return copy;
  copy->walk<mlir::WalkOrder::PostOrder>([&](mlir::Operation *op) {
    auto module = llvm::dyn_cast<mlir::ModuleOp>(op);
    bool isLibrary = module && module->hasAttr(mlir::transform::TransformDialect::kWithNamedSequenceAttrName);
    bool isScript = llvm::isa<mlir::transform::NamedSequenceOp, mlir::transform::SequenceOp>(op);
    if (isLibrary)
      module->removeAttr(mlir::transform::TransformDialect::kWithNamedSequenceAttrName);
    if (isScript || (isLibrary && module != *copy && module.getBody()->empty()))
      op->erase();
  });
  return copy;
}

llvm::Expected<FormSet> openForms(Session &session, llvm::ArrayRef<std::string> libraries) {
  mlir::OwningOpRef<mlir::ModuleOp> all = mlir::ModuleOp::create(mlir::UnknownLoc::get(&session.context()));
  all.get()->setAttr(mlir::transform::TransformDialect::kWithNamedSequenceAttrName,
                     mlir::UnitAttr::get(&session.context()));
  for (const std::string &library : libraries)
    if (llvm::Error error = link(session, *all, library))
      return error;
  if (llvm::Error error = refuseReachingOut(*all))
    return error;
  if (llvm::Error error = refuseDeadly(*all))
    return error;
  return FormSet::declaredIn(*all);
}

} // namespace fuselage
