#include "core/graph/Palette.h"
#include "core/graph/Scene.h"
#include "core/graph/TextMetrics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

namespace fuselage {
namespace {

constexpr double cornerRadius = 5, bendRadius = 12, arrowLength = 7, arrowWidth = 3.2;

/// Text for XML: markup escaped, control characters (XML 1.0 has no way to write them) replaced.
std::string xml(llvm::StringRef text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text)
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  return out;
}

/// A number with at most one decimal.
struct Px {
  double value;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Px px) {
  double rounded = std::round(px.value * 10) / 10;
  if (rounded == std::floor(rounded))
    return os << static_cast<int64_t>(rounded);
  return os << llvm::format("%.1f", rounded);
}

LayoutPoint towards(const LayoutPoint &from, const LayoutPoint &to, double length) {
  double distance = std::hypot(to.x - from.x, to.y - from.y);
  double t = distance > 0 ? length / distance : 0;
  return {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
}

class SvgWriter {
public:
  explicit SvgWriter(const Scene &scene) : scene_(scene), os_(text_) {}

  std::string write() {
    double w = std::max(scene_.bounds.w, 1.0), h = std::max(scene_.bounds.h, 1.0);
    os_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
           "role=\"img\" aria-label=\"Dispatch graph\" width=\""
        << Px{w} << "\" height=\"" << Px{h} << "\" viewBox=\"0 0 " << Px{w} << ' ' << Px{h}
        << "\" font-family=\"" << graphFont << ", sans-serif\">\n<title>Dispatch graph: "
        << scene_.nodes.size() << " nodes, " << scene_.edges.size() << " edges</title>\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"" << paperColor << "\"/>\n";
    os_ << "<g id=\"clusters\">\n";
    for (const SceneCluster &cluster : scene_.clusters)
      writeBox(cluster);
    os_ << "</g>\n<g id=\"edges\" fill=\"none\" stroke=\"" << edgeColor
        << "\" stroke-width=\"1.2\" stroke-linejoin=\"round\">\n";
    for (const SceneEdge &edge : scene_.edges)
      writeLine(edge);
    os_ << "</g>\n<g id=\"nodes\" text-anchor=\"middle\">\n";
    for (const SceneNode &node : scene_.nodes)
      writeNode(node);
    os_ << "</g>\n";
    writeTexts();
    os_ << "</svg>\n";
    return std::move(text_);
  }

private:
  static Ink ink(const SceneCluster &cluster) {
    return cluster.dispatch >= 0 ? dispatchInk(cluster.dispatch) : clusterInk(cluster.depth);
  }

  void writeBox(const SceneCluster &cluster) {
    Ink colors = ink(cluster);
    bool dispatch = cluster.dispatch >= 0;
    os_ << "<g data-id=\"" << cluster.id << "\"><title>" << xml(cluster.label) << "</title>";
    writeRect(cluster.rect, 8);
    os_ << " fill=\"" << colors.fill << '"';
    if (dispatch)
      os_ << " fill-opacity=\"0.45\"";
    os_ << " stroke=\"" << colors.line << "\" stroke-opacity=\"" << (dispatch ? "0.8" : "0.6")
        << "\"/></g>\n";
  }

  void writeRect(const LayoutRect &rect, double radius) {
    os_ << "<rect x=\"" << Px{rect.x} << "\" y=\"" << Px{rect.y} << "\" width=\"" << Px{rect.w}
        << "\" height=\"" << Px{rect.h} << "\" rx=\"" << Px{radius} << '"';
  }

  void writeNode(const SceneNode &node) {
    Ink colors = nodeInk(node.dispatch, node.kind);
    double middle = node.rect.x + node.rect.w / 2;
    os_ << "<g data-id=\"" << node.id << "\"><title>" << xml(node.title);
    if (!node.subtitle.empty())
      os_ << '\n' << xml(node.subtitle);
    os_ << "</title>";
    bool round = node.kind == NodeKind::Argument || node.kind == NodeKind::Return;
    if (node.collapsedCluster) { // a second sheet behind: there is more in it
      LayoutRect behind = node.rect;
      behind.x += 3;
      behind.y += 3;
      writeRect(behind, cornerRadius);
      os_ << " fill=\"" << colors.fill << "\" stroke=\"" << colors.line << "\"/>";
    }
    writeRect(node.rect, round ? node.rect.h / 2 : cornerRadius);
    os_ << " fill=\"" << colors.fill << "\" stroke=\"" << colors.line << '"';
    if (node.kind == NodeKind::Constant || node.kind == NodeKind::Empty)
      os_ << " stroke-dasharray=\"3 2\"";
    if (node.kind == NodeKind::Gap)
      os_ << " stroke-dasharray=\"6 3\" stroke-width=\"1.6\"";
    os_ << "/>";
    double baseline = node.rect.y + (node.subtitle.empty() ? node.rect.h / 2 + 4.3 : 17);
    os_ << "<text x=\"" << Px{middle} << "\" y=\"" << Px{baseline} << "\" font-size=\""
        << Px{titleSize} << "\" fill=\"" << textColor << "\">" << xml(node.title) << "</text>";
    if (!node.subtitle.empty())
      os_ << "<text x=\"" << Px{middle} << "\" y=\"" << Px{node.rect.y + 32} << "\" font-size=\""
          << Px{smallSize} << "\" fill=\"" << mutedTextColor << "\">" << xml(node.subtitle)
          << "</text>";
    os_ << "</g>\n";
  }

  void writeLine(const SceneEdge &edge) {
    const auto &points = edge.points;
    if (points.size() < 2)
      return;
    LayoutPoint tip = points.back();
    const LayoutPoint &before = points[points.size() - 2];
    LayoutPoint neck = towards(tip, before, std::min(arrowLength, length(tip, before)));
    os_ << "<g><title>" << xml(edge.label) << "</title><path d=\"M" << Px{points[0].x} << ' '
        << Px{points[0].y};
    for (size_t i = 1; i + 1 < points.size(); ++i) {
      // Bends are rounded; the curve stays inside the triangle of the bend.
      const LayoutPoint &bend = points[i];
      LayoutPoint next = i + 2 == points.size() ? neck : points[i + 1];
      double radius = std::min({bendRadius, length(points[i - 1], bend) / 2,
                                length(bend, next) / 2});
      LayoutPoint in = towards(bend, points[i - 1], radius), out = towards(bend, next, radius);
      os_ << 'L' << Px{in.x} << ' ' << Px{in.y} << 'Q' << Px{bend.x} << ' ' << Px{bend.y} << ' '
          << Px{out.x} << ' ' << Px{out.y};
    }
    os_ << 'L' << Px{neck.x} << ' ' << Px{neck.y} << "\"/>";
    double dx = tip.x - neck.x, dy = tip.y - neck.y, size = std::hypot(dx, dy);
    if (size > 0) {
      double nx = -dy / size * arrowWidth, ny = dx / size * arrowWidth;
      os_ << "<path d=\"M" << Px{tip.x} << ' ' << Px{tip.y} << 'L' << Px{neck.x + nx} << ' '
          << Px{neck.y + ny} << 'L' << Px{neck.x - nx} << ' ' << Px{neck.y - ny} << "Z\" fill=\""
          << edgeColor << "\" stroke=\"none\"/>";
    }
    os_ << "</g>\n";
  }

  static double length(const LayoutPoint &a, const LayoutPoint &b) {
    return std::hypot(a.x - b.x, a.y - b.y);
  }

  /// Labels and titles stand above all lines, on a halo of paper.
  void writeTexts() {
    os_ << "<g id=\"labels\" font-size=\"" << Px{smallSize} << "\" fill=\"" << mutedTextColor
        << "\" stroke=\"" << paperColor
        << "\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n";
    for (const SceneEdge &edge : scene_.edges)
      if (edge.labelRect.w > 0)
        os_ << "<text x=\"" << Px{edge.labelRect.x + 1} << "\" y=\""
            << Px{edge.labelRect.y + edge.labelRect.h - 3} << "\">" << xml(edge.label)
            << "</text>\n";
    os_ << "</g>\n<g id=\"titles\" font-size=\"" << Px{titleSize}
        << "\" font-weight=\"normal\" stroke-width=\"3\" stroke-linejoin=\"round\" "
           "paint-order=\"stroke\">\n";
    for (const SceneCluster &cluster : scene_.clusters) {
      Ink colors = ink(cluster);
      os_ << "<text x=\"" << Px{cluster.titleAt.x} << "\" y=\"" << Px{cluster.titleAt.y}
          << "\" fill=\"" << (cluster.dispatch >= 0 ? colors.line : textColor) << "\" stroke=\""
          << colors.fill << "\">" << xml(cluster.label) << "</text>\n";
    }
    os_ << "</g>\n";
  }

  const Scene &scene_;
  std::string text_;
  llvm::raw_string_ostream os_;
};

} // namespace

std::string toSVG(const Scene &scene) { return SvgWriter(scene).write(); }

} // namespace fuselage
