#include "core/stepping/record/Snapshot.h"
#include "core/ir/module/VerifySafely.h"
#include "core/ir/ops/ValueNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

Snapshot::Snapshot(OwningOpRef<ModuleOp> module)
    : module_(std::make_shared<OwningOpRef<ModuleOp>>(std::move(module))) {}

Snapshot::Snapshot(OwningOpRef<ModuleOp> module, InStep) : invalid_(std::move(module)), isUnverified_(true) {}

Snapshot::Snapshot(Session &session, DumpText text) : session_(&session), text_(std::move(text)) {}

/// Blanks out ` loc(...)` after ops and arguments, column by column, so that ops get the places they
/// stand at. False: there is none.
static bool blankLocations(std::string &text) {
  bool found = false;
  for (size_t at = text.find(" loc("); at != std::string::npos; at = text.find(" loc(", at)) {
    int depth = 0;
    bool inString = false;
    size_t end = at + strlen(" loc");
    for (; end < text.size(); ++end) {
      char c = text[end];
      if (inString && c == '\\')
        ++end;
      else if (c == '"')
        inString = !inString;
      else if (!inString && (depth += (c == '(') - (c == ')')) == 0)
        break;
    }
    end = std::min(end + 1, text.size());
    // `#loc3 = loc(...)` defines one; it may stay.
    bool isDefinition = StringRef(text).take_front(at).ends_with(" =");
    for (size_t i = at; i < end && !isDefinition; ++i)
      if (text[i] != '\n')
        text[i] = ' ';
    found |= !isDefinition;
    at = end;
  }
  return found;
}

llvm::Error Snapshot::parseText(const std::string &text) const {
  DiagnosticCapture capture(session_->context());
  auto result = session_->readText(text, text_.path());
  if (!result)
    return result.takeError();
  module_ = std::make_shared<OwningOpRef<ModuleOp>>(std::move(result->module));
  diagnostics_ = capture.take();
  llvm::append_range(diagnostics_, std::move(result->diagnostics));
  gaps_ = result->gaps;
  tolerated_ = result->tolerated;
  return llvm::Error::success();
}

void Snapshot::verifyInStep() const {
  if (!std::exchange(isUnverified_, false))
    return;
  leaveNamesToValues(*invalid_);
  DiagnosticCapture capture(*invalid_->getContext());
  if (succeeded(verifyQuickly(*invalid_))) {
    module_ = std::make_shared<OwningOpRef<ModuleOp>>(std::move(invalid_));
    return;
  }
  std::vector<Diagnostic> said = capture.take();
  problem_ = "this IR, in the middle of a step, does not verify" + (said.empty() ? "" : ": " + said.front().message);
}

const std::string &Snapshot::problem() const {
  parse();
  return problem_;
}

void Snapshot::parse() const {
  verifyInStep();
  if (!isDump() || module_ || wasParsed_)
    return;
  wasParsed_ = true;
  auto text = text_.placed();
  llvm::Error error = text ? llvm::Error::success() : text.takeError();
  if (!error) {
    if (StringRef(*text).trim().empty())
      error = fail("no IR was dumped here");
    else
      error = parseText(*text);
  }
  if (!error)
    return;
  Failure failure = takeFailure(std::move(error));
  problem_ = std::move(failure.message);
  diagnostics_ = std::move(failure.diagnostics);
}

ModuleOp Snapshot::module() const {
  parse();
  return module_ ? module_->get() : ModuleOp();
}

llvm::Expected<ModuleOp> Snapshot::parsed() const {
  if (ModuleOp known = module())
    return known;
  return fail(problem_, diagnostics_);
}

/// The line of the file that an op stands on, as far as its location is one in that file.
static std::optional<unsigned> lineIn(StringRef file, Operation *op) {
  auto place = dyn_cast<FileLineColRange>(placeOf(op->getLoc()));
  if (!place || place.getFilename() != file || place.getStartLine() == 0)
    return std::nullopt;
  return place.getStartLine();
}

void Snapshot::locateOps() const {
  ModuleOp known = module();
  isLocated_ = true;
  if (!known)
    return;
  auto shownLine = [&](Operation *op) -> std::optional<unsigned> {
    std::optional<unsigned> line = lineIn(text_.path(), op);
    return line ? text_.shownLine(*line) : std::nullopt;
  };
  // A dump with locations hides where its ops stand: read it once more without them, and go by the
  // order of the ops.
  hasPlaces_ = false;
  OwningOpRef<ModuleOp> bare;
  if (auto text = text_.placed()) {
    if (blankLocations(*text)) {
      hasPlaces_ = true;
      if (auto again = session_->readText(*text, text_.path()))
        bare = std::move(again->module);
      else
        llvm::consumeError(again.takeError());
    }
  } else {
    llvm::consumeError(text.takeError());
  }
  if (!bare)
    return printed_->locate(known, shownLine);
  std::vector<std::optional<unsigned>> lines;
  bare->walk<WalkOrder::PreOrder>([&](Operation *op) { lines.push_back(shownLine(op)); });
  llvm::DenseMap<Operation *, unsigned> numbers;
  known->walk<WalkOrder::PreOrder>([&](Operation *op) { numbers.try_emplace(op, numbers.size()); });
  printed_->locate(known, [&](Operation *op) -> std::optional<unsigned> {
    unsigned number = numbers.lookup(op);
    return number < lines.size() ? lines[number] : std::nullopt;
  });
}

bool Snapshot::hasPlaces() const {
  if (!isDump())
    return true;
  printed();
  return hasPlaces_;
}

std::optional<unsigned> Snapshot::lineOf(const Diagnostic &diagnostic) const {
  if (!isDump() || diagnostic.line == 0 || diagnostic.file != text_.path())
    return std::nullopt;
  return text_.shownLine(diagnostic.line);
}

const PrintedModule &Snapshot::lines() const {
  if (printed_)
    return *printed_;
  if (!isDump())
    return printed();
  auto text = text_.shown();
  std::string shown = text ? std::move(*text) : "// " + takeFailure(text.takeError()).message + "\n";
  printed_ = std::make_unique<PrintedModule>(std::move(shown));
  return *printed_;
}

void Snapshot::printInvalid() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  invalid_->print(os, OpPrintingFlags().printGenericOpForm().elideLargeElementsAttrs().elideLargeResourceString());
  printed_ = std::make_unique<PrintedModule>(std::move(text));
  invalid_ = {};
}

const PrintedModule &Snapshot::printed() const {
  if (!isDump()) {
    verifyInStep();
    if (invalid_)
      printInvalid();
    else if (!printed_)
      printed_ = std::make_unique<PrintedModule>(module_->get());
    return *printed_;
  }
  lines();
  if (!isLocated_)
    locateOps();
  return *printed_;
}

void Snapshot::releaseText() const {
  if (isTextAlone())
    return;
  printed_.reset();
  isLocated_ = false;
}

void Snapshot::releaseModule() const {
  if (!isDump())
    return;
  module_.reset();
  wasParsed_ = false;
}

} // namespace fuselage
