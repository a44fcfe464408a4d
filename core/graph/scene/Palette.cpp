#include "core/graph/scene/Palette.h"
#include "core/protocol/PictureColors.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <cmath>
#include <iterator>

namespace fuselage {

/// A colour as #rrggbb, with `share` of it on white.
static std::string onPaper(unsigned color, double share) {
  std::string text = "#";
  for (int shift : {16, 8, 0}) {
    double channel = (color >> shift) & 0xff;
    text += llvm::utohexstr(static_cast<unsigned>(std::lround(255 - (255 - channel) * share)), /*LowerCase=*/true, 2);
  }
  return text;
}

Ink dispatchInk(int hue) {
  struct Texts {
    std::array<std::string, picture::accentCount> fill, line;
    Texts() {
      for (int i = 0; i < picture::accentCount; ++i) {
        fill[i] = onPaper(picture::dispatchAccents[i], 0.17);
        line[i] = onPaper(picture::dispatchAccents[i], 1);
      }
    }
  };
  static const Texts texts;
  int i = ((hue % picture::accentCount) + picture::accentCount) % picture::accentCount;
  return {texts.fill[i].c_str(), texts.line[i].c_str()};
}

const char *lookColor(EdgeLook look) {
  static const std::array<std::string, 4> colors = {edgeColor, onPaper(picture::fusedEdge, 1), onPaper(picture::possibleEdge, 1),
                                                    onPaper(picture::impossibleEdge, 1)};
  return colors[static_cast<size_t>(look)].c_str();
}

/// The hue that a dispatch of the scene has in every picture.
static int hueOf(const Scene &scene, int dispatch) {
  return dispatch < static_cast<int>(scene.dispatchHues.size()) ? static_cast<int>(scene.dispatchHues[dispatch]) : dispatch;
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

Ink nodeInk(const Scene &scene, const SceneNode &node) {
  return node.dispatch >= 0 && node.kind != NodeKind::Gap ? dispatchInk(hueOf(scene, node.dispatch)) : kindInk(node.kind);
}

Ink clusterInk(const Scene &scene, const SceneCluster &cluster) {
  return cluster.dispatch >= 0 ? dispatchInk(hueOf(scene, cluster.dispatch)) : clusterInk(cluster.depth);
}

Ink clusterInk(int depth) {
  static constexpr Ink inks[] = {{"#fafbfc", "#8c959f"}, {"#f4f6f8", "#8c959f"},
                                 {"#eef1f4", "#818b96"}, {"#e9edf1", "#818b96"}};
  constexpr int count = std::size(inks);
  return inks[depth < count ? (depth < 0 ? 0 : depth) : count - 1];
}

} // namespace fuselage
