// Values inside of a program: the tensor that an edge stands for.
#pragma once
#include "core/protocol/Run.h"

namespace fuselage::message {

/// Figures of all elements. Range, mean and deviation are of the finite ones.
template <class Types = StdTypes> struct ValueStatistics {
  static constexpr const char *messageName = "ValueStatistics";
  Int64<Types> elements = 0;
  Int64<Types> nan = 0, positiveInfinities = 0, negativeInfinities = 0, zeros = 0;
  Text<Types> min, max; ///< digits that read back as the same values; empty: there are none
  double mean = unknownNumber, deviation = unknownNumber;
  bool ofMagnitudes = false; ///< range, mean and deviation are of the magnitudes of complex numbers
  Int64<Types> nonFinite() const { return nan + positiveInfinities + negativeInfinities; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("elements", elements);
    visit("nan", nan);
    visit("positive_infinities", positiveInfinities);
    visit("negative_infinities", negativeInfinities);
    visit("zeros", zeros);
    visit("min", min);
    visit("max", max);
    visit("mean", mean);
    visit("deviation", deviation);
    visit("of_magnitudes", ofMagnitudes, leftOutIf(!ofMagnitudes));
  }
};

/// A part of a 2-d slice, in cells of rowStep x columnStep elements; of a tensor with one dimension, a part of it as a
/// row.
template <class Types = StdTypes> struct ValueSlice {
  static constexpr const char *messageName = "ValueSlice";
  Numbers<Types> shape; ///< of the whole tensor
  Numbers<Types> index; ///< of the slice, in the dimensions before the last two
  int rows = 0, columns = 0;
  Int64<Types> firstRow = 0, firstColumn = 0, rowExtent = 0, columnExtent = 0; ///< the part, in elements
  Int64<Types> rowStep = 1, columnStep = 1;
  /// By cell, row by row, the element of the largest magnitude; NaN counts as the largest. Of complex numbers, the
  /// magnitude.
  List<Types, double> values;
  Texts<Types> texts;    ///< the same elements, in digits that read back as the same values
  Numbers<Types> places; ///< where they lie in the slice, row-major

  /// There is a value, a text and a place of each cell.
  bool isComplete() const {
    const Int64<Types> cells = Int64<Types>(rows) * columns;
    return rows > 0 && columns > 0 && rowStep > 0 && columnStep > 0 && !isEmpty(shape) &&
           Int64<Types>(values.size()) == cells && Int64<Types>(texts.size()) == cells &&
           Int64<Types>(places.size()) == cells;
  }

  template <class Visitor> void fields(Visitor &visit) {
    visit("shape", shape);
    visit("index", index);
    visit("rows", rows);
    visit("columns", columns);
    visit("first_row", firstRow);
    visit("first_column", firstColumn);
    visit("row_extent", rowExtent);
    visit("column_extent", columnExtent);
    visit("row_step", rowStep);
    visit("column_step", columnStep);
    visit("values", values);
    visit("texts", texts);
    visit("places", places);
  }
};

/// What crosses an edge, and how it was got.
template <class Types = StdTypes> struct EdgeValue {
  static constexpr const char *messageName = "values/edge";
  Text<Types> name, type;
  bool computed = true;    ///< false: it takes more than was allowed, see `flops`
  Int64<Types> flops = -1; ///< of what it depends on; -1: unknown
  int ops = 0;             ///< that it depends on
  Text<Types> function;
  Text<Types> which; ///< "the first of 16 iterations"; empty: it is computed once
  Int64<Types> seed = 0;
  List<Types, RunInput<Types>> inputs; ///< arguments that it depends on
  double milliseconds = -1;            ///< to compile and compute it; -1: it was known
  ValueStatistics<Types> statistics;
  Text<Types> scalar; ///< the one element of a scalar or of a tensor without dimensions
  std::optional<ValueSlice<Types>> slice;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("type", type);
    visit("computed", computed);
    visit("flops", flops, nullIf(flops < 0));
    visit("ops", ops);
    visit("function", function);
    visit("which", which);
    visit("seed", seed);
    visit("inputs", inputs);
    visit("milliseconds", milliseconds, nullIf(milliseconds < 0));
    visit("statistics", statistics);
    visit("scalar", scalar);
    visit("slice", slice, nullIf(!slice));
  }
};

/// A value as a .npy file.
template <class Types = StdTypes> struct ValueFile {
  static constexpr const char *messageName = "values/file";
  Text<Types> base64, note;

  template <class Visitor> void fields(Visitor &visit) {
    visit("base64", base64);
    visit("note", note);
  }
};

/// The first value of a function that is not finite.
template <class Types = StdTypes> struct NonFiniteValue {
  static constexpr const char *messageName = "values/nonfinite";
  bool found = false;
  Text<Types> function;
  Int64<Types> checked = 0; ///< values that were looked at
  Int64<Types> op = -1;     ///< that computes it
  Int64<Types> to = -1;     ///< that reads it; -1: nobody does
  int operand = -1;
  Text<Types> name, type;
  Int64<Types> nan = 0, infinite = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("found", found);
    visit("function", function);
    visit("checked", checked);
    visit("op", op);
    visit("to", to);
    visit("operand", operand);
    visit("name", name);
    visit("type", type);
    visit("nan", nan);
    visit("infinite", infinite);
  }
};

} // namespace fuselage::message
