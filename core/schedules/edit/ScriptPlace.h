// What is around the caret of somebody who writes a script.
#pragma once
#include "core/schedules/edit/ScriptTokens.h"
#include <string>

namespace fuselage {

/// A handle, parameter or value handle that may be used; the type is empty where the text does not tell it.
struct ScriptValue {
  std::string name; ///< "%loops#1"
  std::string type;
};

struct ScriptPlace {
  bool isComment = false;
  ScriptToken word;                   ///< that the caret is at the end of; its text is empty where there is none
  bool beginsStatement = false;       ///< an op's name stands here
  std::string op;                     ///< of the statement that the caret is in
  std::vector<ScriptToken> statement; ///< its tokens before the word, without those of its regions
  std::string around;                 ///< the op that the innermost region belongs to; empty: none
  std::vector<ScriptValue> values;    ///< in scope, the nearest last
};

/// Works on text that does not parse: only what is before `caret` counts.
ScriptPlace placeIn(llvm::StringRef text, size_t caret);

} // namespace fuselage
