#include "core/graph/Palette.h"
#include <iterator>

namespace fuselage {

// Twelve hues, 30 degrees apart, stepped by 150 degrees so that neighbours in number are far apart.
static constexpr Ink dispatchInks[] = {
    {"#dbe9ff", "#2f6fd0"}, {"#ffe7c7", "#b86a00"}, {"#d8f3dc", "#2b8a3e"}, {"#fbdcee", "#c2408c"},
    {"#d3f2f4", "#0f7f8c"}, {"#fff3b8", "#8f7300"}, {"#e6dfff", "#6b4fd0"}, {"#e6f5c4", "#5f8700"},
    {"#ffdcd8", "#c9433a"}, {"#d5ecff", "#1779b8"}, {"#f4dcfb", "#9a3fc0"}, {"#d1f5e6", "#0c8560"}};

Ink dispatchInk(int dispatch) {
  constexpr int count = std::size(dispatchInks);
  return dispatchInks[((dispatch % count) + count) % count];
}

Ink kindInk(NodeKind kind) {
  switch (kind) {
  case NodeKind::Compute:
    return {"#e7ecf2", "#57606a"};
  case NodeKind::Dispatch:
  case NodeKind::Call:
    return {"#dbe9ff", "#2f6fd0"};
  case NodeKind::Argument:
  case NodeKind::Return:
    return {"#eef1f4", "#424a53"};
  case NodeKind::Constant:
  case NodeKind::Empty:
    return {"#faf6e8", "#8a7a3a"};
  case NodeKind::Control:
    return {"#f3eef9", "#7a5ea8"};
  case NodeKind::Gap:
    return {"#ffebe9", "#b42318"};
  case NodeKind::Reshape:
  case NodeKind::Slice:
  case NodeKind::Other:
    return {"#ffffff", "#7d8590"};
  }
  return {"#ffffff", "#7d8590"};
}

Ink nodeInk(int dispatch, NodeKind kind) {
  return dispatch >= 0 && kind != NodeKind::Gap ? dispatchInk(dispatch) : kindInk(kind);
}

Ink clusterInk(int depth) {
  static constexpr Ink inks[] = {{"#fafbfc", "#8c959f"}, {"#f4f6f8", "#8c959f"},
                                 {"#eef1f4", "#818b96"}, {"#e9edf1", "#818b96"}};
  constexpr int count = std::size(inks);
  return inks[depth < count ? (depth < 0 ? 0 : depth) : count - 1];
}

} // namespace fuselage
