// Meshes of devices, how values lie on them, and what collectives move.
#pragma once
#include "core/protocol/Fusion.h"

namespace fuselage::message {

template <class Types = StdTypes> struct MeshAxis {
  static constexpr const char *messageName = "MeshAxis";
  Text<Types> name{};
  Int64<Types> size = 1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("size", size);
  }
};

/// Places are numbered in row-major order: the last axis runs fastest.
template <class Types = StdTypes> struct MeshGrid {
  static constexpr const char *messageName = "MeshGrid";
  Text<Types> name{};     ///< of its symbol, without '@'; empty: it has none
  bool isDerived = false; ///< from GSPMD's shardings, which name no axes
  List<Types, MeshAxis<Types>> axes{};
  Numbers<Types> devices{}; ///< the device at each place

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("derived", isDerived, leftOutIf(!isDerived));
    visit("axes", axes);
    visit("devices", devices);
  }
};

/// A dimension of a value that lies on a mesh.
template <class Types = StdTypes> struct MeshDim {
  static constexpr const char *messageName = "MeshDim";
  Int64<Types> size = -1; ///< of the whole tensor; -1: dynamic
  Int64<Types> parts = 1;
  Int64<Types> shard = -1;         ///< of the largest part, halos included; -1: dynamic
  Texts<Types> axes{};             ///< that split it, the outermost first
  Int64<Types> padding = 0;        ///< elements that all parts have beyond the end
  Numbers<Types> begins{}, ends{}; ///< the elements of each part, [begin, end); empty: dynamic
  Numbers<Types> places{};         ///< the part that each place of the mesh has

  template <class Visitor> void fields(Visitor &visit) {
    visit("size", size, nullIf(size < 0));
    visit("parts", parts);
    visit("shard", shard, nullIf(shard < 0));
    visit("axes", axes);
    visit("padding", padding, leftOutIf(padding <= 0));
    visit("begins", begins, leftOutIf(isEmpty(begins)));
    visit("ends", ends, leftOutIf(isEmpty(ends)));
    visit("places", places);
  }
};

/// How values of one shape and element type lie on a mesh.
template <class Types = StdTypes> struct MeshLayout {
  static constexpr const char *messageName = "MeshLayout";
  int mesh = -1;      ///< index into MeshReport::meshes
  Text<Types> type{}; ///< of the whole tensor
  List<Types, MeshDim<Types>> dims{};
  Texts<Types> replicated{};    ///< axes along which devices hold the same
  Texts<Types> unreduced{};     ///< axes along which devices hold summands
  Int64<Types> tiles = 1;       ///< how many different parts there are
  Numbers<Types> places{};      ///< the number of the part that each place has
  Int64<Types> bytes = -1;      ///< of the whole tensor; -1: dynamic
  Int64<Types> shardBytes = -1; ///< that a device has, padding included

  template <class Visitor> void fields(Visitor &visit) {
    visit("mesh", mesh);
    visit("type", type);
    visit("dims", dims);
    visit("replicated", replicated);
    visit("unreduced", unreduced, leftOutIf(isEmpty(unreduced)));
    visit("tiles", tiles);
    visit("places", places);
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("shard_bytes", shardBytes, nullIf(shardBytes < 0));
  }
};

enum class MeshPlace {
  Argument,      ///< of a function, or of a manual computation
  Result,        ///< of an op
  FunctionResult ///< of a function
};
inline constexpr const char *meshPlaceNames[] = {"argument", "result", "function_result"};

/// A value that says how it lies.
template <class Types = StdTypes> struct MeshValue {
  static constexpr const char *messageName = "MeshValue";
  Int64<Types> op = -1; ///< the function or manual computation, or the op whose result it is
  MeshPlace place = MeshPlace::Result;
  int number = 0;
  Text<Types> name{};     ///< "%arg0"; of a function's result "result 0"
  Text<Types> function{}; ///< that it is in
  Text<Types> opName{};
  int line = 0;           ///< from 1; 0: unknown
  Text<Types> sharding{}; ///< as written
  bool isLocal = false;   ///< the value itself is what one device has
  int layout = -1;        ///< index into MeshReport::layouts; -1: `problem` says why
  Text<Types> problem{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit.choice("place", place, meshPlaceNames);
    visit("number", number);
    visit("name", name);
    visit("function", function);
    visit("op_name", opName);
    visit("line", line, leftOutIf(line <= 0));
    visit("sharding", sharding);
    visit("local", isLocal, leftOutIf(!isLocal));
    visit("layout", layout, leftOutIf(layout < 0));
    visit("problem", problem, leftOutIf(isEmpty(problem)));
  }
};

/// An op by which devices exchange data.
template <class Types = StdTypes> struct MeshCollective {
  static constexpr const char *messageName = "MeshCollective";
  Int64<Types> op = -1;
  Text<Types> kind{}; ///< "all-reduce"
  Text<Types> name{}; ///< "%16"
  Text<Types> opName{}, function{};
  int line = 0;
  Text<Types> reduction{};                  ///< "add"; empty: none
  int mesh = -1;                            ///< index into MeshReport::meshes; -1: not known
  Texts<Types> axes{};                      ///< of the mesh, along which groups of devices run
  Int64<Types> groups = -1, groupSize = -1; ///< -1: not known
  Int64<Types> bytes = -1;                  ///< of the larger of what a device has before and after
  Int64<Types> moved = -1;                  ///< that a device sends at most; -1: not known
  Text<Types> formula{};                    ///< how that comes about
  bool isAnnotation = false;                ///< the partitioner decides which collective stands here
  Text<Types> problem{};
  List<Types, FusionMove<Types>> moves{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("kind", kind);
    visit("name", name);
    visit("op_name", opName);
    visit("function", function);
    visit("line", line, leftOutIf(line <= 0));
    visit("reduction", reduction, leftOutIf(isEmpty(reduction)));
    visit("mesh", mesh, leftOutIf(mesh < 0));
    visit("axes", axes);
    visit("groups", groups, nullIf(groups < 0));
    visit("group_size", groupSize, nullIf(groupSize < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("moved", moved, nullIf(moved < 0));
    visit("formula", formula);
    visit("annotation", isAnnotation, leftOutIf(!isAnnotation));
    visit("problem", problem, leftOutIf(isEmpty(problem)));
    visit("moves", moves, leftOutIf(isEmpty(moves)));
  }
};

template <class Types = StdTypes> struct MeshProblem {
  static constexpr const char *messageName = "MeshProblem";
  Int64<Types> op = -1;
  int line = 0;
  Text<Types> message{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("line", line, leftOutIf(line <= 0));
    visit("message", message);
  }
};

template <class Types = StdTypes> struct MeshReport {
  static constexpr const char *messageName = "mesh/report";
  int version = 1;
  int snapshot = -1;         ///< -1: a file's, not a document's
  Int64<Types> devices = -1; ///< -1: the module does not say
  List<Types, MeshGrid<Types>> meshes{};
  List<Types, MeshLayout<Types>> layouts{}; ///< each once
  List<Types, MeshValue<Types>> values{};   ///< in program order
  List<Types, MeshCollective<Types>> collectives{};
  List<Types, MeshProblem<Types>> problems{}; ///< of meshes and lists of shardings
  Int64<Types> leftOut = 0;                   ///< layouts beyond the most that are listed

  bool empty() const { return isEmpty(meshes) && isEmpty(values) && isEmpty(collectives) && isEmpty(problems); }

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("snapshot", snapshot, leftOutIf(snapshot < 0));
    visit("devices", devices, nullIf(devices < 0));
    visit("meshes", meshes);
    visit("layouts", layouts);
    visit("values", values);
    visit("collectives", collectives);
    visit("problems", problems, leftOutIf(isEmpty(problems)));
    visit("left_out", leftOut, leftOutIf(leftOut <= 0));
  }
};

} // namespace fuselage::message
