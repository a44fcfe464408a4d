#include "core/schedules/script/DeadUses.h"
#include "core/schedules/script/HandleKinship.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

using mlir::transform::TransformOpInterface;

/// Walks through sequences as the interpreter does, and knows what is dead where.
class DeadUses {
public:
  explicit DeadUses(const Script &script) : script_(script) {}

  std::vector<Diagnostic> run() {
    mlir::ModuleOp(*script_.module)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (!mlir::isa<TransformOpInterface>(op))
        return mlir::WalkResult::advance();
      for (mlir::Region &region : op->getRegions())
        walk(region);
      return mlir::WalkResult::skip();
    });
    llvm::stable_sort(found_, [](const Found &a, const Found &b) { return a.op < b.op; });
    std::vector<Diagnostic> diagnostics;
    for (Found &each : found_)
      diagnostics.push_back(std::move(each.diagnostic));
    return diagnostics;
  }

private:
  struct Death {
    mlir::Operation *by = nullptr; ///< null: it is live
    mlir::Value with;              ///< the handle that `by` consumes
    bool isCertain = false;
  };
  struct Found {
    int op;
    Diagnostic diagnostic;
  };
  struct Change {
    mlir::Value handle;
    Death before;
  };

  void set(mlir::Value handle, Death death) {
    Death &now = deaths_[handle];
    changes_.push_back({handle, now});
    now = death;
  }

  /// `handle` is consumed, and with it what may be inside of it. Who is dead already stays as it is.
  void kill(mlir::Operation *by, mlir::Value handle, bool isCertain) {
    if (!deaths_.lookup(handle).isCertain)
      set(handle, {by, handle, isCertain});
    constexpr size_t most = 10'000'000; // nobody writes such a script, but somebody may send it
    if (followed_ > most)
      return;
    for (mlir::Value other : kinship_.inside(handle)) {
      ++followed_;
      if (!deaths_.lookup(other).by)
        set(other, {by, handle, false});
    }
  }

  static bool consumes(mlir::Operation *op, mlir::Value operand) {
    auto transform = mlir::dyn_cast<TransformOpInterface>(op);
    return transform && !mlir::isa<mlir::transform::TransformParamTypeInterface>(operand.getType()) &&
           mlir::transform::isHandleConsumed(operand, transform);
  }

  /// What happened since `mark` may have happened or not.
  void doubt(size_t mark) {
    for (size_t i = mark, end = changes_.size(); i < end; ++i) {
      Change change = changes_[i];
      Death now = deaths_.lookup(change.handle);
      if (now.isCertain && !change.before.isCertain)
        set(change.handle, {now.by, now.with, false});
    }
  }

  /// What the body consumes of what is outside of it, an iteration may find consumed.
  void foresee(mlir::Region &body) {
    body.walk([&](mlir::Operation *op) {
      for (mlir::Value operand : op->getOperands())
        if (!body.isAncestor(operand.getParentRegion()) && consumes(op, operand))
          kill(op, operand, false);
    });
  }

  /// One of the regions runs.
  void walkOneOf(mlir::Operation *op) {
    std::vector<std::pair<mlir::Value, Death>> dead;
    for (mlir::Region &region : op->getRegions()) {
      size_t mark = changes_.size();
      walk(region);
      for (size_t i = changes_.size(); i-- > mark;) {
        dead.push_back({changes_[i].handle, deaths_.lookup(changes_[i].handle)});
        deaths_[changes_[i].handle] = changes_[i].before;
      }
      changes_.resize(mark);
    }
    for (auto &[handle, death] : dead)
      if (death.by && !deaths_.lookup(handle).by)
        set(handle, {death.by, death.with, false});
  }

  void walkInto(mlir::Operation *op) {
    size_t mark = changes_.size();
    if (auto foreach = mlir::dyn_cast<mlir::transform::ForeachOp>(op)) {
      for (auto [argument, target] : llvm::zip(foreach.getBody().getArguments(), foreach.getTargets()))
        kinship_.addPart(argument, target);
      foresee(foreach.getBody());
      walk(foreach.getBody());
      doubt(mark);
    } else if (auto sequence = mlir::dyn_cast<mlir::transform::SequenceOp>(op)) {
      if (sequence.getRoot())
        kinship_.addPart(sequence.getBodyBlock()->getArgument(0), sequence.getRoot());
      walk(sequence.getBody());
      if (sequence.getFailurePropagationMode() == mlir::transform::FailurePropagationMode::Suppress)
        doubt(mark);
    } else {
      walkOneOf(op); // alternatives, and whatever else there is
    }
  }

  void walk(mlir::Region &region) {
    for (mlir::Block &block : region)
      for (mlir::Operation &op : block)
        visit(&op);
  }

  void visit(mlir::Operation *op) {
    if (!mlir::isa<TransformOpInterface>(op) && !op->hasTrait<mlir::OpTrait::IsTerminator>())
      return;
    for (mlir::Value operand : op->getOperands())
      if (Death death = deaths_.lookup(operand); death.by)
        report(op, operand, death);
    for (mlir::Value operand : op->getOperands())
      if (consumes(op, operand)) // a handle to values that holds none lives on
        kill(op, operand, mlir::isa<mlir::transform::TransformHandleTypeInterface>(operand.getType()));
    if (mlir::isa<TransformOpInterface>(op) && op->getNumRegions() > 0)
      walkInto(op);
    kinship_.define(op);
  }

  /// The column of the operand in the op's line; the op's where it stands in another one.
  unsigned columnOf(const ScriptOp &row, llvm::StringRef name) const {
    llvm::StringRef text = row.text;
    size_t start = text.find(row.name);
    if (start == llvm::StringRef::npos && row.name.size() > 10)
      start = text.find(llvm::StringRef(row.name).substr(10)); // "transform." may be left out where it is the default
    for (size_t at = start; at != llvm::StringRef::npos; at = text.find(name, at + 1)) {
      if (!text.substr(at).starts_with(name))
        continue;
      llvm::StringRef behind = text.substr(at + name.size());
      if (behind.empty() || (!llvm::isAlnum(behind.front()) && !llvm::StringRef("_$.-#").contains(behind.front())))
        return row.column + (at - start);
    }
    return row.column;
  }

  static std::string placeOf(const ScriptOp &row) {
    return row.line > 0 ? "line " + std::to_string(row.line) : "'" + row.name + "'";
  }

  void report(mlir::Operation *op, mlir::Value handle, const Death &death) {
    int number = script_.numberOf(op), by = script_.numberOf(death.by);
    if (number < 0 || by < 0)
      return;
    const ScriptOp &use = script_.ops[number], &end = script_.ops[by];
    std::string name = script_.names.lookup(handle), with = script_.names.lookup(death.with);
    bool isItself = handle == death.with;
    Diagnostic diagnostic;
    diagnostic.severity = death.isCertain ? Diagnostic::Severity::Error : Diagnostic::Severity::Warning;
    diagnostic.message = death.isCertain ? name + " is used here, and " + placeOf(end) + " consumed it"
                         : isItself ? name + " may be dead here: " + placeOf(end) + " consumes it where it is reached"
                                    : name + " may be dead here: " + placeOf(end) + " consumes " + with +
                                          ", which may hold an op around it or the same";
    diagnostic.file = use.file;
    diagnostic.line = use.line;
    diagnostic.column = columnOf(use, name);
    Diagnostic note;
    note.severity = Diagnostic::Severity::Note;
    note.message = with + " is consumed here";
    note.file = end.file;
    note.line = end.line;
    note.column = columnOf(end, with);
    diagnostic.notes.push_back(std::move(note));
    found_.push_back({number, std::move(diagnostic)});
  }

  const Script &script_;
  HandleKinship kinship_;
  llvm::DenseMap<mlir::Value, Death> deaths_;
  std::vector<Change> changes_; ///< of deaths_, all so far
  std::vector<Found> found_;
  size_t followed_ = 0; ///< kin, in all
};

} // namespace

std::vector<Diagnostic> predictDeadUses(const Script &script) { return DeadUses(script).run(); }

} // namespace fuselage
