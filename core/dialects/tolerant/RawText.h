// Looking ahead in the text of an op. A parser's buffer ends with a NUL: every scan stops there.
#pragma once
#include "core/support/NameChars.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

inline bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The first character that is neither white space nor comment.
const char *skipSpace(const char *c);
/// The op name or keyword at `c`; empty if none starts there.
llvm::StringRef wordAt(const char *c);
/// After the name that starts after the sign at `c`: `%name`, `^name`, `@name`, `#name`, `!name`.
const char *endOfName(const char *c);
/// After the string that starts at `c`, which a line's end ends as well.
const char *endOfString(const char *c);
/// After the bracket that closes the one at `c`; null if none does.
const char *endOfBracket(const char *c);
/// Whether nothing but blanks stands before `c` on its line.
bool startsLine(const char *begin, const char *c);
/// How many blanks the line of `c` starts with; `begin` starts that line or one before it that `c` is
/// the first text after.
unsigned indentOf(const char *begin, const char *c);
/// Whether the number at `c` has a point.
bool startsFloat(const char *c);

/// Whether `%a, %b:2 =` starts at `c`.
bool startsResultList(const char *c);
/// Whether a builtin type starts at `c` (those of dialects start with '!').
bool startsBuiltinType(const char *c);
/// Whether the text has `#name` or `!name` without a dot or '<': the name of an alias.
bool mentionsAlias(llvm::StringRef text);
/// Whether an op of this name ends a block, as far as a name tells: `x.return`, `x.warp_yield`, `x.end`.
bool looksLikeTerminator(llvm::StringRef opName);
/// Whether the word is a terminator where it stands alone in braces, rather than an attribute's key.
bool isLoneTerminator(llvm::StringRef word);
/// The text with each line break and the blanks around it as one blank.
std::string joinLines(llvm::StringRef text);

} // namespace fuselage
