#include "core/schedules/write/ActionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

std::string listed(llvm::ArrayRef<int64_t> numbers) {
  return llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }), ", ");
}

std::string anyOps(unsigned count) { return llvm::join(std::vector<std::string>(count, "!transform.any_op"), ", "); }

static llvm::Error match(ActionWriter &writer) {
  size_t before = writer.lines().size();
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  return writer.lines().size() == before ? fail("the handle " + handle->name + " holds it already")
                                         : llvm::Error::success();
}

static llvm::Error annotate(ActionWriter &writer) {
  auto handle = writer.handleOf(writer.op);
  if (!handle)
    return handle.takeError();
  llvm::StringRef name = writer.text("name");
  if (name.empty() || name.contains('"') || name.contains('\\'))
    return fail("'name' is the name of the attribute to put on the op");
  writer.line("transform.annotate " + handle->name + " \"" + name.str() + "\" : " + handle->type);
  return llvm::Error::success();
}

const std::vector<ScheduleAction> &scheduleActions() {
  static const std::vector<ScheduleAction> all = [] {
    std::vector<ScheduleAction> actions = structuredActions();
    for (auto part : {loopActions, moduleActions})
      for (const ScheduleAction &action : part())
        actions.push_back(action);
    auto always = [](mlir::Operation *) { return std::string(); };
    actions.push_back({"annotate", "Mark", "Puts an attribute on the op, by which it can be found later.", always,
                       [](mlir::Operation *) {
                         return std::vector<ActionOption>{{"name", "Attribute", "Its name.", "schedule.mark"}};
                       },
                       annotate});
    actions.push_back(
        {"match", "Find", "A handle to the op, for lines that are written by hand.", always, noOptions, match});
    return actions;
  }();
  return all;
}

const ScheduleAction *findAction(llvm::StringRef name) {
  auto found = llvm::find_if(scheduleActions(), [&](const ScheduleAction &action) { return action.name == name; });
  return found == scheduleActions().end() ? nullptr : &*found;
}

} // namespace fuselage
