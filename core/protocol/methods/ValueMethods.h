// values/*.
#pragma once
#include "core/protocol/Values.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

/// The arguments that values are computed of: as run/start takes them.
template <class Types = StdTypes> struct ValueArguments {
  Int64<Types> seed = 1;
  Text<Types> function{};
  Map<Types, Int64<Types>> sizes{};
  Map<Types, Text<Types>> inputs{};
  Text<Types> inputsFolder{};
  Map<Types, Text<Types>> parameters{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("seed", seed, optional.range(0, INT64_MAX));
    visit("function", function, optional.doc("default: the one around the value, if it is public"));
    visit("sizes", sizes);
    visit("inputs", inputs, optional.file(FileUse::Inputs).doc("as of run/start"));
    visit("inputs_folder", inputsFolder, optional.file(FileUse::Arrays));
    visit("parameters", parameters, optional.file(FileUse::Weights));
  }
};

/// The value of an edge of the graph.
template <class Types = StdTypes> struct ValuePlace {
  SnapshotNumber snapshot{};
  Int64<Types> from = 0;
  Int64<Types> to = 0;
  Int64<Types> operand = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit("from", from, required.doc("an op, or a block argument by its negative number in the graph"));
    visit("to", to, required);
    visit("operand", operand, required.range(0, INT32_MAX));
  }
};

struct EdgeValue {
  static constexpr const char *name = "values/edge";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    ValuePlace<Types> place{};
    ValueArguments<Types> arguments{};
    Numbers<Types> index{};
    Int64<Types> firstRow = 0, firstColumn = 0, rowExtent = -1, columnExtent = -1;
    Int64<Types> cells = 96;
    Int64<Types> mostFlops = -1;

    template <class Visitor> void fields(Visitor &visit) {
      place.fields(visit);
      arguments.fields(visit);
      visit("index", index, optional.doc("of the slice, in the dimensions before the last two (default: 0 in each)"));
      visit("first_row", firstRow, optional.range(0, INT64_MAX));
      visit("first_column", firstColumn, optional.range(0, INT64_MAX));
      visit("row_extent", rowExtent, optional.range(-1, INT64_MAX).doc("-1 (default): to the end"));
      visit("column_extent", columnExtent, optional.range(-1, INT64_MAX));
      visit("cells", cells, optional.range(1, 512).doc("at most so many in each direction (default: 96)"));
      visit("most_flops", mostFlops,
            optional.range(-1, INT64_MAX)
                .doc("what takes more, or nobody knows how much, is not computed (default: -1, "
                     "everything is)"));
    }
  };
  template <class Types> using Reply = message::EdgeValue<Types>;
};

struct ValueFile {
  static constexpr const char *name = "values/file";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    ValuePlace<Types> place{};
    ValueArguments<Types> arguments{};

    template <class Visitor> void fields(Visitor &visit) {
      place.fields(visit);
      arguments.fields(visit);
    }
  };
  template <class Types> using Reply = message::ValueFile<Types>;
};

struct FindNonFinite {
  static constexpr const char *name = "values/nonfinite";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    ValueArguments<Types> arguments{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      arguments.fields(visit);
    }
  };
  template <class Types> using Reply = message::NonFiniteValue<Types>;
};

} // namespace fuselage::method
