#include "app/cli/Commands.h"
#include "app/cli/CommonOptions.h"
#include "app/cli/Input.h"
#include "core/analysis/meshes/MeshReport.h"
#include "core/pictures/MeshPicture.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/support/OutputFile.h"

namespace fuselage::cli {

namespace {

using Report = message::MeshReport<>;

int lineInFile(mlir::Operation *op, int64_t) { return int(positionOf(op->getLoc()).line); }

/// Values are those of the file as it is written: ops that the normalization lowers say how they lie. Collectives are
/// those of the normalized module, whose neighbors are known.
Report reportOf(mlir::ModuleOp normalized, mlir::ModuleOp written) {
  Report report = reportMeshes(normalized, lineInFile);
  if (!written)
    return report;
  Report asWritten = reportMeshes(written, lineInFile);
  // A mesh of GSPMD's shardings is derived from all of them.
  for (auto &collective : asWritten.collectives)
    for (const auto &other : report.collectives)
      if (other.line == collective.line && other.kind == collective.kind && other.opName == collective.opName)
        collective.moves = other.moves;
  return asWritten;
}

picture::MeshSubject subjectOf(const Report &report, int value) {
  int mesh = 0;
  const message::MeshLayout<> *layout = nullptr;
  if (value >= 0) {
    layout = &report.layouts[size_t(report.values[size_t(value)].layout)];
    mesh = layout->mesh;
  }
  const auto &grid = report.meshes[size_t(mesh)];
  picture::MeshSubject subject{
      .title = grid.name.empty() ? "mesh" : "@" + grid.name, .axes = {}, .devices = grid.devices};
  for (const auto &axis : grid.axes)
    subject.axes.push_back({axis.name, axis.size});
  if (!layout)
    return subject;
  const auto &shown = report.values[size_t(value)];
  subject.title = shown.name + ": " + layout->type + " on " + subject.title;
  subject.parts = layout->places;
  for (size_t place = 0; place < grid.devices.size(); ++place)
    subject.ranges.push_back(meshRanges(*layout, place));
  subject.below.push_back(shown.sharding);
  return subject;
}

std::string complain(const Report &report, const std::string &name, int value) {
  if (value < 0)
    return "no value '" + name + "' says how it lies on a mesh; without --value, the command lists those that do";
  const auto &found = report.values[size_t(value)];
  return found.layout < 0 ? "how " + found.name + " lies is not known: " + found.problem : std::string();
}

} // namespace

int meshCommand(Arguments arguments) {
  std::string format = "text", output = "-", name, theme = "light";
  Options options(
      "mesh", "FILE",
      "Shows meshes of devices, how values lie on them, and what collectives move: of Shardy (sdy), of MLIR's "
      "shard dialect (mesh until 2025), of StableHLO and MHLO, and of GSPMD's mhlo.sharding.\n\nTypes are "
      "those of the file. In a program that is not partitioned they are of whole tensors; in a manual "
      "computation, and after partitioning, of the part that one device has.");
  options.text(
      "value", "NAME",
      "one value: the part of it that each device has; NAME as in the list, such as %arg0, @main/%3 or 'result 0'",
      name);
  options.choice("format", {"text", "json", "svg"}, "tables, everything as JSON, or the grid as a picture", format);
  options.choice("theme", {"light", "dark"}, "colors of the picture", theme);
  options.text("output", "OUT", "where to write; - is standard output (default)", output, 'o');
  declarePlugins(options);
  options.example("fuselage mesh model.mlir");
  options.example("fuselage mesh model.mlir --value %arg1");
  options.example("fuselage mesh model.mlir --value %arg1 --format svg -o arg1.svg");
  if (auto code = options.parse(arguments))
    return *code;

  Session session(allDialects());
  int exitCode = ExitOk;
  mlir::OwningOpRef<mlir::ModuleOp> written;
  auto input = openModule(session, options.positional(), exitCode, &written);
  if (!input)
    return reportFailure(input.takeError());
  Report report = reportOf(*input->module, written ? *written : mlir::ModuleOp());
  int value = name.empty() ? -1 : findMeshValue(report, name);
  if (std::string problem = name.empty() ? std::string() : complain(report, name, value); !problem.empty())
    return reportFailure(fail(problem));
  if (format == "svg" && report.meshes.empty())
    return reportFailure(fail("the module has no mesh to draw"));
  std::string text = format == "json"  ? message::jsonText(report)
                     : format == "svg" ? picture::meshSvg(subjectOf(report, value), theme == "dark")
                                       : formatMeshReport(report, value);
  if (llvm::Error error = writeOutputFile(output, text))
    return reportFailure(std::move(error));
  return exitCode;
}

} // namespace fuselage::cli
