// The rewrite that a watch is noting. Internal to core/rewrites.
#pragma once
#include "core/rewrites/Rewrites.h"

namespace fuselage {

/// The rewrite that is going on, if one is. Most come to nothing, so that it keeps its memory for the next.
class OpenRewrite {
public:
  explicit operator bool() const { return isOpen_; }
  Rewrite *operator->() { return &rewrite_; }
  Rewrite &operator*() { return rewrite_; }
  void open(RewriteKind kind, unsigned pass);
  void reset() { isOpen_ = false; }
  Rewrite take() {
    isOpen_ = false;
    return std::move(rewrite_);
  }

private:
  Rewrite rewrite_;
  bool isOpen_ = false;
};

} // namespace fuselage
