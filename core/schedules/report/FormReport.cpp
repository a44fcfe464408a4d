#include "core/schedules/report/FormReport.h"
#include "core/ir/module/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

static message::FormVerdict<> verdictOn(mlir::FunctionOpInterface function, const NormalForm &form) {
  constexpr size_t shown = 5;
  message::FormVerdict<> verdict;
  verdict.function = function.getName().str();
  verdict.form = form.name;
  std::vector<FormBreach> breaches = checkForm(form, function);
  verdict.holds = breaches.empty();
  verdict.breaches = static_cast<int>(breaches.size());
  for (size_t i = 0; i < std::min(shown, breaches.size()); ++i) {
    message::FormBreach<> &first = verdict.first.emplace_back();
    first.op = breaches[i].op->getName().getStringRef().str();
    first.why = breaches[i].why;
    first.line = static_cast<int>(positionOf(breaches[i].op->getLoc()).line);
  }
  return verdict;
}

message::FormReport<> formReport(mlir::ModuleOp module, const FormSet &forms) {
  message::FormReport<> report;
  module.walk([&](mlir::FunctionOpInterface function) {
    if (!function.isExternal())
      for (const NormalForm *form : forms.all())
        report.verdicts.push_back(verdictOn(function, *form));
  });
  return report;
}

std::string formatForms(const message::FormReport<> &report) {
  std::string text, function;
  for (const message::FormVerdict<> &verdict : report.verdicts) {
    if (verdict.function != function)
      text += (text.empty() ? "@" : "\n@") + verdict.function + "\n";
    function = verdict.function;
    text += (verdict.holds ? "  yes  " : "  no   ") + verdict.form + "\n";
    for (const message::FormBreach<> &breach : verdict.first)
      text += "         " + (breach.line > 0 ? "line " + std::to_string(breach.line) + ": " : std::string()) +
              breach.why + "\n";
    if (size_t rest = verdict.breaches - verdict.first.size(); rest > 0)
      text += "         and " + std::to_string(rest) + " more\n";
  }
  return text.empty() ? "there is no function with a body\n" : text;
}

std::string formatColumn(const std::vector<message::LineForms<>> &lines, const Script &script) {
  std::string text;
  for (const message::LineForms<> &line : lines) {
    auto op = llvm::find_if(script.ops, [&](const ScriptOp &each) {
      return static_cast<int>(each.line) == line.line && each.file == script.path;
    });
    std::string forms = llvm::join(line.forms, ", ");
    text += llvm::formatv("{0,5}  {1,-28} ", line.line, forms).str() + (op == script.ops.end() ? "" : op->text) + "\n";
  }
  return text.empty() ? text : "\n line  known to hold               before\n" + text;
}

} // namespace fuselage
