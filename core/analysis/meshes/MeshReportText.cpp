#include "core/analysis/meshes/MeshReport.h"
#include "core/support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

namespace {

using Report = message::MeshReport<>;
using Row = std::vector<std::string>;

/// "16.38 kB"; decimal units, as in other reports.
std::string bytesText(int64_t bytes) {
  if (bytes < 0)
    return "?";
  Quantity quantity = inUnits(double(bytes), 1000, {"B", "kB", "MB", "GB", "TB"});
  return llvm::formatv(quantity.isScaled ? "{0:f2} {1}" : "{0:f0} {1}", quantity.value, quantity.unit).str();
}

void appendTable(std::string &text, const std::vector<Row> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const Row &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  for (const Row &row : rows) {
    std::string line = " ";
    for (size_t column = 0; column < row.size(); ++column)
      line += " " + row[column] + std::string(widths[column] - row[column].size() + 1, ' ');
    text += llvm::StringRef(line).rtrim().str() + "\n";
  }
}

std::string rightAligned(const std::string &text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// What stands in the grid at each place: rows and columns are the last two axes, and a grid for each place along the
/// others.
void appendGrid(std::string &text, const message::MeshGrid<> &mesh, const std::vector<std::string> &places) {
  const auto &axes = mesh.axes;
  int64_t columns = axes.empty() ? 1 : axes.back().size;
  int64_t rows = axes.size() < 2 ? 1 : axes[axes.size() - 2].size;
  size_t width = 0;
  for (const std::string &place : places)
    width = std::max(width, place.size());
  for (size_t first = 0; first < places.size(); first += size_t(rows * columns)) {
    if (axes.size() > 2) {
      size_t rest = first / size_t(rows * columns);
      std::string title;
      for (size_t axis = axes.size() - 2; axis-- > 0; rest /= size_t(axes[axis].size))
        title = axes[axis].name + "=" + std::to_string(rest % size_t(axes[axis].size)) + (title.empty() ? "" : ", ") +
                title;
      text += "  " + title + "\n";
    }
    for (int64_t row = 0; row < rows; ++row) {
      std::string line = axes.size() < 2 ? "   " : "  " + rightAligned(std::to_string(row), 2);
      for (int64_t column = 0; column < columns; ++column)
        line += "  " + rightAligned(places[first + size_t(row * columns + column)], width);
      text += line + "\n";
    }
  }
}

std::string titleOf(const message::MeshGrid<> &mesh) {
  std::string text = mesh.name.empty() ? "a mesh without a name" : "@" + mesh.name;
  if (mesh.isDerived)
    text = "the mesh of the shardings";
  text += ":";
  for (const auto &axis : mesh.axes)
    text += (text.back() == ':' ? " " : " x ") + axis.name + "=" + std::to_string(axis.size);
  size_t count = mesh.devices.size();
  text += (mesh.axes.empty() ? " " : ", ") + std::to_string(count) + (count == 1 ? " device" : " devices");
  if (mesh.axes.size() >= 2)
    text += "; rows are " + mesh.axes[mesh.axes.size() - 2].name + ", columns " + mesh.axes.back().name;
  return text;
}

void appendMeshes(std::string &text, const Report &report) {
  constexpr size_t maxShown = 1024; // devices
  for (const auto &mesh : report.meshes) {
    text += titleOf(mesh) + "\n";
    std::vector<std::string> places;
    for (int64_t device : mesh.devices)
      places.push_back(std::to_string(device));
    if (places.size() <= maxShown)
      appendGrid(text, mesh, places);
    else
      text += "  (too many to be drawn as text; json lists them)\n";
  }
}

std::string shapeText(const message::MeshLayout<> &layout) {
  std::string text;
  for (const auto &dim : layout.dims)
    text += (text.empty() ? "" : "x") + (dim.shard < 0 ? "?" : std::to_string(dim.shard));
  return layout.dims.empty() ? "scalar" : text;
}

std::string axesText(const std::vector<std::string> &axes) { return axes.empty() ? "-" : llvm::join(axes, ", "); }

/// "1: model, 2: data"
std::string splitText(const message::MeshLayout<> &layout) {
  std::string text;
  for (size_t dim = 0; dim < layout.dims.size(); ++dim)
    if (!layout.dims[dim].axes.empty() || layout.dims[dim].parts > 1)
      text += (text.empty() ? "" : "; ") + std::to_string(dim) + ": " + axesText(layout.dims[dim].axes) + " (" +
              std::to_string(layout.dims[dim].parts) + ")" + (layout.dims[dim].padding > 0 ? ", padded" : "");
  return text.empty() ? "-" : text;
}

void appendValues(std::string &text, const Report &report) {
  if (report.values.empty())
    return;
  text += "\nvalues that say how they lie:\n";
  std::vector<Row> rows{{"value", "of", "type", "split by", "same along", "summands along", "device has", "bytes"}};
  std::string problems;
  for (const auto &value : report.values) {
    std::string place = (value.function.empty() ? value.opName : "@" + value.function) +
                        (value.line > 0 ? " (line " + std::to_string(value.line) + ")" : "");
    if (value.layout < 0) {
      problems += "  " + value.name + " of " + place + ": " + value.sharding + (value.sharding.empty() ? "" : ": ") +
                  value.problem + "\n";
      continue;
    }
    const auto &layout = report.layouts[size_t(value.layout)];
    rows.push_back({value.name + (value.isLocal ? " (a part)" : ""), place, layout.type, splitText(layout),
                    axesText(layout.replicated), axesText(layout.unreduced), shapeText(layout),
                    bytesText(layout.shardBytes) + " of " + bytesText(layout.bytes)});
  }
  if (rows.size() > 1)
    appendTable(text, rows);
  if (!problems.empty())
    text += "of these it is not known:\n" + problems;
}

void appendCollectives(std::string &text, const Report &report) {
  if (report.collectives.empty())
    return;
  text += "\ncollectives, and the bytes that a device sends at most:\n";
  std::vector<Row> rows{{"op", "line", "what", "over", "devices", "buffer", "sends", "how"}};
  for (const auto &op : report.collectives) {
    std::string how = op.formula;
    if (size_t at = how.find("{0}"); at != std::string::npos)
      how.replace(at, 3, "the buffer");
    rows.push_back({op.name + " " + op.opName, op.line > 0 ? std::to_string(op.line) : "",
                    op.kind + (op.reduction.empty() ? "" : " (" + op.reduction + ")"), axesText(op.axes),
                    op.groupSize < 0 ? "?" : std::to_string(op.groups) + " x " + std::to_string(op.groupSize),
                    bytesText(op.bytes), op.isAnnotation ? "?" : bytesText(op.moved), how});
  }
  appendTable(text, rows);
  text +=
      "A ring sends that much, and no algorithm less (Patarasuk and Yuan 2009); latency and links are not counted.\n";
  std::string moves;
  for (const auto &op : report.collectives)
    for (const auto &move : op.moves)
      moves += "  " + op.name + " " + op.opName + (op.line > 0 ? " (line " + std::to_string(op.line) + ")" : "") +
               ": " + move.sentence +
               (move.isAllowed && move.bytes > 0 ? "; fusing these saves " + bytesText(move.bytes) : std::string()) +
               "\n";
  if (!moves.empty())
    text += "\nmoves:\n" + moves;
}

/// The parts of a value on its mesh: a letter would not do for many parts, so that their numbers are shown.
void appendParts(std::string &text, const Report &report, size_t number) {
  const auto &value = report.values[number];
  text += "\n" + value.name + ": " + value.sharding + "\n";
  if (value.layout < 0) {
    text += "  " + value.problem + "\n";
    return;
  }
  const auto &layout = report.layouts[size_t(value.layout)];
  const auto &mesh = report.meshes[size_t(layout.mesh)];
  for (size_t dim = 0; dim < layout.dims.size(); ++dim) {
    const auto &entry = layout.dims[dim];
    std::string size = entry.size < 0 ? "dynamic" : std::to_string(entry.size);
    text += "  dimension " + std::to_string(dim) + ": " + size;
    text +=
        entry.parts == 1 ? ", whole" : ", in " + std::to_string(entry.parts) + " parts over " + axesText(entry.axes);
    if (entry.padding > 0)
      text += "; the last parts are padded by " + std::to_string(entry.padding) + " in all";
    text += "\n";
  }
  text += "  " + layout.type + ": a device has " + shapeText(layout) + ", " + bytesText(layout.shardBytes) + " of " +
          bytesText(layout.bytes) + "\n  the part that each device has:\n";
  std::vector<std::string> places;
  for (int64_t part : layout.places)
    places.push_back("#" + std::to_string(part));
  appendGrid(text, mesh, places);
  for (size_t place = 0; place < mesh.devices.size(); ++place)
    text += "  device " + std::to_string(mesh.devices[place]) + ": #" + std::to_string(layout.places[place]) + " " +
            meshRanges(layout, place) + "\n";
}

} // namespace

std::string meshRanges(const message::MeshLayout<> &layout, size_t place) {
  std::string text = "[";
  for (const auto &dim : layout.dims) {
    size_t part = size_t(dim.places[place]);
    text += text.size() > 1 ? ", " : "";
    text += part < dim.begins.size() ? std::to_string(dim.begins[part]) + ":" + std::to_string(dim.ends[part]) : "?";
  }
  return text + "]";
}

std::string formatMeshReport(const Report &report, int value) {
  if (report.empty())
    return "The module says nothing of meshes: it has no sdy.mesh, shard.grid, mhlo.sharding or collective.\n";
  std::string text;
  appendMeshes(text, report);
  if (value >= 0) {
    appendParts(text, report, size_t(value));
    return text;
  }
  appendValues(text, report);
  appendCollectives(text, report);
  if (!report.problems.empty())
    text += "\nwhat could not be read:\n";
  for (const auto &problem : report.problems)
    text += "  " + (problem.line > 0 ? "line " + std::to_string(problem.line) + ": " : std::string()) +
            problem.message + "\n";
  return text;
}

int findMeshValue(const Report &report, llvm::StringRef name) {
  for (const auto &[number, value] : llvm::enumerate(report.values)) {
    llvm::StringRef own = value.name;
    bool isIt =
        own == name || (own.consume_front("%") && own == name) || "@" + value.function + "/" + value.name == name;
    if (isIt)
      return int(number);
  }
  return -1;
}

} // namespace fuselage
