// The normal forms that scripts speak of.
#pragma once
#include "core/schedules/forms/FormSet.h"

namespace fuselage {

/// A Failure, with the op, where transform.fuselage.check_form, or `fuselage.requires` or `fuselage.ensures` of a named
/// sequence, names a form that there is none of.
llvm::Error refuseUnknownForms(mlir::ModuleOp script, const FormSet &forms);

} // namespace fuselage
