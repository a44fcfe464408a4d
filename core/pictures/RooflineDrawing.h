// How a roofline chart is drawn, on whatever can draw lines and texts: the window's painter, or an SVG file.
#pragma once
#include "core/pictures/Roofline.h"

namespace fuselage::message {

/// What a stroke or a text stands for; who draws knows its colour.
enum class RooflineRole { Ground, Grid, Text, Muted, Memory, Compute, Point, Before, Wrong, Selected };

/// Where the chart lies, in pixels.
struct RooflinePlace {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

/// From values to pixels, logarithmic both ways.
class RooflineScale {
public:
  RooflineScale(const RooflineChart &chart, const RooflinePlace &place) : chart_(chart), place_(place) {}
  double x(double intensity) const { return place_.left + place_.width * along(intensity, chart_.xLow, chart_.xHigh); }
  double y(double gflops) const { return place_.bottom() - place_.height * along(gflops, chart_.yLow, chart_.yHigh); }

private:
  static double along(double value, int low, int high) {
    constexpr double tiny = 1e-12;
    return (std::log10(std::max(value, tiny)) - low) / std::max(1, high - low);
  }
  const RooflineChart &chart_;
  RooflinePlace place_;
};

/// What is set apart; indices into `now`, -1: none.
struct RooflineFocus {
  int selected = -1, hovered = -1;
};

namespace roofline {

inline std::string powerText(int power) {
  char text[40];
  if (power >= 0 && power <= 6)
    std::snprintf(text, sizeof text, "%.0f", std::pow(10.0, power));
  else if (power < 0 && power >= -3)
    std::snprintf(text, sizeof text, "%.*f", -power, std::pow(10.0, power));
  else
    std::snprintf(text, sizeof text, "1e%d", power);
  return text;
}

/// "123 GB/s", "1.2 TFLOP/s"
inline std::string rateText(const RooflinePeak &peak) {
  bool isMemory = peak.kind == PeakKind::Bandwidth;
  double value = peak.rate;
  bool isLarge = value >= 999.5; // three digits of less would be 1e+03
  char text[60];
  std::snprintf(text, sizeof text, "%.3g %s", isLarge ? value / 1000 : value,
                isMemory ? (isLarge ? "TB/s" : "GB/s") : (isLarge ? "TFLOP/s" : "GFLOP/s"));
  return peak.name + ", " + text;
}

/// Texts that have their place already: what would cover one is left out.
class Labels {
public:
  bool take(double left, double top, double width, double height) {
    for (const Box &box : taken_)
      if (left < box.left + box.width && box.left < left + width && top < box.top + box.height &&
          box.top < top + height)
        return false;
    taken_.push_back({left, top, width, height});
    return true;
  }

private:
  struct Box {
    double left, top, width, height;
  };
  std::vector<Box> taken_;
};

template <class Canvas> class Drawing {
public:
  Drawing(Canvas &canvas, const RooflineChart &chart, const RooflinePlace &place, const RooflineFocus &focus)
      : canvas_(canvas), chart_(chart), place_(place), scale_(chart, place), focus_(focus) {}

  void draw() {
    grid();
    peaks();
    for (const RooflineArrow &arrow : chart_.arrows)
      drawArrow(arrow);
    for (const RooflinePoint &point : chart_.before)
      canvas_.ring(scale_.x(point.intensity), scale_.y(point.gflops), pointRadius - 1, RooflineRole::Before);
    limits();
    for (int i = 0; i < int(chart_.now.size()); ++i)
      if (i != focus_.selected)
        point(i);
    if (focus_.selected >= 0 && focus_.selected < int(chart_.now.size()))
      point(focus_.selected);
    names();
  }

private:
  static constexpr double pointRadius = 4.5, minorAlpha = 0.4;
  static constexpr size_t fewPoints = 24, namedPoints = 8;

  void grid() {
    double lineHeight = canvas_.lineHeight();
    for (int power = chart_.xLow; power <= chart_.xHigh; ++power) {
      double x = scale_.x(std::pow(10.0, power));
      canvas_.line(x, place_.top, x, place_.bottom(), RooflineRole::Grid, 1);
      canvas_.text(x, place_.bottom() + lineHeight, 0.5, RooflineRole::Muted, powerText(power));
    }
    // A decade's label each where there is room for it.
    int step = 1;
    while (step < 8 && place_.height / std::max(1, chart_.yHigh - chart_.yLow) * step < lineHeight * 1.4)
      ++step;
    for (int power = chart_.yLow; power <= chart_.yHigh; ++power) {
      double y = scale_.y(std::pow(10.0, power));
      canvas_.line(place_.left, y, place_.right(), y, RooflineRole::Grid, 1);
      if ((power - chart_.yLow) % step == 0)
        canvas_.text(place_.left - 6, y + lineHeight * 0.3, 1, RooflineRole::Muted, powerText(power));
    }
    canvas_.text(place_.left + place_.width / 2, place_.bottom() + 2.1 * lineHeight, 0.5, RooflineRole::Muted,
                 "operations a byte of memory");
    canvas_.text(place_.left - 6, place_.top - lineHeight * 0.8, 1, RooflineRole::Muted, "GFLOP/s");
  }

  void peaks() {
    double low = std::pow(10.0, chart_.xLow), high = std::pow(10.0, chart_.xHigh), floor = std::pow(10.0, chart_.yLow);
    const RooflinePeak *compute = chart_.best(PeakKind::Compute), *memory = chart_.best(PeakKind::Bandwidth);
    double ceiling = compute ? compute->rate : std::pow(10.0, chart_.yHigh);
    for (const RooflinePeak &peak : chart_.peaks) {
      std::string text = rateText(peak);
      double width = canvas_.textWidth(text), height = canvas_.lineHeight();
      if (peak.kind == PeakKind::Compute) {
        double from = memory ? std::max(low, peak.rate / memory->rate) : low, y = scale_.y(peak.rate);
        canvas_.line(scale_.x(from), y, scale_.x(high), y, RooflineRole::Compute, 2);
        double top = y - height - 2;
        while (!labels_.take(place_.right() - width - 4, top, width, height) && top > place_.top - height)
          top -= height;
        canvas_.text(place_.right() - 4, top + height * 0.8, 1, RooflineRole::Compute, text);
        continue;
      }
      double from = std::max(low, floor / peak.rate), to = std::min(high, ceiling / peak.rate);
      if (from >= to)
        continue;
      canvas_.line(scale_.x(from), scale_.y(from * peak.rate), scale_.x(to), scale_.y(to * peak.rate),
                   RooflineRole::Memory, 2);
      // The fastest memory's name stands left above its line, the others' right below theirs, where nothing stands yet.
      bool isFastest = &peak == memory;
      constexpr double lift = 6;
      for (double part = 0.75; part > 0.1; part -= 0.1) {
        double at = std::pow(10.0, std::log10(from) + part * (std::log10(to) - std::log10(from)));
        double x = scale_.x(at), y = scale_.y(at * peak.rate);
        double left = isFastest ? std::max(place_.left + 4, x - 8 - width) : x + 8,
               base = isFastest ? y - lift : y + height;
        if (!labels_.take(left, base - height * 0.8, width, height))
          continue;
        canvas_.text(left, base, 0, RooflineRole::Memory, text);
        break;
      }
    }
  }

  void drawArrow(const RooflineArrow &arrow) {
    const RooflinePoint &from = chart_.before[arrow.from], &to = chart_.now[arrow.to];
    double x0 = scale_.x(from.intensity), y0 = scale_.y(from.gflops), x1 = scale_.x(to.intensity),
           y1 = scale_.y(to.gflops);
    double length = std::hypot(x1 - x0, y1 - y0);
    if (length < 3 * pointRadius)
      return; // it has not moved
    double dx = (x1 - x0) / length, dy = (y1 - y0) / length;
    x1 -= dx * (pointRadius + 2), y1 -= dy * (pointRadius + 2);
    canvas_.line(x0 + dx * pointRadius, y0 + dy * pointRadius, x1, y1, RooflineRole::Before, 1.2);
    constexpr double head = 7, slant = 0.45;
    for (double side : {-1.0, 1.0})
      canvas_.line(x1, y1, x1 - head * (dx + side * slant * -dy), y1 - head * (dy + side * slant * dx),
                   RooflineRole::Before, 1.2);
  }

  bool isSetApart(int index) const { return index == focus_.selected || index == focus_.hovered; }

  /// From a point up to what its limit would allow.
  void limits() {
    for (int i = 0; i < int(chart_.now.size()); ++i) {
      const RooflinePoint &point = chart_.now[i];
      if (point.attainable <= 0 || (chart_.now.size() > fewPoints && !isSetApart(i)))
        continue;
      double x = scale_.x(point.intensity), y = scale_.y(point.gflops), top = scale_.y(point.attainable);
      RooflineRole role = isSetApart(i) ? RooflineRole::Selected : RooflineRole::Muted;
      if (std::abs(y - top) > pointRadius)
        canvas_.dotted(x, y, x, top, role);
      canvas_.line(x - pointRadius, top, x + pointRadius, top, role, 1.5);
    }
  }

  void point(int index) {
    const RooflinePoint &point = chart_.now[index];
    double x = scale_.x(point.intensity), y = scale_.y(point.gflops);
    RooflineRole role = index == focus_.selected ? RooflineRole::Selected
                        : point.isWrong          ? RooflineRole::Wrong
                                                 : RooflineRole::Point;
    if (point.movesOnly)
      canvas_.diamond(x, y, pointRadius + 1, role);
    else
      canvas_.dot(x, y, pointRadius, role);
    if (isSetApart(index))
      canvas_.ring(x, y, pointRadius + 4, RooflineRole::Selected);
  }

  /// All names where there are few; else those of the dearest and what is set apart.
  void names() {
    std::vector<int> order(chart_.now.size());
    for (int i = 0; i < int(order.size()); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return isSetApart(a) != isSetApart(b) ? isSetApart(a) : chart_.now[a].us > chart_.now[b].us;
    });
    size_t most = order.size() <= fewPoints ? order.size() : namedPoints, named = 0;
    double height = canvas_.lineHeight();
    for (int index : order) {
      if (named == most)
        break;
      const RooflinePoint &point = chart_.now[index];
      std::string text = shortName(point.name);
      double width = canvas_.textWidth(text), x = scale_.x(point.intensity) + pointRadius + 4,
             y = scale_.y(point.gflops);
      bool isLeft = x + width > place_.right();
      if (isLeft)
        x -= width + 2 * (pointRadius + 4);
      // Beside, below, above.
      for (double down : {0.35, 1.2, -0.5})
        if (labels_.take(x, y + (down - 0.8) * height, width, height)) {
          canvas_.text(x, y + down * height, 0, isSetApart(index) ? RooflineRole::Selected : RooflineRole::Text, text);
          break;
        }
      ++named;
    }
  }

  /// Without what all have in common in front: "main_dispatch_3_matmul_8x8" is "3_matmul_8x8".
  std::string shortName(const std::string &name) const {
    constexpr size_t most = 34;
    size_t at = name.find("dispatch_");
    std::string text = at == std::string::npos ? name : name.substr(at + 9);
    return text.size() <= most ? text : text.substr(0, most - 2) + "..";
  }

  Canvas &canvas_;
  const RooflineChart &chart_;
  RooflinePlace place_;
  RooflineScale scale_;
  RooflineFocus focus_;
  Labels labels_;
};

} // namespace roofline

/// `Canvas` has line, dotted, dot, ring, diamond, text (x, baseline, 0 for left-aligned to 1 for right-aligned),
/// textWidth and lineHeight.
template <class Canvas>
void drawRoofline(Canvas &canvas, const RooflineChart &chart, const RooflinePlace &place,
                  const RooflineFocus &focus = {}) {
  roofline::Drawing<Canvas>(canvas, chart, place, focus).draw();
}

} // namespace fuselage::message
