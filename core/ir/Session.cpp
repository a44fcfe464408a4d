// Opening files: checks first, then MLIR's parser on a large stack, split by split.
#include "core/ir/Session.h"
#include "core/ir/module/Blobs.h"
#include "core/ir/module/MakeContext.h"
#include "core/ir/module/Splits.h"
#include "core/ir/module/TextParser.h"
#include "core/ir/module/UpgradePortable.h"
#include "core/ir/module/VerifySafely.h"
#include "core/ir/source/BytecodeFile.h"
#include "core/ir/source/SourceMap.h"
#include "core/support/Expendable.h"
#include "core/support/LargeStack.h"
#include "core/support/Paths.h"
#include "core/support/TrialRun.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

Session::Session(const DialectRegistry &registry) { context_ = makeContext(registry); }

Session::~Session() {
  // Deeply nested types and locations are torn down recursively.
  runOnLargeStack([this] { context_.reset(); });
}

namespace {

/// Parses the parts of one source.
class SourceParser {
public:
  SourceParser(MLIRContext &context, StringRef name) : context_(context), name_(name) {}

  /// Text that passed findSourceProblem.
  OwningOpRef<ModuleOp> parseText(ArrayRef<SourceSplit> splits);
  OwningOpRef<ModuleOp> parseBytecode(StringRef bytes);
  /// The same where the text may kill the process that parses it; null if it would.
  OwningOpRef<ModuleOp> parseCarefully(StringRef source, ArrayRef<SourceSplit> splits);
  std::vector<Diagnostic> takeErrors() { return std::move(errors_); }

private:
  OwningOpRef<ModuleOp> parseSplit(const SourceSplit &split);
  OwningOpRef<ModuleOp> parseBesideCopy(StringRef source, ArrayRef<SourceSplit> splits);
  void rehearse(StringRef source, ArrayRef<SourceSplit> splits, llvm::raw_ostream &out);
  Diagnostic findKiller(StringRef source, ArrayRef<SourceSplit> splits, const std::string &death);

  MLIRContext &context_;
  std::string name_;
  std::vector<Diagnostic> errors_;
  bool verifies_ = true; ///< what it parses
};

/// The bytes of a copy that has parsed a text, and that has verified it and found nothing wrong.
constexpr char kParsed = 'P', kFine = 'F';

} // namespace

TrialLimits readingLimits(size_t bytes) {
  return {.seconds = static_cast<unsigned>(2 + bytes / (128 << 10)),
          .bytes = (uint64_t(2) << 30) + 64 * bytes,
          .fillsMemory = true};
}

OwningOpRef<ModuleOp> SourceParser::parseSplit(const SourceSplit &split) {
  DiagnosticCapture capture(context_);
  SourceMap map(name_, split);
  OwningOpRef<ModuleOp> module = parseBuffer(context_, split.text, map.bufferName(), verifies_);
  if (module) {
    map.moveLocations(*module);
    return module;
  }
  std::vector<Diagnostic> diagnostics = capture.take();
  map.moveDiagnostics(diagnostics);
  llvm::append_range(errors_, std::move(diagnostics));
  return nullptr;
}

OwningOpRef<ModuleOp> SourceParser::parseText(ArrayRef<SourceSplit> splits) {
  if (splits.size() == 1)
    return parseSplit(splits.front());
  OwningOpRef<ModuleOp> outer = createSplitModule(context_, name_);
  for (const SourceSplit &split : splits)
    if (OwningOpRef<ModuleOp> module = parseSplit(split))
      outer->push_back(module.release());
  return errors_.empty() ? std::move(outer) : nullptr;
}

/// Whether regions nest deeper than MLIR's recursive walks survive. Iterative itself.
static bool nestsTooDeep(ModuleOp module) {
  SmallVector<std::pair<Operation *, unsigned>> pending{{module, 1}};
  while (!pending.empty()) {
    auto [op, depth] = pending.pop_back_val();
    if (depth > kMaxNesting)
      return true;
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        if (nested.getNumRegions())
          pending.push_back({&nested, depth + 1});
  }
  return false;
}

/// Finds out whether printers survive the module. Large data, which may be anywhere but in the text, is left out.
static void printBriefly(ModuleOp module) {
  BriefResources brief(*module.getContext());
  module->print(llvm::nulls(), OpPrintingFlags().elideLargeElementsAttrs().elideLargeResourceString());
}

/// The first byte of what the copy of parseBytecode() sends back.
enum BytecodeVerdict : char { kRead = 'R', kTooDeep = 'D', kRefused = 'E', kNotUpgraded = 'U' };

/// In the copy: reads, and sends the verdict with the module in fresh bytecode, or with MLIR's messages.
static void rewriteBytecode(OwningOpRef<ModuleOp> module, DiagnosticCapture &capture, llvm::raw_ostream &out) {
  if (!module) {
    out << char(kRefused);
    for (const Diagnostic &diagnostic : capture.take())
      out << diagnostic.message << '\0';
  } else if (nestsTooDeep(*module)) {
    out << char(kTooDeep);
  } else {
    printBriefly(*module);
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    if (succeeded(writeBytecodeToFile(*module, os)))
      out << char(kRead) << bytes;
  }
}

/// In the copy: the bytes as they can be read here. A portable artifact is upgraded; empty if it cannot be, which `out`
/// is told.
static std::string readableBytecode(MLIRContext &context, StringRef bytes, StringRef name, llvm::raw_ostream &out) {
  if (!isPortable(bytes))
    return bytes.str();
  llvm::Expected<std::string> upgraded = upgradePortable(context, bytes, name);
  if (upgraded)
    return std::move(*upgraded);
  out << char(kNotUpgraded) << takeFailure(upgraded.takeError()).message;
  return "";
}

/// MLIR's reader trusts the bytes: one flipped bit can make it loop, crash, or write beyond its arrays.
/// So a copy of the process reads them and writes the module anew; only that is read here.
OwningOpRef<ModuleOp> SourceParser::parseBytecode(StringRef bytes) {
  constexpr uint64_t mebibyte = 1 << 20;
  TrialLimits limits{.seconds = static_cast<unsigned>(2 + bytes.size() / (4 * mebibyte)),
                     .bytes = 512 * mebibyte + 64 * bytes.size(),
                     .fillsMemory = true};
  auto refuse = [&](std::string message) {
    errors_.push_back({.message = std::move(message), .file = name_});
    return nullptr;
  };
  std::optional<TrialResult> copy = runInCopy(limits, [&](llvm::raw_ostream &out) {
    DiagnosticCapture capture(context_);
    std::string readable = readableBytecode(context_, bytes, name_, out);
    if (!readable.empty())
      rewriteBytecode(parseBuffer(context_, readable, name_, /*verify=*/true), capture, out);
  });
  std::string producer = bytecodeProducer(bytes);
  if (!producer.empty())
    producer = "; '" + producer + "' wrote it";
  if (!copy)
    return refuse("cannot make a copy of the process to read bytecode in; out of memory or processes?");
  if (copy->death || copy->output.empty())
    return refuse("damaged bytecode: MLIR's reader " + copy->death.value_or("makes no module of it") + producer +
                  "; write it anew");
  StringRef rest = StringRef(copy->output).drop_front();
  if (copy->output.front() == kTooDeep)
    return refuse("regions nest deeper than " + std::to_string(kMaxNesting) + "; flatten them");
  if (copy->output.front() == kNotUpgraded)
    return refuse(rest.str());
  if (copy->output.front() == kRefused) {
    for (StringRef message : llvm::split(rest.rtrim('\0'), '\0'))
      refuse("damaged bytecode: " + message.str() + producer);
    return nullptr;
  }
  DiagnosticCapture capture(context_);
  if (OwningOpRef<ModuleOp> module = parseBuffer(context_, rest, name_, /*verify=*/true))
    return module;
  return refuse("damaged bytecode: what it holds cannot be written anew");
}

/// The place of each op of a module before it is verified, as lines of the text.
static void verifyOpByOp(ModuleOp module, unsigned firstLine, llvm::raw_ostream &progress) {
  module->walk<WalkOrder::PostOrder>([&](Operation *op) {
    SourcePosition position = positionOf(op->getLoc());
    progress << position.line + firstLine - 1 << ' ' << position.column << ' ' << op->getName() << '\n';
    progress.flush();
    (void)verifySafely(op, /*recursively=*/false);
  });
}

/// Prints to nowhere: some printers die of ops that verify. They seldom do, and of a large text they are a third of the
/// time.
static void tryPrinting(ModuleOp module, size_t textBytes) {
  constexpr size_t maxPrinted = 256 << 10;
  if (textBytes <= maxPrinted)
    printBriefly(module);
}

/// In a copy of the process: parses the splits as parseText() will and says so with a byte, and with another that all
/// are verified; small ones are printed, too. What it has made is not taken down: the process ends.
void SourceParser::rehearse(StringRef source, ArrayRef<SourceSplit> splits, llvm::raw_ostream &out) {
  ModuleOp module = parseText(splits).release();
  if (!module)
    return;
  checkHeap();
  out << kParsed;
  out.flush();
  DiagnosticCapture quiet(context_);
  if (failed(verifySafely(module)))
    return;
  tryPrinting(module, source.size());
  out << kFine;
}

/// The Error on a text that kills MLIR: at the op that does, where it is the verifier that dies.
Diagnostic SourceParser::findKiller(StringRef source, ArrayRef<SourceSplit> splits, const std::string &death) {
  Diagnostic diagnostic{.message = "MLIR's parser " + death, .file = name_, .line = 1, .column = 1};
  auto copy = runInCopy(readingLimits(source.size()), [&](llvm::raw_ostream &out) {
    DiagnosticCapture quiet(context_);
    for (const SourceSplit &split : splits)
      if (auto module = parseBuffer(context_, split.text, name_, /*verify=*/false))
        verifyOpByOp(*module, split.firstLine, out);
  });
  if (copy && copy->death && !copy->output.empty()) {
    SmallVector<StringRef> last;
    StringRef places = StringRef(copy->output).rtrim('\n');
    places.substr(places.rfind('\n') + 1).split(last, ' ');
    if (last.size() == 3 && !last[0].getAsInteger(10, diagnostic.line) && !last[1].getAsInteger(10, diagnostic.column))
      diagnostic.message = "MLIR's verifier " + *copy->death + " at this '" + last[2].str() + "'";
  }
  diagnostic.sourceLine = quotable(lineOf(source, diagnostic.line));
  diagnostic.message += "; the text cannot be opened";
  return diagnostic;
}

/// MLIR's parser and verifiers die of some malformed ops, e.g. of an empty group in the reassociation of
/// a tensor.expand_shape. A copy of the process parses the text first. While it verifies what it has parsed, which need
/// not be done again then, the text is parsed here: reading takes about as long as without a copy.
OwningOpRef<ModuleOp> SourceParser::parseBesideCopy(StringRef source, ArrayRef<SourceSplit> splits) {
  OwningOpRef<ModuleOp> module;
  verifies_ = false;
  auto copy = runInCopy(
      readingLimits(source.size()), [&](llvm::raw_ostream &out) { rehearse(source, splits, out); },
      [&] { module = parseText(splits); });
  verifies_ = true;
  if (copy && copy->death) {
    errors_.push_back(findKiller(source, splits, *copy->death));
    return nullptr;
  }
  if (copy && copy->output == std::string{kParsed, kFine})
    return module;
  module = nullptr; // what is wrong is said by who verifies
  errors_.clear();
  return parseText(splits);
}

OwningOpRef<ModuleOp> SourceParser::parseCarefully(StringRef source, ArrayRef<SourceSplit> splits) {
  if (!isExpendable())
    return parseBesideCopy(source, splits);
  ExpendableLimits limits(readingLimits(source.size()));
  OwningOpRef<ModuleOp> module = parseText(splits);
  if (module)
    tryPrinting(*module, source.size());
  return module;
}

/// The Failure for a file that did not open.
static llvm::Error cannotOpen(StringRef name, std::vector<Diagnostic> errors) {
  std::string message = "cannot open '" + shortPath(name) + "'";
  auto isError = [](const Diagnostic &each) { return each.severity == Diagnostic::Severity::Error; };
  auto first = llvm::find_if(errors, isError); // warnings may stand before it
  size_t count = llvm::count_if(errors, isError);
  if (count > 0)
    message += ": " + (count > 1 ? std::to_string(count) + " errors, the first: " : "") + first->message;
  return fail(std::move(message), std::move(errors));
}

/// The Failure for a file about which there is one thing to say.
static llvm::Error cannotOpen(StringRef name, std::string message) {
  return cannotOpen(name, {{.message = std::move(message), .file = name.str()}});
}

/// What `parse` makes of a source, on a large stack, or why it makes nothing.
static llvm::Expected<OwningOpRef<ModuleOp>> openWith(MLIRContext &context, StringRef name,
                                                      llvm::function_ref<OwningOpRef<ModuleOp>(SourceParser &)> parse) {
  SourceParser parser(context, name);
  OwningOpRef<ModuleOp> module;
  runOnLargeStack([&] { module = parse(parser); });
  if (module)
    return module;
  std::vector<Diagnostic> errors = parser.takeErrors();
  if (errors.empty())
    return cannotOpen(name, "the parser refused it without saying why");
  return cannotOpen(name, std::move(errors));
}

llvm::Expected<OwningOpRef<ModuleOp>> parseSplits(MLIRContext &context, StringRef source, ArrayRef<SourceSplit> splits,
                                                  StringRef bufferName) {
  if (splits.empty())
    return cannotOpen(bufferName, "the file holds no IR, only blanks and comments");
  return openWith(context, bufferName,
                  [&](SourceParser &parser) -> OwningOpRef<ModuleOp> { return parser.parseCarefully(source, splits); });
}

llvm::Expected<OwningOpRef<ModuleOp>> Session::parse(StringRef source, StringRef bufferName) {
  if (source.empty())
    return cannotOpen(bufferName, "the file is empty; expected MLIR text or bytecode");
  if (isBytecode(llvm::MemoryBufferRef(source, bufferName)))
    return openWith(*context_, bufferName, [&](SourceParser &parser) { return parser.parseBytecode(source); });
  if (std::optional<Diagnostic> problem = findSourceProblem(source)) {
    problem->file = bufferName.str();
    return cannotOpen(bufferName, {std::move(*problem)});
  }
  return parseSplits(*context_, source, splitSource(source), bufferName);
}

llvm::Expected<OwningOpRef<ModuleOp>> Session::open(StringRef path) {
  auto file = loadSource(path);
  if (!file)
    return file.takeError();
  return parse(file->text, file->name);
}

} // namespace fuselage
