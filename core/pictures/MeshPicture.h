// A mesh of devices as a grid, its devices colored by the part of a value that they have. Free of Qt and MLIR.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fuselage::picture {

/// What is drawn. Places are numbered in row-major order.
struct MeshSubject {
  std::string title;                                 ///< "@mesh"
  std::vector<std::pair<std::string, int64_t>> axes; ///< name, size
  std::vector<int64_t> devices;                      ///< by place
  std::vector<int64_t> parts{};                      ///< by place: the part that it has; empty: no value is shown
  std::vector<std::string> ranges{};                 ///< by place: "[0:16, 0:64]"
  std::vector<std::string> below{};                  ///< lines under the grid
};

struct MeshCell {
  double x, y, width, height;
  int64_t device;
  int64_t part;      ///< -1: no value is shown
  std::string range; ///< empty: there is no room, or no value
};
struct MeshLabel {
  double x, y; ///< of the baseline; x of the middle, or of the begin
  std::string text;
  bool isCentered = false, isTitle = false;
};
struct MeshDrawing {
  double width = 0, height = 0;
  std::vector<MeshCell> cells{};
  std::vector<MeshLabel> labels{};
};

/// Rows and columns are the last two axes; there is a grid for each place along the others, side by side as far as
/// `width` has room for them. `textWidth`: of a text in the font of the cells.
template <class TextWidth> MeshDrawing drawMesh(const MeshSubject &subject, double width, TextWidth textWidth);

/// Parts whose numbers differ by that share a color.
inline constexpr int partColors = 12;
/// The accent of a part, from the palette of dispatches: parts that follow each other differ.
unsigned partColor(int64_t part, bool isDark);

/// The drawing as an SVG file.
std::string meshSvg(const MeshSubject &subject, bool isDark);

//===-- Inline -----------------------------------------------------------------===//

inline constexpr double meshLine = 18; ///< from one line of text to the next

template <class TextWidth> MeshDrawing drawMesh(const MeshSubject &subject, double width, TextWidth textWidth) {
  const auto &axes = subject.axes;
  const size_t rank = axes.size();
  const auto columns = size_t(rank < 1 ? 1 : axes[rank - 1].second),
             rows = size_t(rank < 2 ? 1 : axes[rank - 2].second);
  double cellWidth = 44;
  for (const std::string &range : subject.ranges)
    cellWidth = std::max(cellWidth, textWidth(range) + 12);
  const double cellHeight = subject.parts.empty() ? 30 : 44, margin = 10, gap = 16;
  // Names of rows stand on the left, those of columns above.
  double left = 0;
  for (size_t row = 0; rank >= 2 && row < rows; ++row)
    left = std::max(left, textWidth(axes[rank - 2].first + " " + std::to_string(row)) + 8);
  const double gridWidth = left + double(columns) * cellWidth, top = rank >= 1 ? meshLine : 0;
  const double sliceTop = rank > 2 ? meshLine : 0, gridHeight = sliceTop + top + double(rows) * cellHeight;
  const size_t slices = subject.devices.size() / std::max<size_t>(1, rows * columns);
  const auto across = size_t(std::max(1.0, (width - 2 * margin + gap) / (gridWidth + gap)));
  MeshDrawing drawing{.width =
                          2 * margin + double(std::min(across, std::max<size_t>(slices, 1))) * (gridWidth + gap) - gap};
  drawing.labels.push_back({.x = margin, .y = margin + 12, .text = subject.title, .isTitle = true});
  const double begin = margin + meshLine + 6;
  for (size_t slice = 0; slice < slices; ++slice) {
    const double x0 = margin + double(slice % across) * (gridWidth + gap);
    double y0 = begin + double(slice / across) * (gridHeight + gap);
    if (rank > 2) {
      std::string name;
      size_t rest = slice;
      for (size_t axis = rank - 2; axis-- > 0; rest /= size_t(axes[axis].second))
        name = axes[axis].first + " " + std::to_string(rest % size_t(axes[axis].second)) + (name.empty() ? "" : ", ") +
               name;
      drawing.labels.push_back({.x = x0, .y = y0 + 12, .text = name, .isTitle = true});
      y0 += sliceTop;
    }
    for (size_t column = 0; rank >= 1 && column < columns; ++column)
      drawing.labels.push_back(
          {.x = x0 + left + (double(column) + 0.5) * cellWidth,
           .y = y0 + 12,
           .text = (column == 0 ? axes[rank - 1].first + " " : std::string()) + std::to_string(column),
           .isCentered = true});
    for (size_t row = 0; row < rows; ++row) {
      const double y = y0 + top + double(row) * cellHeight;
      if (rank >= 2)
        drawing.labels.push_back(
            {.x = x0, .y = y + cellHeight / 2 + 4, .text = axes[rank - 2].first + " " + std::to_string(row)});
      for (size_t column = 0; column < columns; ++column) {
        const size_t place = slice * rows * columns + row * columns + column;
        drawing.cells.push_back({.x = x0 + left + double(column) * cellWidth,
                                 .y = y,
                                 .width = cellWidth,
                                 .height = cellHeight,
                                 .device = subject.devices[place],
                                 .part = subject.parts.empty() ? -1 : subject.parts[place],
                                 .range = subject.ranges.empty() ? std::string() : subject.ranges[place]});
      }
    }
  }
  const size_t gridRows = (slices + across - 1) / across;
  double y = begin + double(gridRows) * (gridHeight + gap) + 4;
  for (const std::string &line : subject.below) {
    drawing.labels.push_back({.x = margin, .y = y + 8, .text = line});
    drawing.width = std::max(drawing.width, 2 * margin + textWidth(line));
    y += meshLine;
  }
  drawing.width = std::max(drawing.width, 2 * margin + 1.1 * textWidth(subject.title));
  drawing.height = y + margin;
  return drawing;
}

} // namespace fuselage::picture
