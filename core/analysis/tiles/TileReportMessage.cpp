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
  return text;
}

message::TileAxis<> messageOf(const Axis &axis) {
  message::TileAxis<> runs;
  for (const IntRun &run : axis.set.runs()) {
    bool isInterval = run.count == 1;
    runs.push_back({.offset = run.begin,
                    .size = isInterval ? run.width : run.count,
                    .stride = isInterval ? 1 : run.stride,
                    .width = isInterval ? 1 : run.width});
  }
  return runs;
}

std::vector<message::TilePiece<>> piecesOf(const Region &region) {
  std::vector<message::TilePiece<>> pieces;
  for (const Product &piece : llvm::ArrayRef(region.pieces).take_front(maxPieces)) {
    message::TilePiece<> &axes = pieces.emplace_back();
    for (const Axis &axis : piece)
      axes.push_back(messageOf(axis));
  }
  return pieces;
}

std::vector<int> loopsOf(unsigned bits) {
  std::vector<int> list;
  for (int loop = 0; loop < 32; ++loop)
    if (bits >> loop & 1)
      list.push_back(loop);
  return list;
}

message::TileFootprint<> messageOf(const Footprint &footprint, const TileNames &names) {
  auto type = mlir::cast<mlir::ShapedType>(footprint.value.getType());
  int64_t elements = footprint.touched.size();
  message::TileFootprint<> message{.name = names.value(footprint.value),
                                   .type = print(footprint.value.getType()),
                                   .shape = type.getShape().vec(),
                                   .role = footprint.role,
                                   .map = footprint.map ? print(footprint.map) : "",
                                   .note = footprint.note,
                                   .movesWith = loopsOf(footprint.loops),
                                   .exact = footprint.isExact,
                                   .placeKnown = footprint.isPlaceKnown,
                                   .elements = elements,
                                   .bytes = bytesOfElements(type, elements),
                                   .box = {},
                                   .pieces = piecesOf(footprint.touched),
                                   .piecesTotal = int64_t(footprint.touched.pieces.size()),
                                   .sliceElements = footprint.slices.size(),
                                   .haloElements = footprint.halo.size(),
                                   .halo = piecesOf(footprint.halo)};
  for (const Axis &axis : footprint.touched.hull())
    message.box.push_back({.offset = axis.set.lo(), .size = axis.set.span()});
  return message;
}

std::vector<message::TileFootprint<>> messagesOf(const std::vector<Footprint> &footprints, const TileNames &names) {
  std::vector<message::TileFootprint<>> list;
  for (const Footprint &footprint : footprints)
    list.push_back(messageOf(footprint, names));
  return list;
}

message::PlacedTileOp<> messageOf(mlir::Operation *op, const TileNames &names) {
  message::PlacedTileOp<> message;
  message.id = names.op(op);
  message.op = op->getName().getStringRef().str();
  message.name = op->getNumResults() ? names.value(op->getResult(0)) : "";
  message.loc = formatPosition(positionOf(op->getLoc()));
  return message;
}

message::TileCost<> messageOf(const TileCost &cost) {
  return {.flops = cost.flops, .bytes = cost.bytes, .bytesAtMost = cost.bytesAtMost, .intensity = cost.intensity()};
}

message::TileProducer<> messageOf(const ProducerReport &producer, const TileNames &names) {
  return {.op = messageOf(producer.op, names),
          .view = producer.isView,
          .domain = {producer.domain.begin(), producer.domain.end()},
          .points = producer.points,
          .slicePoints = producer.slicePoints,
          .allPoints = producer.allPoints,
          .allSlicePoints = producer.allSlicePoints,
          .recompute = producer.recompute(),
          .sliceRecompute = producer.sliceRecompute(),
          .otherUsers = producer.hasOtherUsers,
          .results = messagesOf(producer.results, names),
          .inputs = messagesOf(producer.inputs, names)};
}

} // namespace

message::TileReport<> messageOf(const TileReport &report, const TileNames &names) {
  auto function = report.op->getParentOfType<mlir::FunctionOpInterface>();
  message::TileReport<> message{.function = function ? function.getName().str() : "",
                                .op = messageOf(report.op, names),
                                .notes = report.notes,
                                .loops = {},
                                .order = {report.order.begin(), report.order.end()},
                                .tiles = report.tiles,
                                .tile = {report.tile.begin(), report.tile.end()},
                                .tileNumber = report.tileNumber,
                                .operands = messagesOf(report.operands, names),
                                .results = messagesOf(report.results, names),
                                .outside = messagesOf(report.outside, names),
                                .producers = {},
                                .workgroupBytes = report.workgroupBytes,
                                .maxWorkgroupBytes = report.maxWorkgroupBytes,
                                .workgroupLimit = report.workgroupLimit,
                                .device = report.device,
                                .separate = messageOf(report.separate),
                                .untiled = messageOf(report.untiled),
                                .tiled = messageOf(report.tiled),
                                .fused = {},
                                .cache = report.cache,
                                .assumptions = report.assumptions,
                                .complete = report.isComplete};
  for (size_t index = 0; index < report.loops.size(); ++index) {
    const ReportedLoop &loop = report.loops[index];
    message.loops.push_back({.name = "d" + std::to_string(index),
                             .isReduction = loop.isReduction,
                             .range = loop.range,
                             .size = loop.size,
                             .trips = loop.trips,
                             .lastSize = loop.lastSize});
  }
  for (const ProducerReport &producer : report.producers)
    message.producers.push_back(messageOf(producer, names));
  if (report.fuses)
    message.fused = messageOf(report.fused);
  return message;
}

} // namespace fuselage
