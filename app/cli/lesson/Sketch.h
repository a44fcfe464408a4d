// A small SVG of boxes and lines.
#pragma once
#include "core/graph/scene/Palette.h"
#include <string>
#include <vector>

namespace fuselage::cli {

class Sketch {
public:
  /// `made`: the command, without the file names, that draws it again.
  explicit Sketch(const std::string &made);
  /// Without its border.
  static LayoutRect room();

  void box(const LayoutRect &rect, const Ink &ink, double corner);
  void fill(const LayoutRect &rect, const char *color, double opacity);
  void frame(const LayoutRect &rect, const char *color, double width);
  void line(const std::vector<LayoutPoint> &points, const char *color, double width = 1.2);
  /// To the right.
  void arrow(LayoutPoint middle);
  std::string take();

private:
  std::string svg_;
};

} // namespace fuselage::cli
