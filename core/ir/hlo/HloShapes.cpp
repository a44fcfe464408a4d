#include "core/ir/hlo/HloShapes.h"
#include "llvm/Support/MathExtras.h"

using llvm::StringRef;

namespace fuselage::hlo {

/// `[2,<=8,?]`.
static std::string readDims(Cursor &cursor, ArrayShape &shape) {
  int64_t elements = 1;
  if (!cursor.consume('['))
    return "expected '[' after the element type '" + shape.element.str() + "'";
  while (!cursor.consume(']')) {
    bool isDynamic = cursor.consume("<=") || cursor.isNext("?");
    std::optional<int64_t> extent = cursor.consume('?') ? std::optional<int64_t>(-1) : cursor.number();
    if (!extent)
      return "expected a dimension such as 8, <=8 or ?";
    if (*extent < 0 && !isDynamic)
      return "a dimension is negative";
    if (*extent > 0 && llvm::MulOverflow(elements, *extent, elements))
      return "the shape has more elements than can be counted";
    shape.dims.push_back(*extent);
    shape.dynamic.push_back(isDynamic);
    cursor.consume(',');
  }
  return "";
}

/// An array, a token or opaque data; `b(f32[2])`, a buffer, is what is in it.
static std::string readArray(Cursor &cursor, Shape &shape) {
  StringRef element = cursor.word();
  if (element.empty())
    return "expected a shape such as f32[2,3]";
  bool isBuffer = element == "b" && cursor.consume('(');
  if (isBuffer)
    element = cursor.word();
  ArrayShape array{.element = element, .dims = {}, .dynamic = {}, .layout = {}};
  if (std::string problem = readDims(cursor, array); !problem.empty())
    return problem;
  if (cursor.isAdjacent('{')) {
    std::optional<StringRef> layout = cursor.bracketed('{');
    if (!layout)
      return "the layout is not closed";
    array.layout = *layout;
  }
  if (isBuffer && !cursor.consume(')'))
    return "expected ')' after the shape of a buffer";
  shape.leaves.push_back(std::move(array));
  return "";
}

std::string readShape(Cursor &cursor, Shape &shape) {
  std::vector<unsigned> open; // tuples around, by element; the outermost is the shape itself
  shape.isTuple = cursor.consume('(');
  if (!shape.isTuple)
    return readArray(cursor, shape);
  for (unsigned depth = 1; depth > 0;) {
    if (cursor.consume(')')) {
      --depth;
      if (!open.empty()) {
        shape.elements[open.back()].endLeaf = shape.leaves.size();
        shape.elements[open.back()].endElement = shape.elements.size();
        open.pop_back();
      }
    } else {
      unsigned element = shape.elements.size(), leaf = shape.leaves.size();
      shape.elements.push_back({.firstLeaf = leaf, .endLeaf = leaf + 1, .endElement = element + 1});
      if (cursor.consume('(')) {
        if (++depth > kMaxTupleDepth)
          return "tuples nest deeper than " + std::to_string(kMaxTupleDepth);
        open.push_back(element);
        continue;
      }
      if (std::string problem = readArray(cursor, shape); !problem.empty())
        return problem;
    }
    if (depth > 0 && !cursor.consume(',') && !cursor.isNext(")"))
      return "expected ',' or ')' in the shape of a tuple";
  }
  return "";
}

} // namespace fuselage::hlo
