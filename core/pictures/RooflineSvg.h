// The roofline chart as an SVG file.
#pragma once
#include "core/pictures/PictureColors.h"
#include "core/pictures/RooflineDrawing.h"
#include "core/text/PrintableText.h"

namespace fuselage::message {

namespace roofline {

inline unsigned colourOf(RooflineRole role, bool isDark) {
  const picture::RooflineColours &colours = isDark ? picture::rooflineDark : picture::rooflineLight;
  switch (role) {
  case RooflineRole::Ground:
    return colours.ground;
  case RooflineRole::Grid:
    return colours.grid;
  case RooflineRole::Text:
    return colours.text;
  case RooflineRole::Muted:
    return colours.muted;
  case RooflineRole::Memory:
    return colours.memory;
  case RooflineRole::Compute:
    return colours.compute;
  case RooflineRole::Point:
    return colours.point;
  case RooflineRole::Before:
    return colours.before;
  case RooflineRole::Wrong:
    return colours.wrong;
  case RooflineRole::Selected:
    return colours.selected;
  }
  return colours.text;
}

/// As character data or an attribute's value; made printable, as XML has no form for control characters.
inline std::string escapeXml(const std::string &text) {
  std::string escaped;
  for (char c : printable(text)) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

/// Writes elements. Widths of texts are those of DejaVu Sans, about.
class SvgCanvas {
public:
  explicit SvgCanvas(bool isDark) : isDark_(isDark) {}

  void line(double x0, double y0, double x1, double y1, RooflineRole role, double width) {
    stroke(x0, y0, x1, y1, role, width, "");
  }
  void dotted(double x0, double y0, double x1, double y1, RooflineRole role) {
    stroke(x0, y0, x1, y1, role, 1, " stroke-dasharray=\"2 3\"");
  }
  void dot(double x, double y, double radius, RooflineRole role) {
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#%06x\"/>\n", x, y, radius, colourOf(role, isDark_));
  }
  void ring(double x, double y, double radius, RooflineRole role) {
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"1.5\"/>\n", x, y,
        radius, colourOf(role, isDark_));
  }
  void diamond(double x, double y, double radius, RooflineRole role) {
    add("<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\" fill=\"#%06x\"/>\n", x - radius, y, radius, -radius,
        radius, radius, -radius, radius, colourOf(role, isDark_));
  }
  void text(double x, double y, double alignment, RooflineRole role, const std::string &text) {
    const char *anchor = alignment == 0 ? "start" : alignment == 1 ? "end" : "middle";
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#%06x\">", x, y, anchor, colourOf(role, isDark_));
    svg_ += escapeXml(text) + "</text>\n";
  }
  double textWidth(const std::string &text) const { return 6.9 * double(text.size()); }
  double lineHeight() const { return 14; }
  const std::string &svg() const { return svg_; }

private:
  void stroke(double x0, double y0, double x1, double y1, RooflineRole role, double width, const char *more) {
    add("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%06x\" stroke-width=\"%.1f\"%s/>\n", x0, y0,
        x1, y1, colourOf(role, isDark_), width, more);
  }
  template <class... Values> void add(const char *format, Values... values) {
    char text[400];
    std::snprintf(text, sizeof text, format, values...);
    svg_ += text;
  }
  bool isDark_;
  std::string svg_;
};

} // namespace roofline

inline std::string rooflineSvg(const RooflineChart &chart, bool isDark) {
  constexpr int width = 960, height = 600;
  RooflinePlace place{.left = 70, .top = 56, .width = width - 70 - 30, .height = height - 56 - 50};
  roofline::SvgCanvas canvas(isDark);
  std::string title = "Roofline of " + chart.device;
  if (!chart.before.empty())
    title += "; rings: before" + (chart.beforeName.empty() ? "" : " (" + chart.beforeName + ")");
  canvas.text(16, 24, 0, RooflineRole::Text, title);
  if (chart.leftOut > 0)
    canvas.text(width - 30, 24, 1, RooflineRole::Muted,
                "not shown: " + std::to_string(chart.leftOut) + (chart.leftOut == 1 ? " dispatch" : " dispatches") +
                    " whose work is not known");
  drawRoofline(canvas, chart, place);
  char head[400];
  std::snprintf(head, sizeof head,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"DejaVu Sans, sans-serif\" "
                "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
                width, height, width, height, width, height, roofline::colourOf(RooflineRole::Ground, isDark));
  return std::string("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") + head + "<title>" + roofline::escapeXml(title) +
         "</title>\n" + canvas.svg() + "</svg>\n";
}

} // namespace fuselage::message
