// A place in the document.
#pragma once
#include "app/gui/shell/Centre.h"
#include "views/common/SceneData.h"
#include <optional>

namespace fuselage {

/// An op means the op, a line alone the line and the op that it belongs to.
struct Spot {
  int snapshot = 0;
  NodeId op = noNode;            ///< of the snapshot
  int line = -1;                 ///< of its text, from 0; -1: wherever the op is
  std::optional<View> view = {}; ///< brought to the front; none: the one on screen stays
  bool operator==(const Spot &) const = default;
};

} // namespace fuselage
