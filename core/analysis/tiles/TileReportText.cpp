#include "core/analysis/costs/ValueBytes.h"
#include "core/analysis/tiles/TileReport.h"
#include "core/ir/Session.h"
#include "core/support/Units.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

/// "[32:64, 0:768:2]", a run a dimension, more joined by '+'; what is not a box is told as pieces.
std::string regionText(const Region &region) {
  if (region.empty())
    return "nothing";
  auto axisText = [](const Axis &axis) {
    std::string text;
    constexpr size_t most = 3;
    for (const IntRun &run : axis.set.runs().take_front(most)) {
      text += (text.empty() ? "" : "+") + (llvm::Twine(run.begin) + ":" + llvm::Twine(run.end())).str();
      if (run.count > 1)
        text += (llvm::Twine(":") + llvm::Twine(run.stride) +
                 (run.width > 1 ? "x" + llvm::Twine(run.width) : llvm::Twine()))
                    .str();
    }
    return text + (axis.set.runs().size() > most ? "+.." : "");
  };
  std::string text = "[";
  llvm::ListSeparator comma;
  for (const Axis &axis : region.pieces.size() == 1 ? region.pieces.front() : region.hull())
    text += (llvm::StringRef(comma) + axisText(axis)).str();
  text += "]";
  if (region.pieces.size() > 1)
    text = (llvm::Twine(region.pieces.size()) + " pieces within " + text).str();
  return text;
}

std::string countText(int64_t count) { return count < 0 ? "?" : std::to_string(count); }

std::string bytesText(double bytes) { return bytes < 0 ? "? B" : binaryBytesText(bytes); }

void writeFootprint(llvm::raw_ostream &os, const Footprint &footprint, const TileNames &names) {
  int64_t elements = footprint.touched.size();
  os << "  " << names.value(footprint.value) << ": " << footprint.value.getType() << "  " << footprint.role << "\n    "
     << (footprint.isExact ? "" : "at most ") << (footprint.isPlaceKnown ? regionText(footprint.touched) + ", " : "")
     << countText(elements) << " elements, " << bytesText(double(bytesOfElements(footprint.value.getType(), elements)));
  if (footprint.slices.size() != elements)
    os << "; as slices " << countText(footprint.slices.size()) << " elements";
  if (!footprint.halo.empty())
    os << "; halo " << countText(footprint.halo.size()) << " elements, which the next tile needs, too";
  os << '\n';
  if (footprint.map)
    os << "    map " << footprint.map << '\n';
  if (!footprint.note.empty())
    os << "    " << footprint.note << '\n';
}

void writeProducer(llvm::raw_ostream &os, const ProducerReport &producer, const TileNames &names) {
  for (const Footprint &result : producer.results) {
    os << "  " << names.value(result.value) << " = " << producer.op->getName().getStringRef();
    std::string place = formatPosition(positionOf(producer.op->getLoc()));
    os << (place.empty() ? "" : "  " + place) << "\n    " << (result.isExact ? "" : "at most ")
       << regionText(result.touched) << ", " << countText(result.touched.size()) << " elements";
    if (!result.halo.empty())
      os << ", halo " << countText(result.halo.size());
    os << '\n';
  }
  os << "    " << countText(producer.points) << " of " << countText(producer.domainPoints) << " points a tile";
  if (producer.isView)
    os << " (moves nothing by itself)";
  else if (producer.recompute() < 0)
    os << "; recompute unknown: too many points, or too many different tiles";
  else
    os << llvm::formatv("; recompute {0:F3}", producer.recompute());
  if (!producer.isView && producer.allSlicePoints != producer.allPoints && producer.sliceRecompute() >= 0)
    os << llvm::formatv(", as slices {0:F3}", producer.sliceRecompute());
  os << (producer.hasOtherUsers ? "; also needed elsewhere\n" : "\n");
}

void writeCost(llvm::raw_ostream &os, llvm::StringRef name, const TileCost &cost) {
  if (cost.flops < 0 || cost.bytes < 0) {
    os << llvm::formatv("  {0,-10} unknown\n", name);
    return;
  }
  os << llvm::formatv("  {0,-10} {1,14:F0} flops  {2,10}  {3,8:F2} flops/byte{4}\n", name, cost.flops,
                      bytesText(cost.bytes), std::max(cost.intensity(), 0.0),
                      cost.bytesAtMost ? ", of bytes at most: data decides what is read" : "");
}

} // namespace

std::string formatTileReport(const TileReport &report, const TileNames &names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (report.op->getNumResults())
    os << names.value(report.op->getResult(0)) << " = ";
  os << report.op->getName().getStringRef();
  std::string place = formatPosition(positionOf(report.op->getLoc()));
  os << (place.empty() ? "" : "  " + place) << "\n\nloops\n";
  for (auto [index, loop] : llvm::enumerate(report.loops)) {
    os << llvm::formatv("  d{0}  {1,-9}  {2,8} iterations  tiles of {3,6}  {4,6} trips", index,
                        loop.isReduction ? "reduction" : "parallel", loop.range, loop.size, loop.trips);
    if (loop.lastSize != loop.size)
      os << ", the last of " << loop.lastSize;
    os << '\n';
  }
  os << "tile (" << llvm::join(llvm::map_range(report.tile, [](int64_t i) { return std::to_string(i); }), ", ")
     << "), number " << report.tileNumber << " of " << report.tiles << ", loops from outer to inner:";
  for (int64_t loop : report.order)
    os << " d" << loop;
  os << "\n\noperands\n";
  for (const Footprint &footprint : report.operands)
    writeFootprint(os, footprint, names);
  os << "results\n";
  for (const Footprint &footprint : report.results)
    writeFootprint(os, footprint, names);
  if (!report.producers.empty())
    os << "fused producers\n";
  for (const ProducerReport &producer : report.producers)
    writeProducer(os, producer, names);
  if (report.fuses) {
    os << "read from memory\n";
    for (const Footprint &footprint : report.outside)
      writeFootprint(os, footprint, names);
  }
  os << "\nworkgroup memory  " << bytesText(double(report.workgroupBytes));
  if (report.maxWorkgroupBytes >= 0 && report.maxWorkgroupBytes != report.workgroupBytes)
    os << ", at most " << bytesText(double(report.maxWorkgroupBytes));
  if (report.workgroupLimit > 0)
    os << " of " << bytesText(double(report.workgroupLimit)) << " (" << report.device << ")"
       << (std::max(report.workgroupBytes, report.maxWorkgroupBytes) > report.workgroupLimit ? ": does not fit" : "");
  os << "\n\nwork and traffic";
  if (report.cache > 0)
    os << ", through a cache of " << bytesText(double(report.cache));
  os << '\n';
  if (report.fuses)
    writeCost(os, "separate", report.separate);
  writeCost(os, "untiled", report.untiled);
  writeCost(os, "tiled", report.tiled);
  if (report.fuses)
    writeCost(os, "fused", report.fused);
  for (const std::string &assumption : report.assumptions)
    os << "  " << assumption << '\n';
  for (const std::string &note : report.notes)
    os << "note: " << note << '\n';
  return text;
}

} // namespace fuselage
