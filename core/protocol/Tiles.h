// What there is to say about an op at given tile sizes.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <optional>
#include <string_view>

namespace fuselage::message {

/// `size` blocks of `width` elements, the first at `offset`, `stride` apart; an interval has stride 1.
template <class Types = StdTypes> struct TileRun {
  static constexpr const char *messageName = "TileRun";
  Int64<Types> offset = 0;
  Int64<Types> size = 0;
  Int64<Types> stride = 1;
  Int64<Types> width = 1;
  Int64<Types> end() const { return stride == 1 ? offset + size : offset + stride * (size - 1) + width; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("offset", offset);
    visit("size", size);
    visit("stride", stride);
    visit("width", width, leftOutIf(width == 1));
  }
};
template <class Types = StdTypes> using TileAxis = List<Types, TileRun<Types>>; ///< of one dimension
template <class Types = StdTypes>
using TilePiece = List<Types, TileAxis<Types>>; ///< the cross product, a dimension each

/// One dimension of the box around what is touched.
template <class Types = StdTypes> struct TileExtent {
  static constexpr const char *messageName = "TileExtent";
  Int64<Types> offset = 0;
  Int64<Types> size = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("offset", offset);
    visit("size", size);
  }
};

template <class Types = StdTypes> struct TileOp {
  static constexpr const char *messageName = "TileOp";
  Int64<Types> id = -1;
  Text<Types> op;
  Text<Types> name;

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("op", op);
    visit("name", name);
  }
};
/// An op with its place in the user's text.
template <class Types = StdTypes> struct PlacedTileOp : TileOp<Types> {
  static constexpr const char *messageName = "PlacedTileOp";
  Text<Types> loc;

  template <class Visitor> void fields(Visitor &visit) {
    TileOp<Types>::fields(visit);
    visit("loc", loc);
  }
};

inline constexpr const char *tileIteratorNames[] = {"parallel", "reduction"};

/// A loop before sizes are chosen.
template <class Types = StdTypes> struct TileDomainLoop {
  static constexpr const char *messageName = "TileDomainLoop";
  Text<Types> name;
  bool isReduction = false;
  Int64<Types> range = 1;
  Numbers<Types> divisors;    ///< of the range, ascending
  Int64<Types> suggested = 1; ///< a size to start from

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit.choice("iterator", isReduction, tileIteratorNames);
    visit("range", range);
    visit("divisors", divisors);
    visit("suggested", suggested);
  }
};

template <class Types = StdTypes> struct TileDomain {
  static constexpr const char *messageName = "tiles/domain";
  TileOp<Types> op;
  Text<Types> why; ///< it has no tiles; empty where it has
  List<Types, TileDomainLoop<Types>> loops;
  List<Types, TileOp<Types>> producers;
  bool canTrace = false;

  template <class Visitor> void fields(Visitor &visit) {
    op.fields(visit);
    visit("why", why);
    visit("loops", loops);
    visit("producers", producers);
    visit("can_trace", canTrace);
  }
};

/// A loop of the iteration domain at a tile size.
template <class Types = StdTypes> struct TileLoop {
  static constexpr const char *messageName = "TileLoop";
  Text<Types> name;
  bool isReduction = false;
  Int64<Types> range = 1;
  Int64<Types> size = 1;
  Int64<Types> trips = 1;
  Int64<Types> lastSize = 1; ///< iterations of the last tile

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit.choice("iterator", isReduction, tileIteratorNames);
    visit("range", range);
    visit("size", size);
    visit("trips", trips);
    visit("last_size", lastSize);
    visit.derived("uneven", lastSize != size);
  }
};

/// What the tile touches of a value. Negative counts are unknown.
template <class Types = StdTypes> struct TileFootprint {
  static constexpr const char *messageName = "TileFootprint";
  Text<Types> name;
  Text<Types> type;
  Numbers<Types> shape;
  Text<Types> role;           ///< "input", "destination", "result", "producer", "outside"
  Text<Types> map;            ///< empty: none
  Text<Types> note;           ///< why nothing computes it in the tile, or why it is inexact
  List<Types, int> movesWith; ///< loops
  bool exact = true;
  bool placeKnown = true; ///< false: data decides which elements
  Int64<Types> elements = 0;
  Int64<Types> bytes = 0;
  List<Types, TileExtent<Types>> box;   ///< around all of it
  List<Types, TilePiece<Types>> pieces; ///< the first of them
  Int64<Types> piecesTotal = 0;
  Int64<Types> sliceElements = 0; ///< what tile-and-fuse extracts or computes
  Int64<Types> haloElements = 0;  ///< what the next tile of a loop touches again
  List<Types, TilePiece<Types>> halo;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("type", type);
    visit("shape", shape);
    visit("role", role);
    visit("map", map, nullIf(isEmpty(map)));
    visit("note", note);
    visit("moves_with", movesWith);
    visit("exact", exact);
    visit("place_known", placeKnown);
    visit("elements", elements, nullIf(elements < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("box", box);
    visit("pieces", pieces);
    visit("pieces_total", piecesTotal);
    visit("slice_elements", sliceElements, nullIf(sliceElements < 0));
    visit("halo_elements", haloElements, nullIf(haloElements < 0));
    visit("halo", halo);
  }
};

/// A producer that is computed in the tile; points are those of its iteration domain.
template <class Types = StdTypes> struct TileProducer {
  static constexpr const char *messageName = "TileProducer";
  PlacedTileOp<Types> op;
  bool view = false;
  Numbers<Types> domain;
  Int64<Types> points = 0, slicePoints = 0;       ///< for this tile
  Int64<Types> allPoints = 0, allSlicePoints = 0; ///< for all tiles; negative: unknown
  double recompute = -1;                          ///< negative: unknown
  double sliceRecompute = -1;
  bool otherUsers = false;
  List<Types, TileFootprint<Types>> results, inputs;

  template <class Visitor> void fields(Visitor &visit) {
    op.fields(visit);
    visit("view", view);
    visit("domain", domain);
    visit("points", points, nullIf(points < 0));
    visit("slice_points", slicePoints, nullIf(slicePoints < 0));
    visit("all_points", allPoints, nullIf(allPoints < 0));
    visit("all_slice_points", allSlicePoints, nullIf(allSlicePoints < 0));
    visit("recompute", recompute, nullIf(recompute < 0));
    visit("slice_recompute", sliceRecompute, nullIf(sliceRecompute < 0));
    visit("other_users", otherUsers);
    visit("results", results);
    visit("inputs", inputs);
  }
};

/// Negative: unknown.
template <class Types = StdTypes> struct TileCost {
  static constexpr const char *messageName = "TileCost";
  double flops = -1;
  double bytes = -1;
  bool bytesAtMost = false; ///< data decides what is read: it may be less
  double intensity = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("flops", flops, nullIf(flops < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("bytes_at_most", bytesAtMost);
    visit("intensity", intensity, nullIf(intensity < 0));
  }
};

template <class Types = StdTypes> struct TileReport {
  static constexpr const char *messageName = "tiles/footprint";
  int version = 1;
  Text<Types> function;
  PlacedTileOp<Types> op;
  Texts<Types> notes;
  List<Types, TileLoop<Types>> loops;
  List<Types, int> order;
  Int64<Types> tiles = 0;
  Numbers<Types> tile;
  Int64<Types> tileNumber = 0;
  List<Types, TileFootprint<Types>> operands, results, outside;
  List<Types, TileProducer<Types>> producers;
  Int64<Types> workgroupBytes = 0;
  Int64<Types> maxWorkgroupBytes = -1;
  Int64<Types> workgroupLimit = -1; ///< 0 or less: none is known
  Text<Types> device;
  /// The op and its producers one after the other; the op alone, whole; by tiles; tiles with producers.
  TileCost<Types> separate, untiled, tiled;
  std::optional<TileCost<Types>> fused;
  Int64<Types> cache = 0;   ///< bytes that the costs are for; 0: none
  Texts<Types> assumptions; ///< what the bytes hold for
  bool complete = true;

  /// Tiles at an end of a loop that have fewer iterations than the others.
  Int64<Types> smallerTiles() const {
    Int64<Types> whole = 1;
    for (const TileLoop<Types> &loop : loops)
      whole *= loop.lastSize == loop.size ? loop.trips : loop.trips - 1;
    return tiles - whole;
  }
  /// Bytes that the tiles move, with the producers that are fused; negative: unknown.
  double movedBytes() const { return (fused ? *fused : tiled).bytes; }
  /// Points of producers that tile-and-fuse computes, beyond each once; negative: unknown.
  double recomputedPoints() const {
    double sum = 0;
    for (const TileProducer<Types> &producer : producers) {
      double points = 1;
      for (const Int64<Types> range : producer.domain)
        points *= double(range);
      if (producer.allSlicePoints < 0)
        return -1;
      if (!producer.view && double(producer.allSlicePoints) > points)
        sum += double(producer.allSlicePoints) - points;
    }
    return sum;
  }

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("function", function);
    visit("op", op);
    visit("notes", notes);
    visit("loops", loops);
    visit("order", order);
    visit("tiles", tiles);
    visit("tile", tile);
    visit("tile_number", tileNumber);
    visit("operands", operands);
    visit("results", results);
    visit("producers", producers);
    visit("outside", outside);
    visit("workgroup_bytes", workgroupBytes, nullIf(workgroupBytes < 0));
    visit("max_workgroup_bytes", maxWorkgroupBytes, nullIf(maxWorkgroupBytes < 0));
    visit("workgroup_limit", workgroupLimit, nullIf(workgroupLimit <= 0));
    visit("device", device);
    visit.group("costs", [&](auto &costs) {
      costs("separate", separate);
      costs("untiled", untiled);
      costs("tiled", tiled);
      costs("fused", fused, nullIf(!fused));
    });
    visit("cache", cache, nullIf(cache <= 0));
    visit("assumptions", assumptions);
    visit("complete", complete);
  }
};

/// The first tiles in loop order: a number each, of all up to it; negative: unknown.
template <class Types = StdTypes> struct TileSequence {
  static constexpr const char *messageName = "tiles/sequence";
  Int64<Types> tiles = 0; ///< that there are
  Numbers<Types> loaded;  ///< bytes read from memory
  Numbers<Types> again;   ///< points of producers that a tile before had computed
  Numbers<Types> live;    ///< bytes of workgroup memory, of this tile alone

  /// Bytes that all tiles read; nothing: it is not known, or there are more of them than were counted.
  std::optional<double> allLoaded() const {
    const auto counted = static_cast<Int64<Types>>(loaded.size());
    if (counted == 0 || counted < tiles || loaded[counted - 1] < 0)
      return std::nullopt;
    return double(loaded[counted - 1]);
  }

  template <class Visitor> void fields(Visitor &visit) {
    visit("tiles", tiles);
    visit("loaded", loaded);
    visit("again", again);
    visit("live", live);
  }
};

/// What an interface method made while the op was really tiled.
template <class Types = StdTypes> struct TileEvent {
  static constexpr const char *messageName = "TileEvent";
  Text<Types> method{}; ///< "getTiledImplementation", "generateResultTileValue", ...
  Text<Types> about{};  ///< a sentence: what it is asked for
  Text<Types> op{};     ///< whose method it is
  Text<Types> value{};  ///< the result of the original op that the slice is of
  Text<Types> slice{};  ///< the tensor.extract_slice that asked for it; empty: none
  Texts<Types> maps{};  ///< indexing maps of the op
  Texts<Types> ir{};    ///< the ops it made, a line each (loops: their heads)

  template <class Visitor> void fields(Visitor &visit) {
    visit("method", method);
    visit("about", about);
    visit("op", op);
    visit("value", value);
    visit("slice", slice);
    visit("maps", maps);
    visit("ir", ir);
  }
};
template <class Types = StdTypes> struct TileTrace {
  static constexpr const char *messageName = "tiles/trace";
  List<Types, TileEvent<Types>> events;
  Text<Types> function; ///< as it is in the end

  template <class Visitor> void fields(Visitor &visit) {
    visit("events", events);
    visit("function", function);
  }
};

} // namespace fuselage::message
