#include "app/cli/Activity.h"
#include "core/ir/Session.h"
#include "core/plugins/Plugins.h"
#include "core/schedules/script/Script.h"
#include "core/trace/TraceLog.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <sys/mman.h>

namespace fuselage::cli {

namespace {
/// In memory that survives the process that writes to it.
struct SharedActivity {
  char what[1024];
  int64_t step;
  bool isHidden;
  bool mayRepeat;
  bool isRepeatable;
};
SharedActivity *shared = nullptr;
constexpr llvm::StringLiteral kLineOfSchedule = "running line ";
} // namespace

void shareActivity() {
  void *memory = mmap(nullptr, sizeof(SharedActivity), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  shared = static_cast<SharedActivity *>(memory);
  shared->step = -1;
}

Activity lastActivity() {
  if (!shared)
    return {};
  Activity last{.what = std::string(shared->what, strnlen(shared->what, sizeof shared->what)),
                .isHidden = shared->isHidden,
                .isRepeatable = shared->isRepeatable};
  if (shared->step >= 0)
    last.step = static_cast<unsigned>(shared->step);
  return last;
}

/// Without how far it is: "compiling for host" of "compiling for host, 6 of 10".
static llvm::StringRef withoutCount(llvm::StringRef what) {
  auto [name, count] = what.rsplit(", ");
  return !count.empty() && llvm::isDigit(count.front()) && count.contains(" of ") ? name : what;
}

void traceActivity(llvm::StringRef what) {
  what = withoutCount(what);
  static TraceEvent current; // of the empty name: nothing
  TraceLog *log = traceLog();
  if (!log || current.name == what)
    return;
  if (!current.name.empty()) {
    current.duration = log->now() - current.start;
    log->add(current);
  }
  current = {.category = "activity", .name = what.str(), .start = log->now(), .thread = log->track("activity")};
}

/// setActivity() for the supervisor alone.
static void show(llvm::StringRef what) {
  if (!shared)
    return;
  what = what.take_front(sizeof shared->what - 1);
  std::memcpy(shared->what, what.data(), what.size());
  shared->what[what.size()] = '\0';
}

void setActivity(llvm::StringRef what) {
  traceActivity(what);
  show(what);
}

void hideActivity() {
  if (shared)
    shared->isHidden = true;
}

void allowRepeating(bool isAllowed) {
  if (!shared)
    return;
  shared->mayRepeat = isAllowed;
  shared->isRepeatable = false;
}

RepeatableScope::RepeatableScope() {
  if (!shared || !shared->mayRepeat)
    return;
  expendable_.emplace();
  shared->isRepeatable = true;
}

RepeatableScope::~RepeatableScope() {
  if (expendable_)
    shared->isRepeatable = false;
}

void setActiveStep(std::optional<unsigned> step) {
  if (shared)
    shared->step = step ? int64_t(*step) : -1;
}

void showRun(unsigned done, unsigned total, llvm::StringRef what) {
  traceActivity(what);
  show((what + ", " + llvm::Twine(done) + " of " + llvm::Twine(total)).str());
}

void nameStep(unsigned step, const ScriptOp &op) {
  show(kLineOfSchedule.str() + std::to_string(op.line) + " of the schedule: " + op.text);
  setActiveStep(step);
}

/// "pass 'canonicalize' on 'func.func' @main at x.mlir:3:1".
static std::string describePass(const mlir::Pass &pass, mlir::Operation *op) {
  std::string text = "pass '" + pass.getArgument().str() + "'";
  if (const Plugin *plugin = pluginOfPass(pass.getArgument()))
    text += " of " + describePlugin(*plugin);
  text += " on '" + op->getName().getStringRef().str() + "'";
  if (auto symbol = op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName()))
    text += " @" + symbol.getValue().str();
  if (std::string place = formatPosition(positionOf(op->getLoc())); !place.empty())
    text += " at " + place;
  return text;
}

void watchPasses(mlir::MLIRContext &context) {
  if (!shared && !traceLog())
    return;
  context.registerActionHandler([](llvm::function_ref<void()> run, const mlir::tracing::Action &action) {
    const auto *execution = llvm::dyn_cast<mlir::PassExecutionAction>(&action);
    // The adaptors around passes are passes without an argument.
    if (!execution || execution->getPass().getArgument().empty())
      return run();
    std::string before = lastActivity().what;
    std::string pass = describePass(execution->getPass(), execution->getOp());
    show(llvm::StringRef(before).starts_with(kLineOfSchedule) ? before + ", in " + pass : pass);
    TraceScope scope("pass", execution->getPass().getArgument());
    if (scope)
      scope.arg("on", pass);
    run();
    show(before);
  });
}

} // namespace fuselage::cli
