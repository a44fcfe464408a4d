#include "app/cli/lesson/Sketch.h"
#include "core/lessons/MarkdownHtml.h"
#include "llvm/Support/FormatVariadic.h"
#include <utility>

namespace fuselage::cli {

static constexpr double sketchWidth = 320, sketchHeight = 240, sketchBorder = 14;

Sketch::Sketch(const std::string &made) {
  svg_ = llvm::formatv("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n<desc>{2}</desc>\n<rect width=\"{0}\" "
                       "height=\"{1}\" fill=\"{3}\"/>\n",
                       int(sketchWidth), int(sketchHeight), escapeHtml(made), paperColor);
}

LayoutRect Sketch::room() {
  return {sketchBorder, sketchBorder, sketchWidth - 2 * sketchBorder, sketchHeight - 2 * sketchBorder};
}

static std::string shape(const LayoutRect &rect, double corner) {
  return llvm::formatv("<rect x=\"{0:F1}\" y=\"{1:F1}\" width=\"{2:F1}\" height=\"{3:F1}\" rx=\"{4:F0}\"", rect.x,
                       rect.y, rect.w, rect.h, corner);
}

void Sketch::box(const LayoutRect &rect, const Ink &ink, double corner) {
  svg_ += shape(rect, corner) +
          llvm::formatv(" fill=\"{0}\" stroke=\"{1}\" stroke-width=\"1.2\"/>\n", ink.fill, ink.line).str();
}

void Sketch::fill(const LayoutRect &rect, const char *color, double opacity) {
  svg_ += shape(rect, 0) + llvm::formatv(" fill=\"{0}\" fill-opacity=\"{1:F2}\"/>\n", color, opacity).str();
}

void Sketch::frame(const LayoutRect &rect, const char *color, double width) {
  svg_ +=
      shape(rect, 1) + llvm::formatv(" fill=\"none\" stroke=\"{0}\" stroke-width=\"{1:F1}\"/>\n", color, width).str();
}

void Sketch::line(const std::vector<LayoutPoint> &points, const char *color, double width) {
  if (points.size() < 2)
    return;
  svg_ += "<path d=\"";
  for (size_t i = 0; i < points.size(); ++i)
    svg_ += llvm::formatv("{0}{1:F1} {2:F1}", i ? "L" : "M", points[i].x, points[i].y).str();
  svg_ += llvm::formatv("\" fill=\"none\" stroke=\"{0}\" stroke-width=\"{1:F1}\" stroke-linejoin=\"round\" "
                        "stroke-linecap=\"round\"/>\n",
                        color, width)
              .str();
}

void Sketch::arrow(LayoutPoint middle) {
  constexpr double half = 9, tip = 6;
  line({{middle.x - half, middle.y}, {middle.x + half, middle.y}}, mutedTextColor, 2.5);
  line({{middle.x + half - tip, middle.y - tip}, {middle.x + half, middle.y}, {middle.x + half - tip, middle.y + tip}},
       mutedTextColor, 2.5);
}

std::string Sketch::take() {
  svg_ += "</svg>\n";
  return std::move(svg_);
}

} // namespace fuselage::cli
