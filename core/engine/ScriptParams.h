// How a request says that a script is to be opened.
#pragma once
#include "core/engine/Rpc.h"
#include "core/schedules/script/Script.h"

namespace fuselage {

/// `libraries`, `entry` and `arguments` of the parameters.
inline ScriptOptions scriptOptions(Params &params) {
  ScriptOptions options;
  options.libraries = params.strings("libraries");
  options.entry = params.string("entry", "");
  options.arguments = params.texts("arguments");
  return options;
}

} // namespace fuselage
