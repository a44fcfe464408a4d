#include "core/analysis/costs/ValueBytes.h"
#include "core/analysis/tiles/TileReport.h"
#include "core/ir/Session.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {
namespace {

constexpr size_t maxPieces = 256; ///< of a region; `pieces_total` tells how many there are

template <typename T> std::string print(const T &what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  what.print(os);
  return llvm::json::fixUTF8(text);
}

llvm::json::Value axisJSON(const Axis &axis) {
  llvm::json::Array runs;
  for (const IntRun &run : axis.set.runs()) {
    bool isInterval = run.count == 1;
    llvm::json::Object json{{"offset", run.begin},
                            {"size", isInterval ? run.width : run.count},
                            {"stride", isInterval ? 1 : run.stride}};
    if (!isInterval && run.width > 1)
      json["width"] = run.width;
    runs.push_back(std::move(json));
  }
  return runs;
}

llvm::json::Array piecesJSON(const Region &region) {
  llvm::json::Array pieces;
  for (const Product &piece : llvm::ArrayRef(region.pieces).take_front(maxPieces)) {
    llvm::json::Array axes;
    for (const Axis &axis : piece)
      axes.push_back(axisJSON(axis));
    pieces.push_back(std::move(axes));
  }
  return pieces;
}

llvm::json::Array boxJSON(const Region &region) {
  llvm::json::Array box;
  for (const Axis &axis : region.hull())
    box.push_back(llvm::json::Object{{"offset", axis.set.lo()}, {"size", axis.set.span()}});
  return box;
}

llvm::json::Array loopsJSON(unsigned loops) {
  llvm::json::Array list;
  for (unsigned loop = 0; loop < 32; ++loop)
    if (loops >> loop & 1)
      list.push_back(int64_t(loop));
  return list;
}

/// Null where it is unknown.
llvm::json::Value known(double value) {
  return value < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(value);
}
llvm::json::Value knownCount(int64_t value) {
  return value < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(value);
}

llvm::json::Value footprintJSON(const Footprint &footprint, const TileNames &names) {
  auto type = mlir::cast<mlir::ShapedType>(footprint.value.getType());
  int64_t elements = footprint.touched.size();
  return llvm::json::Object{
      {"name", llvm::json::fixUTF8(names.value(footprint.value))},
      {"type", print(footprint.value.getType())},
      {"shape", llvm::json::Array(type.getShape())},
      {"role", footprint.role},
      {"map", footprint.map ? llvm::json::Value(print(footprint.map)) : llvm::json::Value(nullptr)},
      {"note", footprint.note},
      {"moves_with", loopsJSON(footprint.loops)},
      {"exact", footprint.isExact},
      {"place_known", footprint.isPlaceKnown},
      {"elements", knownCount(elements)},
      {"bytes", knownCount(bytesOfElements(type, elements))},
      {"box", boxJSON(footprint.touched)},
      {"pieces", piecesJSON(footprint.touched)},
      {"pieces_total", int64_t(footprint.touched.pieces.size())},
      {"slice_elements", knownCount(footprint.slices.size())},
      {"halo_elements", knownCount(footprint.halo.size())},
      {"halo", piecesJSON(footprint.halo)},
  };
}

llvm::json::Array footprintsJSON(const std::vector<Footprint> &footprints, const TileNames &names) {
  llvm::json::Array list;
  for (const Footprint &footprint : footprints)
    list.push_back(footprintJSON(footprint, names));
  return list;
}

llvm::json::Object opJSON(mlir::Operation *op, const TileNames &names) {
  return llvm::json::Object{{"name", op->getNumResults() ? llvm::json::fixUTF8(names.value(op->getResult(0))) : ""},
          {"op", op->getName().getStringRef().str()},
          {"id", names.op(op)},
          {"loc", llvm::json::fixUTF8(formatPosition(positionOf(op->getLoc())))}};
}

llvm::json::Value costJSON(const TileCost &cost) {
  return llvm::json::Object{{"flops", known(cost.flops)}, {"bytes", known(cost.bytes)}, {"bytes_at_most", cost.bytesAtMost}, {"intensity", known(cost.intensity())}};
}

llvm::json::Value producerJSON(const ProducerReport &producer, const TileNames &names) {
  llvm::json::Object json = opJSON(producer.op, names);
  json["view"] = producer.isView;
  json["domain"] = llvm::json::Array(producer.domain);
  json["points"] = knownCount(producer.points);
  json["slice_points"] = knownCount(producer.slicePoints);
  json["all_points"] = knownCount(producer.allPoints);
  json["all_slice_points"] = knownCount(producer.allSlicePoints);
  json["recompute"] = known(producer.recompute());
  json["slice_recompute"] = known(producer.sliceRecompute());
  json["other_users"] = producer.hasOtherUsers;
  json["results"] = footprintsJSON(producer.results, names);
  json["inputs"] = footprintsJSON(producer.inputs, names);
  return json;
}

} // namespace

llvm::json::Value toJSON(const TileReport &report, const TileNames &names) {
  llvm::json::Array loops, producers;
  for (auto [index, loop] : llvm::enumerate(report.loops))
    loops.push_back(llvm::json::Object{{"name", "d" + std::to_string(index)},
                                       {"iterator", loop.isReduction ? "reduction" : "parallel"},
                                       {"range", loop.range},
                                       {"size", loop.size},
                                       {"trips", loop.trips},
                                       {"last_size", loop.lastSize},
                                       {"uneven", loop.lastSize != loop.size}});
  for (const ProducerReport &producer : report.producers)
    producers.push_back(producerJSON(producer, names));
  auto function = report.op->getParentOfType<mlir::FunctionOpInterface>();
  llvm::json::Array notes;
  for (const std::string &note : report.notes)
    notes.push_back(llvm::json::fixUTF8(note));
  return llvm::json::Object{
      {"version", 1},
      {"function", function ? llvm::json::fixUTF8(function.getName()) : ""},
      {"op", opJSON(report.op, names)},
      {"notes", std::move(notes)},
      {"loops", std::move(loops)},
      {"order", llvm::json::Array(report.order)},
      {"tiles", report.tiles},
      {"tile", llvm::json::Array(report.tile)},
      {"tile_number", report.tileNumber},
      {"operands", footprintsJSON(report.operands, names)},
      {"results", footprintsJSON(report.results, names)},
      {"producers", std::move(producers)},
      {"outside", footprintsJSON(report.outside, names)},
      {"workgroup_bytes", knownCount(report.workgroupBytes)},
      {"max_workgroup_bytes", knownCount(report.maxWorkgroupBytes)},
      {"workgroup_limit", report.workgroupLimit > 0 ? llvm::json::Value(report.workgroupLimit) : llvm::json::Value(nullptr)},
      {"device", llvm::json::fixUTF8(report.device)},
      {"costs", llvm::json::Object{{"separate", costJSON(report.separate)},
                                   {"untiled", costJSON(report.untiled)},
                                   {"tiled", costJSON(report.tiled)},
                                   {"fused", report.fuses ? costJSON(report.fused) : llvm::json::Value(nullptr)}}},
      {"complete", report.isComplete}};
}

} // namespace fuselage
