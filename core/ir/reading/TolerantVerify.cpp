// What a reading does about ops that parse and that the verifier refuses.
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/module/VerifySafely.h"
#include "core/ir/reading/Completion.h"
#include "core/ir/reading/GapOperands.h"
#include "core/ir/reading/TolerantReading.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

bool TolerantReader::completeBlocks(ModuleOp module) {
  return fuselage::completeBlocks(module, [&](Operation *last) {
    SourcePosition position = positionOf(last->getLoc());
    if (position.file == bufferName_)
      report_.say(Severity::Error,
                  edited_.toOriginal(LineTable(edited_.text()).offsetOf({position.line, position.column})),
                  "a terminator should follow '" + displayName(last) + "'");
  });
}

/// Says of each op where it stands before it is verified.
void TolerantReader::verifyOpByOp(ModuleOp module) {
  LineTable lines(edited_.text());
  module.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (SourcePosition position = positionOf(op->getLoc()); position.file == bufferName_) {
      *options_.progress << edited_.toOriginal(lines.offsetOf({position.line, position.column})) << '\n';
      options_.progress->flush();
    }
    (void)verifySafely(op, /*recursively=*/false);
  });
}

bool TolerantReader::verifies(ModuleOp module) {
  if (options_.isVerified)
    return true;
  DiagnosticCapture capture(context_);
  if (options_.progress)
    verifyOpByOp(module);
  bool isFine = succeeded(verifySafely(module));
  isRefused_ |= !isFine;
  return isFine;
}

/// A value that is used before it is defined: the use is a gap, whose operands nobody asks for. (The
/// verifier blames the op around it, at the place of the use.)
bool TolerantReader::makeGapOfEarlyUse(const fuselage::Diagnostic &diagnostic) {
  if (!StringRef(diagnostic.message).contains("does not dominate") || diagnostic.file != bufferName_)
    return false;
  size_t at = edited_.toOriginal(LineTable(edited_.text()).offsetOf({diagnostic.line, diagnostic.column}));
  int32_t op = scan_.opAt(at);
  if (op < 0 || plan_.isInGap(op))
    return false;
  plan_.makeGap(op);
  demotions_.push_back({op, diagnostic.message, at});
  return true;
}

/// Where the op stands in the split; nullopt if it is not in its text.
std::optional<size_t> TolerantReader::offsetOf(Operation *op) const {
  SourcePosition position = positionOf(op->getLoc());
  if (position.file != bufferName_)
    return std::nullopt;
  return edited_.toOriginal(LineTable(edited_.text()).offsetOf({position.line, position.column}));
}

/// Values that a function uses, but only a later one defines: MLIR's parser takes the name for the later
/// one's. They are undefined where they are used.
bool TolerantReader::defineCaptured(Operation *isolated) {
  bool isNew = false;
  isolated->walk([&](Operation *user) {
    for (Value operand : user->getOperands()) {
      auto result = dyn_cast<OpResult>(operand);
      if (user == isolated || !result || isolated->isAncestor(result.getOwner()))
        continue;
      std::optional<size_t> use = offsetOf(user), definition = offsetOf(result.getOwner());
      int32_t op = use ? scan_.opAt(*use) : -1, defining = definition ? scan_.opAt(*definition) : -1;
      if (op < 0 || defining < 0)
        continue;
      StringRef name = resultsOf(scan_, scan_.ops()[defining]);
      if (name.contains(',') || name.contains(':') || !plan_.defineUndefined(name, plan_.scopeOf(op)))
        continue;
      isNew = true;
      if (!plan_.isArgumentOfHeader(name, plan_.scopeOf(op)))
        report_.say(Severity::Error, *use, ("use of undeclared SSA value name '" + name + "'").str());
    }
  });
  return isNew;
}

/// Finds all ops that the verifier refuses.
bool TolerantReader::demoteUnverified(ModuleOp module) {
  bool changed = renameSecondSymbols(module, [&](Operation *op, StringRef name) {
    auto place = places_.find(op);
    if (place != places_.end())
      report_.say(Severity::Error, edited_.toOriginal(place->second), "a second definition of '@" + name.str() + "'");
  });
  // Each by itself first; then with what is in its regions.
  return changed || demoteUnverified(module, /*recursively=*/false) || demoteUnverified(module, /*recursively=*/true);
}

/// Where the op stands that is refused: what is wrong with a module is wrong in it (a call of a function
/// that is in no symbol table, say).
std::optional<size_t> TolerantReader::placeOfRefusal(Operation *op, ArrayRef<fuselage::Diagnostic> diagnostics) const {
  auto isModule = [&](size_t at) {
    int32_t index = scan_.opAt(at);
    return index >= 0 && scan_.ops()[index].parent < 0 && scan_.nameOf(scan_.ops()[index]).ends_with("module");
  };
  auto place = places_.find(op);
  if (place != places_.end())
    if (size_t at = edited_.toOriginal(place->second); !isModule(at))
      return at;
  if (!isa<ModuleOp>(op) || diagnostics.empty() || diagnostics.front().file != bufferName_)
    return std::nullopt;
  size_t at =
      edited_.toOriginal(LineTable(edited_.text()).offsetOf({diagnostics.front().line, diagnostics.front().column}));
  return isModule(at) ? std::nullopt : std::optional(at);
}

/// Innermost first; what is around a refused op is not asked.
bool TolerantReader::demoteUnverified(ModuleOp module, bool recursively) {
  llvm::SmallPtrSet<Operation *, 16> refused;
  bool changed = false;
  module.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (!refused.contains(op)) {
      DiagnosticCapture capture(context_);
      if ((recursively && op->getNumRegions() == 0) || succeeded(verifySafely(op, recursively)))
        return;
      auto diagnostics = capture.take();
      bool isCaptured =
          !diagnostics.empty() && StringRef(diagnostics.front().message).contains("defined outside the region");
      if ((isCaptured && defineCaptured(op)) || (!diagnostics.empty() && makeGapOfEarlyUse(diagnostics.front()))) {
        changed = true;
        refused.insert(op);
      }
      std::optional<size_t> place = refused.contains(op) ? std::nullopt : placeOfRefusal(op, diagnostics);
      if (place) {
        size_t at = *place;
        int32_t index = scan_.opAt(at);
        std::string message = diagnostics.empty() ? "does not verify" : diagnostics.front().message;
        if (index >= 0 && !plan_.isInGap(index)) {
          if (parses_ > kFineParses)
            demoteUnit(index);
          changed |= demoteOp(index, message, at) || parses_ > kFineParses;
          // What a terminator ends is of that version, too.
          int32_t around = scan_.ops()[index].parent;
          if (around >= 0 && isTerminatorName(scan_.nameOf(scan_.ops()[index])) && plan_.hasTwin(around) &&
              (plan_.form(around) == OpForm::Written || plan_.form(around) == OpForm::Modern) &&
              !isFunctionName(scan_.nameOf(scan_.ops()[around])))
            demoteOp(around, message, at);
        } else if (index >= 0 && scan_.ops()[index].parent >= 0) {
          changed |= demoteOp(scan_.ops()[index].parent, message, at);
        }
      }
    }
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      refused.insert(around);
  });
  return changed;
}

} // namespace fuselage
