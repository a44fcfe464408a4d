// Which normal forms the functions of a module are in.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/forms/NormalForm.h"
#include "core/schedules/script/Script.h"

namespace fuselage {

/// Every function with a body and every form, in the order of FormSet::all().
message::FormReport<> formReport(mlir::ModuleOp module, const FormSet &forms = {});

/// As lines: forms that hold, and the first breaches of those that do not.
std::string formatForms(const message::FormReport<> &report);

/// The column of forms beside the lines of the script; empty where there are none.
std::string formatColumn(const std::vector<message::LineForms<>> &lines, const Script &script);

} // namespace fuselage
