// A script's own text with values selected in it.
#pragma once
#include "core/schedules/script/Script.h"
#include <optional>

namespace fuselage {

/// `source`, the text that `script` was opened from, without libraries, with what is selected in its knobs and
/// alternatives now: comments and layout stay. nullopt: it is no text (bytecode), spells them in another way (the
/// generic form), or would not be the same script; print it then.
std::optional<std::string> withSelection(Session &session, const Script &script, llvm::StringRef source);

} // namespace fuselage
