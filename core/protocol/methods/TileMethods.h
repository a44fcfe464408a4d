// tiles/*.
#pragma once
#include "core/protocol/Tiles.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

/// An op, and how it is fused.
template <class Types = StdTypes> struct TiledOp {
  SnapshotNumber snapshot{};
  Map<Types, Int64<Types>> dimensions{};
  Int64<Types> id = 0;
  bool fuse = true;
  Numbers<Types> kept{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit("dimensions", dimensions,
          optional.doc("sizes of dynamic dimensions of the function's arguments (\"arg0.1\"; those of other functions "
                       "are passed over), what is missing is chosen as run/start does, and told in the footprint's "
                       "`notes`"));
    visit("id", id, required.doc("of a dispatch, its root op is meant"));
    visit("fuse", fuse, optional.doc("default: true"));
    visit("kept", kept, optional.doc("producers that stay outside of the tiles"));
  }
};

struct TileDomain {
  static constexpr const char *name = "tiles/domain";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    TiledOp<Types> op{};

    template <class Visitor> void fields(Visitor &visit) { op.fields(visit); }
  };
  template <class Types> using Reply = message::TileDomain<Types>;
};

struct TileFootprint {
  static constexpr const char *name = "tiles/footprint";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    TiledOp<Types> op{};
    Numbers<Types> sizes{};
    Numbers<Types> tile{};
    Numbers<Types> order{};
    bool snap = false;
    std::optional<Int64<Types>> limit{};
    Text<Types> device{};
    Int64<Types> cache = 0;

    template <class Visitor> void fields(Visitor &visit) {
      op.fields(visit);
      visit("sizes", sizes, optional.doc("by loop (0: whole)"));
      visit("tile", tile);
      visit("order", order);
      visit("snap", snap);
      visit("limit", limit, optional.range(0, int64_t(1) << 40).doc("bytes of workgroup memory"));
      visit("device", device, optional.file(FileUse::Device));
      visit(
          "cache", cache,
          optional.range(0, int64_t(1) << 40)
              .doc(
                  "bytes of a cache that the costs are for; what an iteration of a loop touches stays for the next one "
                  "if it fits (default: 0: whole ops move each value once, and nothing stays from one tile to the "
                  "next)"));
    }
  };
  template <class Types> using Reply = message::TileReport<Types>;
};

struct TileSequence {
  static constexpr const char *name = "tiles/sequence";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    TiledOp<Types> op{};
    Numbers<Types> sizes{};
    Numbers<Types> order{};
    Int64<Types> most = 2048;

    template <class Visitor> void fields(Visitor &visit) {
      op.fields(visit);
      visit("sizes", sizes, optional.doc("as of tiles/footprint"));
      visit("order", order);
      visit("most", most, optional.range(1, 65536).doc("so many tiles at most (default: 2048)"));
    }
  };
  template <class Types> using Reply = message::TileSequence<Types>;
};

struct TraceTiling {
  static constexpr const char *name = "tiles/trace";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    TiledOp<Types> op{};
    Numbers<Types> sizes{};
    Numbers<Types> order{};

    template <class Visitor> void fields(Visitor &visit) {
      op.fields(visit);
      visit("sizes", sizes, optional.doc("as of tiles/footprint"));
      visit("order", order);
    }
  };
  template <class Types> using Reply = message::TileTrace<Types>;
};

} // namespace fuselage::method
