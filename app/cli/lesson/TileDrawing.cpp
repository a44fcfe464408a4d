#include "app/cli/lesson/TileDrawing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

namespace fuselage::cli {

namespace {
using Footprint = message::TileFootprint<>;
using Piece = message::TilePiece<>;

/// A value, of which two dimensions are drawn: `rows` downwards, `columns` across.
struct Grid {
  const Footprint *footprint = nullptr;
  int rowDim = -1, columnDim = -1;
  double rows = 1, columns = 1;
  LayoutRect place{};
};

constexpr double gap = 18;
} // namespace

/// The two largest dimensions, in their order.
static Grid gridOf(const Footprint &footprint) {
  const auto &shape = footprint.shape;
  std::vector<int> dims(shape.size());
  std::iota(dims.begin(), dims.end(), 0);
  llvm::stable_sort(dims, [&](int a, int b) { return shape[a] > shape[b]; });
  dims.resize(std::min<size_t>(dims.size(), 2));
  llvm::sort(dims);
  Grid grid{.footprint = &footprint};
  if (dims.size() == 2)
    grid.rowDim = dims.front();
  if (!dims.empty())
    grid.columnDim = dims.back();
  grid.rows = grid.rowDim < 0 ? 1 : double(shape[grid.rowDim]);
  grid.columns = grid.columnDim < 0 ? 1 : double(shape[grid.columnDim]);
  return grid;
}

/// Where runs of a dimension lie; all of it where it is not drawn.
static std::vector<std::pair<double, double>> spans(const Piece &piece, int dim) {
  if (dim < 0)
    return {{0, 1}};
  std::vector<std::pair<double, double>> spans;
  for (const message::TileRun<> &run : piece[dim])
    spans.push_back({double(run.offset), double(run.end())});
  return spans;
}

static void fillPieces(Sketch &sketch, const Grid &grid, const std::vector<Piece> &pieces, const char *color,
                       double opacity) {
  const double x = grid.place.w / grid.columns, y = grid.place.h / grid.rows;
  for (const Piece &piece : pieces)
    for (const auto &[top, bottom] : spans(piece, grid.rowDim))
      for (const auto &[left, right] : spans(piece, grid.columnDim))
        sketch.fill({grid.place.x + left * x, grid.place.y + top * y, (right - left) * x, (bottom - top) * y}, color,
                    opacity);
}

/// The loop that a dimension moves with; null: none, or another one was found for it before.
static const message::TileLoop<> *loopOf(const message::TileReport<> &report, const Grid &grid, int dim,
                                         std::vector<int> &taken) {
  if (dim < 0)
    return nullptr;
  for (const int loop : grid.footprint->movesWith)
    if (report.loops[loop].range == grid.footprint->shape[dim] && !llvm::is_contained(taken, loop)) {
      taken.push_back(loop);
      return &report.loops[loop];
    }
  return nullptr;
}

/// The borders between tiles, where they are not too close, and the smaller tiles at the end.
static void drawCuts(Sketch &sketch, const message::TileReport<> &report, const Grid &grid) {
  constexpr int64_t most = 32;
  std::vector<int> taken;
  const LayoutRect &place = grid.place;
  for (const int dim : {grid.rowDim, grid.columnDim}) {
    const message::TileLoop<> *loop = loopOf(report, grid, dim, taken);
    if (!loop || loop->trips > most)
      continue;
    const bool isRow = dim == grid.rowDim;
    const double step = double(loop->size) / double(loop->range) * (isRow ? place.h : place.w);
    for (int64_t cut = 1; cut < loop->trips; ++cut)
      isRow ? sketch.line({{place.x, place.y + cut * step}, {place.x + place.w, place.y + cut * step}}, "#c4cbd3", 1)
            : sketch.line({{place.x + cut * step, place.y}, {place.x + cut * step, place.y + place.h}}, "#c4cbd3", 1);
    if (const double from = double(loop->trips - 1) * step; loop->lastSize != loop->size)
      sketch.fill(isRow ? LayoutRect{place.x, place.y + from, place.w, place.h - from}
                        : LayoutRect{place.x + from, place.y, place.w - from, place.h},
                  dispatchInk(1).line, 0.3);
  }
}

static void drawGrid(Sketch &sketch, const message::TileReport<> &report, const Grid &grid, int hue) {
  sketch.fill(grid.place, "#eef1f4", 1);
  drawCuts(sketch, report, grid);
  fillPieces(sketch, grid, grid.footprint->pieces, dispatchInk(hue).line, 0.85);
  fillPieces(sketch, grid, grid.footprint->halo, dispatchInk(1).line, 0.9);
  sketch.frame(grid.place, "#8c959f", 1.2);
}

/// What the tile reads: producers with a halo, what the fused producers read, or the op's own inputs.
static std::vector<Grid> sourcesOf(const message::TileReport<> &report) {
  std::vector<Grid> sources;
  const auto add = [&sources](const Footprint &footprint) {
    constexpr size_t most = 3;
    if (!footprint.shape.empty() && !footprint.pieces.empty() && sources.size() < most)
      sources.push_back(gridOf(footprint));
  };
  for (const message::TileProducer<> &producer : report.producers)
    for (const Footprint &result : producer.results)
      if (result.haloElements > 0)
        add(result);
  if (sources.empty())
    for (const Footprint &operand : report.operands)
      if (operand.role == "input" || operand.role == "producer")
        add(operand);
  return sources;
}

static bool isProduct(const std::vector<Grid> &sources, const Grid &result) {
  return sources.size() == 2 && sources[0].rows == result.rows && sources[0].columns == sources[1].rows &&
         sources[1].columns == result.columns;
}

/// The left operand at the left of the result, the right one above it.
static void placeProduct(std::vector<Grid> &sources, Grid &result) {
  const LayoutRect room = Sketch::room();
  const double inner = sources[1].rows;
  const double scale = std::min((room.w - gap) / (inner + result.columns), (room.h - gap) / (inner + result.rows));
  const double x = room.x + (room.w - gap - (inner + result.columns) * scale) / 2;
  const double y = room.y + (room.h - gap - (inner + result.rows) * scale) / 2;
  const double right = x + inner * scale + gap, below = y + inner * scale + gap;
  sources[0].place = {x, below, inner * scale, result.rows * scale};
  sources[1].place = {right, y, result.columns * scale, inner * scale};
  result.place = {right, below, result.columns * scale, result.rows * scale};
}

/// In a row, with an arrow to the result.
static void placeRow(Sketch &sketch, std::vector<Grid> &sources, Grid &result) {
  constexpr double arrow = 40, thin = 10;
  const LayoutRect room = Sketch::room();
  double width = result.columns, height = result.rows;
  for (const Grid &source : sources)
    width += source.columns, height = std::max(height, source.rows);
  const double gaps = sources.empty() ? 0 : arrow + gap * double(sources.size() - 1);
  const double scale = std::min((room.w - gaps) / width, room.h / height);
  double x = room.x + (room.w - gaps - width * scale) / 2;
  const auto place = [&](Grid &grid) {
    const double h = std::max(grid.rows * scale, thin);
    grid.place = {x, room.y + (room.h - h) / 2, grid.columns * scale, h};
    x += grid.place.w;
  };
  for (Grid &source : sources) {
    place(source);
    x += gap;
  }
  if (!sources.empty()) {
    x += arrow - gap;
    sketch.arrow({x - arrow / 2, room.y + room.h / 2});
  }
  place(result);
}

void drawTile(Sketch &sketch, const message::TileReport<> &report) {
  if (report.results.empty())
    return;
  std::vector<Grid> sources = sourcesOf(report);
  Grid result = gridOf(report.results.front());
  if (isProduct(sources, result))
    placeProduct(sources, result);
  else
    placeRow(sketch, sources, result);
  for (const Grid &source : sources)
    drawGrid(sketch, report, source, 0);
  drawGrid(sketch, report, result, 2);
}

} // namespace fuselage::cli
