#include "core/graph/scene/Palette.h"
#include "core/pictures/PictureColors.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <cmath>
#include <iterator>

namespace fuselage {

static constexpr unsigned darkPaper = 0x191c20;

const GroundColors &groundColors(Ground ground) {
  static constexpr GroundColors light{paperColor, textColor, mutedTextColor, edgeColor},
      dark{"#191c20", "#e6e9ee", "#a7b0bc", "#7d8794"};
  return ground == Ground::Dark ? dark : light;
}

/// A colour as #rrggbb, with `share` of it on the ground.
static std::string onPaper(unsigned color, double share, Ground ground = Ground::Light) {
  std::string text = "#";
  for (int shift : {16, 8, 0}) {
    double under = ground == Ground::Dark ? (darkPaper >> shift) & 0xff : 255;
    double channel = (color >> shift) & 0xff;
    text +=
        llvm::utohexstr(static_cast<unsigned>(std::lround(under + (channel - under) * share)), /*LowerCase=*/true, 2);
  }
  return text;
}

Ink dispatchInk(int hue, Ground ground) {
  struct Texts {
    std::array<std::string, picture::accentCount> fill, line;
    explicit Texts(Ground ground) {
      bool isDark = ground == Ground::Dark;
      for (int i = 0; i < picture::accentCount; ++i) {
        unsigned accent = isDark ? picture::darkDispatchAccents[i] : picture::dispatchAccents[i];
        fill[i] = onPaper(accent, isDark ? 0.24 : 0.17, ground);
        line[i] = onPaper(accent, 1);
      }
    }
  };
  static const Texts light(Ground::Light), dark(Ground::Dark);
  const Texts &texts = ground == Ground::Dark ? dark : light;
  int i = ((hue % picture::accentCount) + picture::accentCount) % picture::accentCount;
  return {texts.fill[i].c_str(), texts.line[i].c_str()};
}

const char *lookColor(EdgeLook look, Ground ground) {
  using Texts = std::array<std::string, message::fusionStateCount>;
  static const Texts light = {
      edgeColor, onPaper(picture::fusedEdge, 1),     onPaper(picture::possibleEdge, 1), onPaper(picture::triedEdge, 1),
      edgeColor, onPaper(picture::impossibleEdge, 1)};
  static const Texts dark = {groundColors(Ground::Dark).edge,       onPaper(picture::darkFusedEdge, 1),
                             onPaper(picture::darkPossibleEdge, 1), onPaper(picture::darkTriedEdge, 1),
                             groundColors(Ground::Dark).edge,       onPaper(picture::darkImpossibleEdge, 1)};
  return (ground == Ground::Dark ? dark : light)[static_cast<size_t>(look)].c_str();
}

/// The hue that a dispatch of the scene has in every picture.
static int hueOf(const Scene &scene, int dispatch) {
  return dispatch < static_cast<int>(scene.dispatchHues.size()) ? static_cast<int>(scene.dispatchHues[dispatch])
                                                                : dispatch;
}

static Ink darkKindInk(NodeKind kind) {
  switch (kind) {
  case NodeKind::Dispatch:
  case NodeKind::Call:
    return {"#22324b", "#6ea8ff"};
  case NodeKind::Argument:
  case NodeKind::Return:
    return {"#2b333f", "#98a3b1"};
  case NodeKind::Constant:
  case NodeKind::Empty:
    return {"#2a281f", "#b3a56a"};
  case NodeKind::Control:
    return {"#2c2836", "#a594ea"};
  case NodeKind::Gap:
    return {"#43282a", "#ff8b80"};
  case NodeKind::Compute:
    return {"#2d323a", "#98a3b1"};
  case NodeKind::Reshape:
  case NodeKind::Slice:
  case NodeKind::Other:
    break;
  }
  return {"#22262c", "#7d8794"};
}

Ink kindInk(NodeKind kind, Ground ground) {
  if (ground == Ground::Dark)
    return darkKindInk(kind);
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

Ink nodeInk(const Scene &scene, const SceneNode &node, Ground ground) {
  return node.dispatch >= 0 && node.kind != NodeKind::Gap ? dispatchInk(hueOf(scene, node.dispatch), ground)
                                                          : kindInk(node.kind, ground);
}

Ink clusterInk(const Scene &scene, const SceneCluster &cluster, Ground ground) {
  return cluster.dispatch >= 0 ? dispatchInk(hueOf(scene, cluster.dispatch), ground)
                               : clusterInk(cluster.depth, ground);
}

Ink clusterInk(int depth, Ground ground) {
  static constexpr Ink light[] = {
      {"#fafbfc", "#8c959f"}, {"#f4f6f8", "#8c959f"}, {"#eef1f4", "#818b96"}, {"#e9edf1", "#818b96"}};
  static constexpr Ink dark[] = {
      {"#1d2025", "#6d7683"}, {"#21252a", "#6d7683"}, {"#262a30", "#7d8794"}, {"#2b3037", "#7d8794"}};
  constexpr int count = std::size(light);
  static_assert(std::size(dark) == count);
  const Ink *inks = ground == Ground::Dark ? dark : light;
  return inks[depth < count ? (depth < 0 ? 0 : depth) : count - 1];
}

} // namespace fuselage
