#include "core/rewrites/OpenRewrite.h"

namespace fuselage {

void OpenRewrite::open(RewriteKind kind, unsigned pass) {
  rewrite_.kind = kind;
  rewrite_.pattern = 0;
  rewrite_.pass = pass;
  rewrite_.root = -1;
  rewrite_.function = 0;
  rewrite_.inserted.clear();
  rewrite_.erased.clear();
  rewrite_.modified.clear();
  rewrite_.ordinal = rewrite_.functionOrdinal = 0;
  rewrite_.attempt = ~0u;
  rewrite_.inConversion = false;
  rewrite_.end = RewriteEnd::AtOnce;
  rewrite_.microseconds.reset();
  isOpen_ = true;
}

} // namespace fuselage
