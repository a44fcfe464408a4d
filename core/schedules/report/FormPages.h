// Help on normal forms.
#pragma once
#include "core/protocol/Schedules.h"
#include "core/schedules/forms/NormalForm.h"

namespace fuselage {

/// The page of a built-in form, as Markdown: what it is, an example that is in it and one that is not; and, from the
/// tables, what it implies, which transforms expect, leave and keep it, and its normalizers.
std::string formPage(const NormalForm &form);

/// The pages of all built-in forms, in the order of normalForms().
message::FormHelps<> formHelps();

} // namespace fuselage
