#include "core/graph/export/Picture.h"
#include "core/graph/scene/TextMetrics.h"
#include "core/text/PrintableText.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

namespace fuselage {
namespace {

constexpr double cornerRadius = 5, bendRadius = 12, legendLine = 30, legendHeight = 26, legendStep = 16, legendGap = 14,
                 margin = 10;
constexpr double notchInset = 9, notchStep = 8, notchRadius = 2.6;
constexpr unsigned mostNotches = 4;

/// Text for XML: markup escaped, and made printable, as XML 1.0 has no way to write control characters.
std::string xml(llvm::StringRef text) {
  std::string out;
  out.reserve(text.size());
  for (char c : printable(text))
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
      out += c;
    }
  return out;
}

/// A number with at most one decimal.
struct Px {
  double value;
};
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Px px) {
  const int64_t tenths = std::llround(px.value * 10), size = std::abs(tenths);
  os << (tenths < 0 ? "-" : "") << size / 10;
  if (size % 10 != 0)
    os << '.' << size % 10;
  return os;
}

LayoutPoint towards(const LayoutPoint &from, const LayoutPoint &to, double length) {
  double distance = std::hypot(to.x - from.x, to.y - from.y);
  double t = distance > 0 ? length / distance : 0;
  return {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
}

class SvgWriter {
public:
  SvgWriter(const Scene &scene, const PictureOptions &options, llvm::raw_ostream &os)
      : scene_(scene), region_(options.region), ground_(options.ground), colors_(groundColors(options.ground)),
        os_(os) {}

  void write() {
    LayoutRect sight = region_.value_or(LayoutRect{0, 0, scene_.bounds.w, scene_.bounds.h});
    double w = std::max(sight.w, 1.0), h = std::max(sight.h, 1.0);
    double below = h;
    if (scene_.legend) {
      legend_ = legendBox(w, h + (region_ ? margin : 0));
      w = std::max(w, legend_.x + legend_.w + margin);
      h = legend_.y + legend_.h + margin;
    }
    open(w, h);
    if (region_)
      openClip({0, 0, w, below}, 1, sight);
    writeScene();
    if (region_)
      os_ << "</g></g>\n";
    if (scene_.legend)
      writeLegend();
    os_ << "</svg>\n";
  }

  /// A sheet, in points.
  void writePage(const PagePlan &plan, size_t page) {
    const PageTile &tile = plan.tiles[page];
    double inner = plan.width - 2 * plan.margin, innerHeight = plan.height - 2 * plan.margin;
    region_ = tile.part;
    open(plan.width, plan.height);
    openClip({plan.margin, plan.margin, inner, innerHeight}, plan.scale, tile.part);
    writeScene();
    os_ << "</g></g>\n";
    writeCropMarks(plan);
    writeFooter(plan, page);
    os_ << "</svg>\n";
  }

private:
  void open(double w, double h) {
    os_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
           "role=\"img\" aria-label=\"Dispatch graph\" width=\""
        << Px{w} << "\" height=\"" << Px{h} << "\" viewBox=\"0 0 " << Px{w} << ' ' << Px{h} << "\" font-family=\""
        << graphFont << ", sans-serif\">\n<title>Dispatch graph: " << scene_.nodes.size() << " nodes, "
        << scene_.edges.size() << " edges</title>\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"" << colors_.paper << "\"/>\n";
  }

  /// What follows is seen through `window`, with `sight` of the scene in it; two groups to close.
  void openClip(const LayoutRect &window, double scale, const LayoutRect &sight) {
    os_ << "<clipPath id=\"sight\">";
    writeRect(window, 0);
    os_ << "/></clipPath>\n<g clip-path=\"url(#sight)\"><g transform=\"translate(" << Px{window.x - sight.x * scale}
        << ' ' << Px{window.y - sight.y * scale} << ") scale(" << llvm::format("%g", scale) << ")\">\n";
  }

  void writeScene() {
    os_ << "<g id=\"clusters\">\n";
    for (const SceneCluster &cluster : scene_.clusters)
      if (isInSight(cluster.rect))
        writeBox(cluster);
    os_ << "</g>\n<g id=\"edges\" fill=\"none\" stroke-linejoin=\"round\">\n";
    for (const SceneEdge &edge : scene_.edges)
      if (isInSight(edge))
        writeLine(edge);
    os_ << "</g>\n<g id=\"nodes\" text-anchor=\"middle\">\n";
    for (const SceneNode &node : scene_.nodes)
      if (isInSight(node.rect))
        writeNode(node);
    os_ << "</g>\n";
    writeTexts();
  }

  /// Borders, sheets behind and shadows reach out a little.
  bool isInSight(const LayoutRect &rect) const {
    constexpr double reach = 8;
    return !region_ || (rect.x - reach < region_->x + region_->w && region_->x < rect.x + rect.w + reach &&
                        rect.y - reach < region_->y + region_->h && region_->y < rect.y + rect.h + reach);
  }
  bool isInSight(const SceneEdge &edge) const {
    if (!region_ || edge.points.empty())
      return true;
    double left = edge.points[0].x, right = left, top = edge.points[0].y, bottom = top;
    for (const LayoutPoint &point : edge.points) {
      left = std::min(left, point.x), right = std::max(right, point.x);
      top = std::min(top, point.y), bottom = std::max(bottom, point.y);
    }
    return isInSight(LayoutRect{left, top, right - left, bottom - top});
  }

  /// Short lines outside of the picture's corners, to cut and join sheets by.
  void writeCropMarks(const PagePlan &plan) {
    constexpr double gap = 4, length = 12;
    double left = plan.margin, right = plan.width - plan.margin, top = plan.margin, bottom = plan.height - plan.margin;
    os_ << "<path id=\"marks\" fill=\"none\" stroke-width=\"0.5\" stroke=\"" << colors_.muted << "\" d=\"";
    for (double x : {left, right})
      for (double y : {top, bottom}) {
        double outX = x == left ? -1 : 1, outY = y == top ? -1 : 1;
        os_ << 'M' << Px{x + outX * gap} << ' ' << Px{y} << 'h' << Px{outX * length} << 'M' << Px{x} << ' '
            << Px{y + outY * gap} << 'v' << Px{outY * length};
      }
    os_ << "\"/>\n";
  }

  void writeFooter(const PagePlan &plan, size_t page) {
    constexpr double size = 8, belowPicture = 24;
    const PageTile &tile = plan.tiles[page];
    double y = plan.height - plan.margin + belowPicture, x = plan.margin;
    if (scene_.legend)
      for (const LegendRow &row : legendRows(*scene_.legend)) {
        os_ << "<path";
        writePen(row.look, 1.2);
        os_ << " fill=\"none\" d=\"M" << Px{x} << ' ' << Px{y - 2.8} << "h20\"/><text font-size=\"" << Px{size}
            << "\" fill=\"" << colors_.muted << "\" x=\"" << Px{x + 25} << "\" y=\"" << Px{y}
            << "\" xml:space=\"preserve\">" << xml(legendText(row)) << "</text>\n";
        x += 25 + textWidth(legendText(row), size) + 14;
      }
    std::string text = "page " + std::to_string(page + 1) + " of " + std::to_string(plan.tiles.size());
    if (plan.rows > 1 || plan.columns > 1)
      text += " \u00b7 row " + std::to_string(tile.row + 1) + " of " + std::to_string(plan.rows) + ", column " +
              std::to_string(tile.column + 1) + " of " + std::to_string(plan.columns);
    os_ << "<text id=\"page\" font-size=\"" << Px{size} << "\" fill=\"" << colors_.muted
        << "\" text-anchor=\"end\" x=\"" << Px{plan.width - plan.margin} << "\" y=\"" << Px{y} << "\">" << text
        << "</text>\n";
  }

  void writeBox(const SceneCluster &cluster) {
    Ink colors = clusterInk(scene_, cluster, ground_);
    bool dispatch = cluster.dispatch >= 0;
    os_ << "<g data-id=\"" << cluster.id << "\"><title>" << xml(cluster.label) << "</title>";
    writeRect(cluster.rect, 8);
    os_ << " fill=\"" << colors.fill << '"';
    if (dispatch)
      os_ << " fill-opacity=\"0.45\"";
    os_ << " stroke=\"" << colors.line << "\" stroke-opacity=\"" << (dispatch ? "0.8" : "0.6") << "\"/></g>\n";
  }

  void writeRect(const LayoutRect &rect, double radius) {
    os_ << "<rect x=\"" << Px{rect.x} << "\" y=\"" << Px{rect.y} << "\" width=\"" << Px{rect.w} << "\" height=\""
        << Px{rect.h} << "\" rx=\"" << Px{radius} << '"';
  }

  void writeNode(const SceneNode &node) {
    Ink colors = nodeInk(scene_, node, ground_);
    double middle = node.rect.x + node.rect.w / 2;
    os_ << "<g data-id=\"" << node.id << "\"><title>" << xml(node.title);
    if (!node.subtitle.empty())
      os_ << '\n' << xml(node.subtitle);
    for (const ScenePort &port : node.ports)
      os_ << "\nreads " << xml(port.text);
    if (node.portCount > node.ports.size())
      os_ << "\nreads " << node.portCount - node.ports.size() << " more";
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
    os_ << "<text x=\"" << Px{middle} << "\" y=\"" << Px{baseline} << "\" font-size=\"" << Px{titleSize} << "\" fill=\""
        << colors_.text << "\">" << xml(node.title) << "</text>";
    if (!node.subtitle.empty())
      os_ << "<text x=\"" << Px{middle} << "\" y=\"" << Px{node.rect.y + 32} << "\" font-size=\"" << Px{smallSize}
          << "\" fill=\"" << colors_.muted << "\">" << xml(node.subtitle) << "</text>";
    writePorts(node, colors);
    os_ << "</g>\n";
  }

  /// A notch in the upper border for each, as far as there is room: their names are in the title.
  void writePorts(const SceneNode &node, const Ink &colors) {
    for (unsigned port = 0; port < std::min(node.portCount, mostNotches); ++port)
      os_ << "<circle cx=\"" << Px{node.rect.x + notchInset + port * notchStep} << "\" cy=\"" << Px{node.rect.y}
          << "\" r=\"" << Px{notchRadius} << "\" fill=\"" << colors_.paper << "\" stroke=\"" << colors.line << "\"/>";
  }

  void writeLine(const SceneEdge &edge) {
    const auto &points = edge.points;
    if (points.size() < 2)
      return;
    LayoutPoint tip = points.back();
    const LayoutPoint &before = points[points.size() - 2];
    double width = lineWidth(edge.bytes), arrow = 6.5 + width;
    LayoutPoint neck = towards(tip, before, std::min(arrow, length(tip, before)));
    os_ << "<g><title>" << xml(edge.label) << "</title><path";
    writePen(edge.look, width);
    os_ << " d=\"M" << Px{points[0].x} << ' ' << Px{points[0].y};
    for (size_t i = 1; i + 1 < points.size(); ++i) {
      // Bends are rounded; the curve stays inside the triangle of the bend.
      const LayoutPoint &bend = points[i];
      LayoutPoint next = i + 2 == points.size() ? neck : points[i + 1];
      double radius = std::min({bendRadius, length(points[i - 1], bend) / 2, length(bend, next) / 2});
      LayoutPoint in = towards(bend, points[i - 1], radius), out = towards(bend, next, radius);
      os_ << 'L' << Px{in.x} << ' ' << Px{in.y} << 'Q' << Px{bend.x} << ' ' << Px{bend.y} << ' ' << Px{out.x} << ' '
          << Px{out.y};
    }
    os_ << 'L' << Px{neck.x} << ' ' << Px{neck.y} << "\"/>";
    double dx = tip.x - neck.x, dy = tip.y - neck.y, size = std::hypot(dx, dy);
    if (size > 0) {
      double nx = -dy / size * arrow * 0.42, ny = dx / size * arrow * 0.42;
      os_ << "<path d=\"M" << Px{tip.x} << ' ' << Px{tip.y} << 'L' << Px{neck.x + nx} << ' ' << Px{neck.y + ny} << 'L'
          << Px{neck.x - nx} << ' ' << Px{neck.y - ny} << "Z\" fill=\"" << lookColor(edge.look, ground_)
          << "\" stroke=\"none\"/>";
    }
    os_ << "</g>\n";
  }

  /// 1.1 px up to 64 KiB, then wider by every factor of four, up to 4 px: as in the window.
  static double lineWidth(int64_t bytes) {
    return bytes <= 0 ? 1.1 : std::clamp(1.1 + std::log2(static_cast<double>(bytes) / 65536) * 0.24, 1.1, 4.0);
  }

  /// Solid where the value stays in a dispatch, dashed where it can be fused, dashes and dots where that was tried
  /// without success, dotted where it cannot be.
  void writePen(EdgeLook look, double width) {
    double unit = std::max(width, 1.6); // dashes of thin lines would be dust
    if (look == EdgeLook::Possible)
      width *= 1.35;
    os_ << " stroke=\"" << lookColor(look, ground_) << "\" stroke-width=\"" << Px{width} << '"';
    if (look == EdgeLook::Possible)
      os_ << " stroke-dasharray=\"" << Px{4.5 * unit} << ' ' << Px{2 * unit} << '"';
    if (look == EdgeLook::Tried)
      os_ << " stroke-dasharray=\"" << Px{4.5 * unit} << ' ' << Px{1.8 * unit} << ' ' << Px{1.4 * unit} << ' '
          << Px{1.8 * unit} << '"';
    if (look == EdgeLook::NotTried)
      os_ << " stroke-dasharray=\"" << Px{8 * unit} << ' ' << Px{4 * unit} << '"';
    if (look == EdgeLook::Impossible)
      os_ << " stroke-dasharray=\"" << Px{1.4 * unit} << ' ' << Px{1.6 * unit} << '"';
  }

  static std::string legendText(const LegendRow &row) {
    return std::string(row.text) + "  " + std::to_string(row.count);
  }
  static double rowWidth(const LegendRow &row) { return legendLine + 8 + textWidth(legendText(row), smallSize); }

  /// Below the graph, where it covers nothing: in a row if the picture is that wide.
  LayoutRect legendBox(double width, double top) const {
    double row = legendGap, widest = 0;
    for (const LegendRow &entry : legendRows(*scene_.legend)) {
      row += rowWidth(entry) + legendGap;
      widest = std::max(widest, rowWidth(entry));
    }
    if (row + 2 * margin <= width)
      return {margin, top, row, legendHeight};
    double steps = static_cast<double>(legendRows(*scene_.legend).size() - 1);
    return {margin, top, widest + 2 * legendGap, steps * legendStep + legendHeight};
  }

  void writeLegend() {
    bool inRow = legend_.h <= legendHeight;
    double x = legend_.x + legendGap, y = legend_.y + legendHeight / 2;
    os_ << "<g id=\"legend\" font-size=\"" << Px{smallSize} << "\" fill=\"" << colors_.text << "\">\n";
    writeRect(legend_, cornerRadius);
    os_ << " fill=\"" << colors_.paper << "\" stroke=\"" << clusterInk(0, ground_).line
        << "\" stroke-opacity=\"0.6\"/>\n";
    for (const LegendRow &row : legendRows(*scene_.legend)) {
      os_ << "<path";
      writePen(row.look, 1.8);
      os_ << " fill=\"none\" d=\"M" << Px{x} << ' ' << Px{y} << 'H' << Px{x + legendLine} << "\"/><text x=\""
          << Px{x + legendLine + 8} << "\" y=\"" << Px{y + 3.6} << "\" xml:space=\"preserve\">" << xml(legendText(row))
          << "</text>\n";
      (inRow ? x : y) += inRow ? rowWidth(row) + legendGap : legendStep;
    }
    os_ << "</g>\n";
  }

  static double length(const LayoutPoint &a, const LayoutPoint &b) { return std::hypot(a.x - b.x, a.y - b.y); }

  /// How many values of a line are not fused, near its start.
  void writeMissed(const SceneEdge &edge) {
    double whole = 0;
    for (size_t i = 1; i < edge.points.size(); ++i)
      whole += length(edge.points[i - 1], edge.points[i]);
    double rest = 0.28 * whole;
    LayoutPoint at = edge.points.front();
    for (size_t i = 1; i < edge.points.size() && rest > 0; ++i) {
      double leg = std::min(rest, length(at, edge.points[i]));
      at = towards(at, edge.points[i], leg);
      rest -= leg;
    }
    std::string count = std::to_string(edge.missed);
    double width = std::max(16.0, textWidth(count, smallSize) + 9);
    writeRect({at.x - width / 2, at.y - 7.5, width, 15}, 7.5);
    os_ << " fill=\"" << lookColor(edge.look, ground_) << "\"/><text x=\"" << Px{at.x} << "\" y=\"" << Px{at.y + 3.6}
        << "\">" << count << "</text>\n";
  }

  /// Labels and titles stand above all lines, on paper of their own: no line strikes them through.
  void writeTexts() {
    os_ << "<g id=\"labels\" font-size=\"" << Px{smallSize} << "\" fill=\"" << colors_.muted << "\">\n";
    for (const SceneEdge &edge : scene_.edges) {
      if (edge.labelRect.w <= 0 || !isInSight(edge.labelRect))
        continue;
      writeRect(edge.labelRect, 3);
      os_ << " fill=\"" << colors_.paper << "\" fill-opacity=\"0.92\"/>";
      os_ << "<text x=\"" << Px{edge.labelRect.x + 1} << "\" y=\"" << Px{edge.labelRect.y + edge.labelRect.h - 3}
          << "\">" << xml(edge.label) << "</text>\n";
    }
    os_ << "</g>\n<g id=\"missed\" text-anchor=\"middle\" font-size=\"" << Px{smallSize} << "\" fill=\""
        << colors_.paper << "\">\n";
    for (const SceneEdge &edge : scene_.edges)
      if (edge.missed > 1 && edge.points.size() > 1 && isInSight(edge))
        writeMissed(edge);
    os_ << "</g>\n<g id=\"titles\" font-size=\"" << Px{titleSize} << "\">\n";
    for (const SceneCluster &cluster : scene_.clusters) {
      if (!isInSight(cluster.rect))
        continue;
      Ink colors = clusterInk(scene_, cluster, ground_);
      LayoutRect behind{cluster.titleAt.x - 2, cluster.titleAt.y - 12, textWidth(cluster.label, titleSize) + 4, 15};
      writeRect(behind, 3);
      os_ << " fill=\"" << colors_.paper << "\"/>";
      writeRect(behind, 3);
      os_ << " fill=\"" << colors.fill << "\" fill-opacity=\"" << (cluster.dispatch >= 0 ? "0.45" : "1") << "\"/>";
      os_ << "<text x=\"" << Px{cluster.titleAt.x} << "\" y=\"" << Px{cluster.titleAt.y} << "\" fill=\""
          << (cluster.dispatch >= 0 ? colors.line : colors_.text) << "\">" << xml(cluster.label) << "</text>\n";
    }
    os_ << "</g>\n";
  }

  const Scene &scene_;
  std::optional<LayoutRect> region_; ///< what is seen of the scene; nothing: all
  Ground ground_;
  const GroundColors &colors_;
  LayoutRect legend_;
  llvm::raw_ostream &os_;
};

} // namespace

void writeSVG(const Scene &scene, const PictureOptions &options, llvm::raw_ostream &os) {
  SvgWriter(scene, options, os).write();
}

std::string toSVG(const Scene &scene, const PictureOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeSVG(scene, options, os);
  return text;
}
std::string toSVG(const Scene &scene) { return toSVG(scene, PictureOptions()); }

std::string pageToSVG(const Scene &scene, const PictureOptions &options, const PagePlan &plan, size_t page) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SvgWriter(scene, options, os).writePage(plan, page);
  return text;
}

} // namespace fuselage
