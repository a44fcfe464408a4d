// How a request says that a script is to be opened.
#pragma once
#include "core/protocol/methods/ScriptSource.h"
#include "core/schedules/script/Script.h"

namespace fuselage {

inline ScriptOptions scriptOptions(const method::ScriptOptions<message::StdTypes> &options) {
  return {.libraries = options.libraries, .entry = options.entry, .arguments = options.arguments, .piece = {}};
}

} // namespace fuselage
