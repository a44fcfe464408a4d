// What later releases of LLVM write beside the dictionary of attributes, in it.
#pragma once
#include "core/ir/source/OpText.h"

namespace fuselage {

/// From LLVM 24 on the attributes that an op defines stand outside of its dictionary: `alignment = 64`,
/// `alignment(64)`, `apply_cleanup`, `<{alignment = 64}>` or `<alignment = 64>`. Adds the edits that put those of
/// `names` into the dictionary, where the parser takes them. False: the op has none.
bool spellPropertiesAsAttributes(const OpText &op, llvm::ArrayRef<llvm::StringRef> names, SourceEdits &edits);

} // namespace fuselage
