// Opening what stock MLIR refuses: the strict way first where it can work, then the tolerant one.
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"
#include "core/ir/hlo/HloImport.h"
#include "core/ir/module/Splits.h"
#include "core/ir/module/TextParser.h"
#include "core/ir/module/UpgradePortable.h"
#include "core/ir/ops/ValueNames.h"
#include "core/ir/reading/Cycles.h"
#include "core/ir/reading/TolerantReader.h"
#include "core/ir/source/Artifact.h"
#include "core/ir/source/BytecodeFile.h"
#include "core/ir/source/Listings.h"
#include "core/ir/source/OtherFormats.h"
#include "core/ir/source/PastedDiff.h"
#include "core/support/Expendable.h"
#include "core/support/LargeStack.h"
#include "core/support/Paths.h"
#include "core/support/TrialRun.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

/// Whether the text has ops in the custom assembly of dialects that MLIR does not have: the strict
/// parser need not try.
static bool isForeign(MLIRContext &context, ArrayRef<SourceScan> scans) {
  llvm::StringSet<> known;
  for (StringRef name : context.getAvailableDialects())
    known.insert(name);
  known.insert("builtin");
  for (const SourceScan &scan : scans)
    for (const auto &ns : scan.customNamespaces())
      if (!known.contains(ns.first()))
        return true;
  return false;
}

/// Reads all splits as `options` say of each; the module is null if no op could be read. `isVerified`: the verifier
/// refused nothing.
static ReadResult readSplits(MLIRContext &context, StringRef name, ArrayRef<SourceSplit> splits,
                             ArrayRef<SourceScan> scans, ArrayRef<TolerantOptions> options, bool &isVerified) {
  ReadResult result;
  SmallVector<OwningOpRef<ModuleOp>> modules;
  for (auto [split, scan, how] : llvm::zip_equal(splits, scans, options)) {
    if (how.progress)
      *how.progress << "split\n";
    TolerantResult part = readTolerantly(context, name, split, scan, how);
    llvm::append_range(result.diagnostics, std::move(part.diagnostics));
    result.gaps += part.gaps;
    isVerified &= part.isVerified;
    if (part.module)
      modules.push_back(std::move(part.module));
  }
  if (modules.empty())
    return result;
  if (splits.size() == 1) {
    result.module = std::move(modules.front());
  } else {
    result.module = createSplitModule(context, name);
    for (OwningOpRef<ModuleOp> &module : modules)
      result.module->push_back(module.release());
  }
  bool hasOps = false, hasContent = false;
  result.module->walk([&](Operation *op) {
    StringRef opName = op->getName().getStringRef();
    bool isOurs = opName.starts_with("fuselage.");
    hasOps |= !isa<ModuleOp>(op) && !isOurs;
    hasContent |= op->getNumRegions() == 0 && !isOurs && !op->hasTrait<OpTrait::IsTerminator>();
    result.tolerated += TolerantOp(op) && !TolerantOp(op).isGap();
  });
  bool hasError = llvm::any_of(result.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Diagnostic::Severity::Error;
  });
  // A function that lost its body is nothing to look at.
  if ((!hasOps && hasError) || (!hasContent && result.gaps))
    result.module = nullptr;
  return result;
}

/// Where a copy that told its progress died: the number of the split, and the offset of the op in it.
static std::optional<std::pair<size_t, size_t>> placeOfDeath(StringRef progress) {
  constexpr size_t unknown = StringRef::npos;
  size_t splits = 0, offset = unknown;
  while (!progress.empty()) {
    auto [line, rest] = progress.split('\n');
    size_t number = 0;
    if (line == "split") {
      ++splits;
      offset = unknown;
    } else if (!line.getAsInteger(10, number)) {
      offset = number;
    }
    progress = rest;
  }
  if (splits == 0 || offset == unknown)
    return std::nullopt;
  return std::pair(splits - 1, offset);
}

/// The op whose text takes MLIR's parser down, by the offset of its name, and `how`: the first, by their ends, up to
/// which the text does. Of those that are known nothing is read.
static std::optional<size_t> findParserKiller(MLIRContext &context, const SourceScan &scan, ArrayRef<DeadlyOp> known,
                                              const TrialLimits &limits, std::string &how) {
  std::string text = scan.text().str();
  for (const DeadlyOp &deadly : known)
    if (int32_t op = scan.opAt(deadly.offset); op >= 0)
      std::fill(text.begin() + scan.ops()[op].begin, text.begin() + scan.ops()[op].end, ' ');
  auto isDeadly = [&](size_t end) {
    auto copy = runInCopy(limits, [&](llvm::raw_ostream &) {
      DiagnosticCapture quiet(context);
      (void)parseBuffer(context, StringRef(text).take_front(end), "", /*verify=*/false);
    });
    if (copy && copy->death)
      how = *copy->death;
    return copy && copy->death;
  };
  SmallVector<const ScannedOp *> ops(llvm::make_pointer_range(scan.ops()));
  llvm::stable_sort(ops, [](const ScannedOp *a, const ScannedOp *b) { return a->end < b->end; });
  if (ops.empty() || !isDeadly(text.size()))
    return std::nullopt;
  auto killer = llvm::partition_point(ops, [&](const ScannedOp *op) { return !isDeadly(op->end); });
  return killer == ops.end() ? std::nullopt : std::optional<size_t>((*killer)->name);
}

/// The op that took a copy down, and its split: at the end of the progress that the copy told, where it was the
/// verifier that died, or else among the texts.
static std::optional<std::pair<size_t, DeadlyOp>> findKiller(MLIRContext &context, const TrialResult &copy,
                                                             ArrayRef<SourceScan> scans,
                                                             ArrayRef<TolerantOptions> options,
                                                             const TrialLimits &limits) {
  if (auto place = placeOfDeath(copy.output))
    return std::pair(place->first, DeadlyOp{place->second, "MLIR's verifier " + *copy.death});
  std::string how;
  for (size_t split = 0; split < scans.size(); ++split)
    if (auto offset = findParserKiller(context, scans[split], options[split].deadly, limits, how))
      return std::pair(split, DeadlyOp{*offset, "MLIR's parser " + how});
  return std::nullopt;
}

/// Some upstream parsers and verifiers die of malformed ops. A copy of the process reads first. An op that kills
/// them is made a gap, so that the rest opens: `options` say so of its split. False: it dies in spite of that.
/// `read` returns whether all of it is verified, which need not be done again then.
static bool survives(MLIRContext &context, size_t bytes, ArrayRef<SourceScan> scans,
                     MutableArrayRef<TolerantOptions> options, llvm::function_ref<bool()> read) {
  constexpr unsigned maxKillers = 8;
  constexpr StringRef verified = "verified";
  const TrialLimits limits = readingLimits(bytes);
  for (unsigned killers = 0;; ++killers) {
    auto copy = runInCopy(limits, [&](llvm::raw_ostream &out) {
      if (read())
        out << verified;
    });
    if (!copy || !copy->death) {
      for (TolerantOptions &split : options)
        split.isVerified = copy && copy->output == verified;
      return true;
    }
    if (killers == maxKillers)
      return false;
    copy = runInCopy(limits, [&](llvm::raw_ostream &out) {
      for (TolerantOptions &split : options)
        split.progress = &out;
      read();
    });
    auto killer = copy && copy->death ? findKiller(context, *copy, scans, options, limits) : std::nullopt;
    if (!killer)
      return false;
    options[killer->first].deadly.push_back(std::move(killer->second));
  }
}

/// The namespaces in a module that no loaded dialect has.
static std::vector<std::string> foreignNamespaces(ModuleOp module) {
  std::set<std::string> found;
  AttrTypeWalker walker; // opaque types are those of tolerant dialects, too
  walker.addWalk([&](OpaqueAttr attr) { found.insert(attr.getDialectNamespace().str()); });
  walker.addWalk([&](OpaqueType type) { found.insert(type.getDialectNamespace().str()); });
  module->walk([&](Operation *op) {
    if (!op->getDialect())
      found.insert(op->getName().getDialectNamespace().str());
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
    for (Region &region : op->getRegions())
      for (Type type : region.getArgumentTypes())
        walker.walk(type);
  });
  found.erase("");
  found.erase("fuselage");
  std::erase_if(found, [&](const std::string &ns) { return module.getContext()->getLoadedDialect(ns); });
  return {found.begin(), found.end()};
}

/// What the universal parser kept of ops, such as how they are written, has a meaning only where their
/// dialects are tolerant ones: those that the file names are loaded before. Dialects of which it holds no
/// more than types are found in what was read; it is then read again.
static llvm::Expected<OwningOpRef<ModuleOp>> readBytecode(Session &session, StringRef bytes, StringRef name) {
  loadTolerantDialects(session.context(), {"flow", "undefined"});
  loadTolerantDialects(session.context(), bytecodeDialects(bytes));
  if (isPortable(bytes)) // VHLO becomes StableHLO
    loadTolerantDialects(session.context(), {"stablehlo", "chlo"});
  auto module = session.parse(bytes, name);
  if (!module)
    return module;
  std::vector<std::string> namespaces = foreignNamespaces(**module);
  if (namespaces.empty())
    return module;
  module->release()->erase();
  loadTolerantDialects(session.context(), namespaces);
  return session.parse(bytes, name);
}

llvm::Expected<ReadResult> Session::read(StringRef path) {
  auto file = loadDetached(path);
  if (!file)
    return file.takeError();
  return read(*file);
}

static std::vector<SourceScan> scanSplits(ArrayRef<SourceSplit> splits) {
  std::vector<SourceScan> scans;
  scans.reserve(splits.size());
  for (const SourceSplit &split : splits)
    scans.emplace_back(split.text);
  return scans;
}

/// Says what became of a text that is more than IR, at one of its lines.
static fuselage::Diagnostic noteAt(StringRef source, StringRef file, unsigned line, std::string message) {
  return {.severity = fuselage::Diagnostic::Severity::Warning,
          .message = std::move(message),
          .file = file.str(),
          .line = line,
          .column = 1,
          .sourceLine = quotable(lineOf(source, line))};
}

static fuselage::Diagnostic noteOnListings(StringRef source, StringRef file, ArrayRef<SourceSplit> listings) {
  std::string what = listings.size() == 1 ? "the listing of IR in it is"
                                          : std::to_string(listings.size()) + " listings of IR in it are";
  return noteAt(source, file, listings.front().firstLine,
                "this is a document: " + what + " read, the text around is left out");
}

static fuselage::Diagnostic noteOnDiff(StringRef source, StringRef file) {
  return noteAt(source, file, /*line=*/1,
                "this is a diff: the lines that it adds are read, those that it removes are left out");
}

/// What was read as it stands, with the ops in it that the universal parser made.
static llvm::Expected<ReadResult> countTolerated(llvm::Expected<OwningOpRef<ModuleOp>> module) {
  if (!module)
    return module.takeError();
  ReadResult result{.module = std::move(*module), .diagnostics = {}};
  result.module->walk([&](Operation *op) { result.tolerated += bool(TolerantOp(op)); });
  return result;
}

/// Says what of a file that holds more than bytecode is read.
static fuselage::Diagnostic noteOnEmbedded(const EmbeddedBytecode &embedded, StringRef file) {
  std::string producer = bytecodeProducer(embedded.bytes);
  return {.severity = fuselage::Diagnostic::Severity::Warning,
          .message = "the MLIR bytecode in it" + (producer.empty() ? "" : ", which '" + producer + "' wrote,") +
                     " is read: " + std::to_string(embedded.bytes.size()) + " bytes from byte " +
                     std::to_string(embedded.offset) +
                     "; what is around it, such as the signature that jax.export keeps, is left out",
          .file = file.str()};
}

/// The first of the pieces of a file that can be read, or why the first cannot.
static llvm::Expected<ReadResult> readEmbedded(Session &session, ArrayRef<EmbeddedBytecode> pieces, StringRef name) {
  std::optional<llvm::Error> why;
  for (const EmbeddedBytecode &piece : pieces) {
    llvm::Expected<ReadResult> read = countTolerated(readBytecode(session, piece.bytes, name));
    if (read) {
      if (why)
        llvm::consumeError(std::move(*why));
      read->diagnostics.push_back(noteOnEmbedded(piece, name));
      return read;
    }
    if (why)
      llvm::consumeError(read.takeError());
    else
      why.emplace(read.takeError());
  }
  return std::move(*why);
}

/// Text that is no diff and no bytecode.
static llvm::Expected<ReadResult> readPlainText(Session &session, StringRef source, StringRef bufferName) {
  MLIRContext &context = session.context();
  if (source.empty() || findEncodingProblem(source))
    return countTolerated(session.parse(source, bufferName));
  std::vector<SourceSplit> splits = splitSource(source);
  std::vector<SourceScan> scans = scanSplits(splits);
  if (llvm::any_of(scans, [](const SourceScan &scan) { return scan.tooDeep().has_value(); }))
    return countTolerated(session.parse(source, bufferName)); // which says so
  bool foreign = isForeign(context, scans);
  auto readStrictly = [&] { return countTolerated(parseSplits(context, source, splits, bufferName)); };
  std::optional<llvm::Expected<ReadResult>> strict;
  if (!foreign || splits.empty()) {
    strict.emplace(readStrictly());
    if (*strict || splits.empty())
      return std::move(*strict);
  }
  ReadResult result;
  std::vector<SourceSplit> listings = findListings(source);
  std::vector<SourceScan> listingScans = scanSplits(listings);
  std::vector<TolerantOptions> options(listings.empty() ? splits.size() : listings.size(),
                                       {.isForeign = foreign || !listings.empty()});
  auto readAll = [&] {
    bool isVerified = true;
    result = listings.empty() ? readSplits(context, bufferName, splits, scans, options, isVerified)
                              : readSplits(context, bufferName, listings, listingScans, options, isVerified);
    return isVerified;
  };
  if (isExpendable() || survives(context, source.size(), listings.empty() ? scans : listingScans, options, readAll)) {
    ExpendableLimits limits(readingLimits(source.size()));
    runOnLargeStack([&] { readAll(); });
  }
  if (!result.module) {
    if (!strict)
      strict.emplace(readStrictly());
    return std::move(*strict);
  }
  if (!listings.empty())
    result.diagnostics.insert(result.diagnostics.begin(), noteOnListings(source, bufferName, listings));
  if (strict)
    llvm::consumeError(strict->takeError());
  return result;
}

/// A dump of XLA, whose values have their names already.
static llvm::Expected<ReadResult> readHlo(MLIRContext &context, StringRef source, StringRef bufferName) {
  if (std::optional<fuselage::Diagnostic> problem = findEncodingProblem(source)) {
    problem->file = bufferName.str();
    return fail("cannot open '" + shortPath(bufferName) + "': " + problem->message, {std::move(*problem)});
  }
  ReadResult result;
  std::string warning;
  auto module = importHlo(context, source, bufferName, warning);
  if (!module)
    return module.takeError();
  result.module = std::move(*module);
  if (!warning.empty())
    result.diagnostics.push_back(noteAt(source, bufferName, /*line=*/1, warning));
  return result;
}

llvm::Expected<ReadResult> Session::readText(StringRef source, StringRef bufferName) {
  source.consume_front("\xef\xbb\xbf"); // a UTF-8 byte order mark
  if (isHloText(source))
    return readHlo(context(), source, bufferName);
  if (std::optional<std::string> side = newSideOfDiff(source)) {
    auto read = readText(*side, bufferName);
    if (read)
      read->diagnostics.insert(read->diagnostics.begin(), noteOnDiff(source, bufferName));
    return read;
  }
  std::vector<EmbeddedBytecode> embedded = findEmbeddedBytecode(source);
  bool isText = embedded.empty() && !isBytecode(llvm::MemoryBufferRef(source, bufferName));
  if (std::string what = isText ? describeOtherFormat(source) : ""; !what.empty()) {
    Diagnostic problem = noteAt(source, bufferName, /*line=*/1, what);
    problem.severity = Diagnostic::Severity::Error;
    return fail("cannot open '" + shortPath(bufferName) + "': " + what, {std::move(problem)});
  }
  auto read = isText             ? readPlainText(*this, source, bufferName)
              : embedded.empty() ? countTolerated(readBytecode(*this, source, bufferName))
                                 : readEmbedded(*this, embedded, bufferName);
  if (!read)
    return read;
  if (isText)
    keepValueNames(*read->module, source, bufferName);
  for (fuselage::Diagnostic &diagnostic : breakCycles(*read->module)) {
    diagnostic.sourceLine = isText ? quotable(lineOf(source, diagnostic.line)) : "";
    read->diagnostics.push_back(std::move(diagnostic));
  }
  return read;
}

} // namespace fuselage
