#include "RandomChain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

namespace fuselage {
namespace {

using Shape = std::vector<int64_t>;

struct Value {
  std::string name;
  Shape shape;
};

struct Operand {
  Value value;
  std::string map; ///< results of the map, such as "d0, d1 * 2 + d2"
};

std::string join(const Shape &list) {
  return llvm::join(llvm::map_range(list, [](int64_t i) { return std::to_string(i); }), ", ");
}

std::string typeOf(const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + "f32>";
}

class Writer {
public:
  explicit Writer(std::mt19937 &random) : random_(random) {}

  std::string write(int ops) {
    Value start = argument(randomShape(pick(1, 3)));
    values_.push_back(start);
    for (int i = 0; i < ops; ++i)
      values_.push_back(next(i + 1 == ops || pick(0, 2) > 0 ? values_.back() : values_[pick(0, values_.size() - 1)]));
    std::string arguments;
    for (const Value &value : arguments_)
      arguments += (arguments.empty() ? "" : ", ") + value.name + ": " + typeOf(value.shape);
    const Value &last = values_.back();
    return "func.func @f(" + arguments + ") -> " + typeOf(last.shape) + " {\n  %zero = arith.constant 0.0 : f32\n" +
           body_ + "  return " + last.name + " : " + typeOf(last.shape) + "\n}\n";
  }

private:
  int64_t pick(int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(random_); }

  Shape randomShape(size_t rank) {
    Shape shape;
    for (size_t i = 0; i < rank; ++i)
      shape.push_back(pick(1, 7));
    return shape;
  }
  Value argument(const Shape &shape) {
    arguments_.push_back({"%a" + std::to_string(arguments_.size()), shape});
    return arguments_.back();
  }
  /// A value of that shape made before, or an argument.
  Value anyOf(const Shape &shape) {
    std::vector<Value> fitting;
    for (const Value &value : values_)
      if (value.shape == shape)
        fitting.push_back(value);
    return fitting.empty() || pick(0, 3) == 0 ? argument(shape) : fitting[pick(0, fitting.size() - 1)];
  }
  Value named(const Shape &shape) { return {"%v" + std::to_string(counter_++), shape}; }
  Value write(const Shape &shape, const std::string &text) {
    Value value = named(shape);
    body_ += "  " + value.name + " = " + text + "\n";
    return value;
  }

  /// A linalg.generic that adds its inputs up. `loops`: ranges, `output`: which of them index the
  /// result (the others are reductions).
  Value generic(const Shape &loops, const std::vector<Operand> &inputs, const std::vector<size_t> &output) {
    Shape shape;
    std::string dims, outMap, kinds;
    for (size_t i = 0; i < loops.size(); ++i) {
      dims += (i ? ", d" : "d") + std::to_string(i);
      kinds += std::string(i ? ", " : "") + (llvm::is_contained(output, i) ? "\"parallel\"" : "\"reduction\"");
    }
    for (size_t dim : output) {
      shape.push_back(loops[dim]);
      outMap += (outMap.empty() ? "d" : ", d") + std::to_string(dim);
    }
    bool reduces = output.size() < loops.size();
    Value init = write(shape, "tensor.empty() : " + typeOf(shape));
    if (reduces)
      init = write(shape,
                   "linalg.fill ins(%zero : f32) outs(" + init.name + " : " + typeOf(shape) + ") -> " + typeOf(shape));
    std::string maps, names, types, arguments, sum = reduces ? "%out" : "%in0", body;
    for (size_t i = 0; i < inputs.size(); ++i) {
      maps += "affine_map<(" + dims + ") -> (" + inputs[i].map + ")>, ";
      names += (i ? ", " : "") + inputs[i].value.name;
      types += (i ? ", " : "") + typeOf(inputs[i].value.shape);
      arguments += "%in" + std::to_string(i) + ": f32, ";
      if (i > 0 || reduces) {
        body += "    %s" + std::to_string(i) + " = arith.addf " + sum + ", %in" + std::to_string(i) + " : f32\n";
        sum = "%s" + std::to_string(i);
      }
    }
    return write(shape, "linalg.generic {indexing_maps = [" + maps + "affine_map<(" + dims + ") -> (" + outMap +
                            ")>], iterator_types = [" + kinds + "]} ins(" + names + " : " + types + ") outs(" +
                            init.name + " : " + typeOf(shape) + ") {\n  ^bb0(" + arguments + "%out: f32):\n" + body +
                            "    linalg.yield " + sum + " : f32\n  } -> " + typeOf(shape));
  }

  static std::string identity(size_t rank) {
    std::string map;
    for (size_t i = 0; i < rank; ++i)
      map += (i ? ", d" : "d") + std::to_string(i);
    return map;
  }
  static std::vector<size_t> all(size_t rank) {
    std::vector<size_t> list(rank);
    std::iota(list.begin(), list.end(), 0);
    return list;
  }

  Value next(const Value &from) {
    size_t rank = from.shape.size();
    switch (pick(0, 15)) {
    case 0:
      return generic(from.shape, {{from, identity(rank)}, {anyOf(from.shape), identity(rank)}}, all(rank));
    case 1:
      return transposed(from);
    case 2:
      return broadcast(from);
    case 3:
      return rank > 0 ? reduced(from) : next(from);
    case 4:
    case 5:
      return rank > 0 ? windowed(from) : next(from);
    case 6:
      return diagonal(from);
    case 7:
      return padded(from);
    case 8:
      return extracted(from);
    case 9:
      return inserted(from);
    case 10:
    case 11:
      return reshaped(from);
    case 12:
      return rank > 0 ? concatenated(from) : next(from);
    case 13:
      return rank > 0 ? divided(from) : next(from);
    case 14:
      return rank > 0 ? reversed(from) : next(from);
    default:
      return rank > 0 ? packed(from) : next(from);
    }
  }

  Value transposed(const Value &from) {
    std::vector<size_t> order = all(from.shape.size());
    std::shuffle(order.begin(), order.end(), random_);
    Shape loops(from.shape.size());
    std::string map;
    for (size_t i = 0; i < order.size(); ++i) {
      loops[order[i]] = from.shape[i];
      map += (i ? ", d" : "d") + std::to_string(order[i]);
    }
    return generic(loops, {{from, map}}, all(loops.size()));
  }
  Value broadcast(const Value &from) {
    if (from.shape.size() >= 4)
      return transposed(from);
    Shape loops = from.shape;
    size_t at = pick(0, loops.size());
    loops.insert(loops.begin() + at, pick(1, 5));
    std::string map;
    for (size_t i = 0; i < loops.size(); ++i)
      if (i != at)
        map += (map.empty() ? "d" : ", d") + std::to_string(i);
    return generic(loops, {{from, map}}, all(loops.size()));
  }
  Value reduced(const Value &from) {
    std::vector<size_t> kept = all(from.shape.size());
    kept.erase(kept.begin() + pick(0, kept.size() - 1));
    return generic(from.shape, {{from, identity(from.shape.size())}}, kept);
  }
  /// A window with stride and dilation along one dimension, as in a pooling or a convolution.
  Value windowed(const Value &from) {
    size_t at = pick(0, from.shape.size() - 1);
    int64_t stride = pick(1, 3), dilation = pick(1, 2), window = pick(1, 3);
    while ((window - 1) * dilation + 1 > from.shape[at])
      --window;
    Shape loops = from.shape;
    loops[at] = (from.shape[at] - (window - 1) * dilation - 1) / stride + 1;
    loops.push_back(window);
    std::string map;
    for (size_t i = 0; i < from.shape.size(); ++i) {
      map += (i ? ", d" : "d") + std::to_string(i);
      if (i == at)
        map += llvm::formatv(" * {0} + d{1} * {2}", stride, from.shape.size(), dilation);
    }
    return generic(loops, {{from, map}, {argument({window}), "d" + std::to_string(from.shape.size())}},
                   all(from.shape.size()));
  }
  /// Results of the map that share dimensions.
  Value diagonal(const Value &from) {
    Shape loops{pick(1, 5), pick(1, 5)};
    int64_t a = loops[0], b = loops[1];
    switch (pick(0, 3)) {
    case 0: // (d0, d0)
      return generic(loops, {{anyOf({a, a}), "d0, d0"}, {argument({a, b}), "d0, d1"}}, {0, 1});
    case 1: // skewed
      return generic(loops, {{anyOf({a, a + b - 1}), "d0, d0 + d1"}}, {0, 1});
    case 2: // neither tells its dimension
      return generic(loops,
                     {{argument({a + b - 1, a + 2 * b - 2}), "d0 + d1, d0 + d1 * 2"},
                      {from.shape == loops ? from : anyOf(loops), "d0, d1"}},
                     {0, 1});
    default: // within one result
      return generic(loops, {{argument({2 * a + a / 2 + 1 + b}), "d0 * 2 + d0 floordiv 2 + d1"}}, {1, 0});
    }
  }
  Value padded(const Value &from) {
    Shape low, high, shape;
    for (int64_t size : from.shape) {
      low.push_back(pick(0, 3));
      high.push_back(pick(0, 3));
      shape.push_back(size + low.back() + high.back());
    }
    std::string arguments;
    for (size_t i = 0; i < shape.size(); ++i)
      arguments += (i ? ", %i" : "%i") + std::to_string(i) + ": index";
    return write(shape, "tensor.pad " + from.name + " low[" + join(low) + "] high[" + join(high) + "] {\n  ^bb0(" +
                            arguments + "):\n    tensor.yield %zero : f32\n  } : " + typeOf(from.shape) + " to " +
                            typeOf(shape));
  }
  struct Slice {
    Shape offsets, sizes, strides, kept;
  };
  Slice randomSlice(const Shape &shape) {
    Slice slice;
    for (int64_t size : shape) {
      int64_t stride = pick(1, 2), offset = pick(0, size - 1);
      int64_t count = pick(1, (size - offset - 1) / stride + 1);
      slice.offsets.push_back(offset);
      slice.sizes.push_back(count);
      slice.strides.push_back(stride);
      if (count != 1 || pick(0, 1))
        slice.kept.push_back(count);
    }
    return slice;
  }
  static std::string text(const Slice &slice) {
    return "[" + join(slice.offsets) + "] [" + join(slice.sizes) + "] [" + join(slice.strides) + "]";
  }
  Value extracted(const Value &from) {
    Slice slice = randomSlice(from.shape);
    return write(slice.kept, "tensor.extract_slice " + from.name + text(slice) + " : " + typeOf(from.shape) + " to " +
                                 typeOf(slice.kept));
  }
  Value inserted(const Value &from) {
    Slice slice = randomSlice(from.shape);
    Value source = anyOf(slice.kept);
    return write(from.shape, "tensor.insert_slice " + source.name + " into " + from.name + text(slice) + " : " +
                                 typeOf(slice.kept) + " into " + typeOf(from.shape));
  }
  Value reshaped(const Value &from) {
    size_t rank = from.shape.size();
    if (rank >= 2 && pick(0, 1)) { // collapse two neighbours
      size_t at = pick(0, rank - 2);
      Shape shape;
      std::string groups;
      for (size_t i = 0; i < rank; ++i) {
        bool joins = i == at;
        groups +=
            (groups.empty() ? "[" : ", [") + std::to_string(i) + (joins ? ", " + std::to_string(i + 1) : "") + "]";
        shape.push_back(from.shape[i] * (joins ? from.shape[i + 1] : 1));
        i += joins;
      }
      return write(shape, "tensor.collapse_shape " + from.name + " [" + groups + "] : " + typeOf(from.shape) +
                              " into " + typeOf(shape));
    }
    if (rank == 0 || rank >= 4)
      return padded(from);
    size_t at = pick(0, rank - 1);
    Shape shape;
    std::string groups;
    for (size_t i = 0; i < rank; ++i) {
      groups += i ? ", [" : "[";
      if (i == at) {
        std::vector<int64_t> divisors;
        for (int64_t d = 1; d <= from.shape[i]; ++d)
          if (from.shape[i] % d == 0)
            divisors.push_back(d);
        int64_t outer = divisors[pick(0, divisors.size() - 1)];
        groups += std::to_string(shape.size()) + ", " + std::to_string(shape.size() + 1) + "]";
        shape.push_back(outer);
        shape.push_back(from.shape[i] / outer);
      } else {
        groups += std::to_string(shape.size()) + "]";
        shape.push_back(from.shape[i]);
      }
    }
    return write(shape, "tensor.expand_shape " + from.name + " [" + groups + "] output_shape [" + join(shape) +
                            "] : " + typeOf(from.shape) + " into " + typeOf(shape));
  }
  Value concatenated(const Value &from) {
    size_t dim = pick(0, from.shape.size() - 1);
    Shape other = from.shape, shape = from.shape;
    if (pick(0, 1))
      other[dim] = pick(1, 4);
    Value second = anyOf(other);
    shape[dim] += other[dim];
    return write(shape, llvm::formatv("tensor.concat dim({0}) {1}, {2} : ({3}, {4}) -> {5}", dim, from.name,
                                      second.name, typeOf(from.shape), typeOf(other), typeOf(shape)));
  }
  /// Nearest-neighbour upsampling.
  Value divided(const Value &from) {
    size_t at = pick(0, from.shape.size() - 1);
    int64_t factor = pick(2, 3);
    Shape loops = from.shape;
    loops[at] *= factor;
    std::string map;
    for (size_t i = 0; i < loops.size(); ++i)
      map += (i ? ", d" : "d") + std::to_string(i) + (i == at ? " floordiv " + std::to_string(factor) : "");
    return generic(loops, {{from, map}}, all(loops.size()));
  }
  /// One dimension backwards, and the value itself: footprints that move against each other.
  Value reversed(const Value &from) {
    size_t at = pick(0, from.shape.size() - 1);
    std::string map;
    for (size_t i = 0; i < from.shape.size(); ++i)
      map += (i ? ", " : "") +
             (i == at ? llvm::formatv("-d{0} + {1}", i, from.shape[i] - 1).str() : "d" + std::to_string(i));
    return generic(from.shape, {{from, map}, {pick(0, 1) ? from : anyOf(from.shape), identity(from.shape.size())}},
                   all(from.shape.size()));
  }
  /// linalg.pack with padding, and back.
  Value packed(const Value &from) {
    size_t at = pick(0, from.shape.size() - 1);
    int64_t tile = pick(1, 4);
    Shape shape = from.shape;
    shape[at] = (shape[at] + tile - 1) / tile;
    shape.push_back(tile);
    Value init = write(shape, "tensor.empty() : " + typeOf(shape));
    Value packed = write(shape, llvm::formatv("linalg.pack {0} padding_value(%zero : f32) inner_dims_pos = [{1}] "
                                              "inner_tiles = [{2}] into {3} : {4} -> {5}",
                                              from.name, at, tile, init.name, typeOf(from.shape), typeOf(shape)));
    if (pick(0, 2) == 0)
      return packed;
    Value back = write(from.shape, "tensor.empty() : " + typeOf(from.shape));
    return write(from.shape,
                 llvm::formatv("linalg.unpack {0} inner_dims_pos = [{1}] inner_tiles = [{2}] into {3} : {4} -> {5}",
                               packed.name, at, tile, back.name, typeOf(shape), typeOf(from.shape)));
  }

  std::mt19937 &random_;
  std::vector<Value> values_, arguments_;
  std::string body_;
  int counter_ = 0;
};

} // namespace

std::string randomChain(std::mt19937 &random, int ops) { return Writer(random).write(ops); }

} // namespace fuselage
