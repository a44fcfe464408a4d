#include "RandomChains.h"
#include "tests/support/ChainWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

namespace fuselage::test {
namespace {

/// Steps that exporters write, each from one value to another.
class Steps {
public:
  Steps(ChainWriter &writer, const ChainOptions &options) : w_(writer), options_(options) {}

  Tensor next(const Tensor &in) {
    if (options_.slices && w_.pick(2))
      return cut(in);
    for (int attempt = 0; attempt < 20; ++attempt) {
      switch (w_.pick(11)) {
      case 0:
        return unary(in);
      case 1:
        return binary(in);
      case 2:
        return transpose(in);
      case 3:
        return namedOp(in);
      case 4:
        if (options_.unitDims)
          return unitCopy(in);
        break;
      case 5:
        if (options_.reshapes && in.shape.size() < 4)
          if (std::optional<Tensor> split = expand(in))
            return *split;
        break;
      case 6:
        if (options_.reshapes && in.shape.size() > 1)
          return collapse(in);
        break;
      case 7:
      case 8:
        if (options_.products)
          return product(in);
        break;
      case 9:
        if (options_.reductions)
          return normalize(in);
        break;
      default:
        if (in.shape.size() < 4 && (options_.unitDims || w_.pick(2)))
          return broadcast(in);
      }
    }
    return unary(in);
  }

  /// Rows minus their maximum, or divided by a sum: a reduction and who reads it.
  Tensor normalize(const Tensor &in) {
    size_t rank = in.shape.size();
    bool keep = options_.unitDims && w_.pick(2);
    std::vector<std::string> row = identity(rank - 1), iterators(rank, "parallel");
    Shape shape(in.shape.begin(), in.shape.end() - 1);
    if (keep) {
      row.push_back("0");
      shape.push_back(1);
    }
    iterators.back() = "reduction";
    bool max = w_.pick(2);
    Tensor reduced = w_.generic({in}, {mapOf(rank, identity(rank)), mapOf(rank, row)}, iterators,
                                w_.filled(shape, max ? "%lowest" : "%zero"),
                                max ? "    %y = arith.maximumf %x0, %o : f32"
                                    : "    %z = arith.mulf %x0, %x0 : f32\n    %y = arith.addf %z, %o : f32");
    return w_.elementwise({in, reduced}, {mapOf(rank, identity(rank)), mapOf(rank, row)}, in.shape,
                          max ? "    %z = arith.subf %x0, %x1 : f32\n    %y = math.exp %z : f32"
                              : "    %a = arith.constant 1.0 : f32\n    %z = arith.addf %x1, %a : f32\n"
                                "    %y = arith.divf %x0, %z : f32");
  }

  /// A part of `in`, or more than it, or itself by way of another type.
  Tensor cut(const Tensor &in) {
    switch (w_.pick(5)) {
    case 0:
      return pad(in);
    case 1:
      return concat(in);
    case 2:
      return cast(in);
    default:
      return slice(in);
    }
  }

private:
  Tensor slice(const Tensor &in) {
    Shape offsets, sizes, strides, shape;
    // Without its first dimension, where it is plain which one that is.
    bool drops =
        in.shape.size() > 2 && w_.pick(4) == 0 && llvm::all_of(in.shape, [](int64_t size) { return size > 2; });
    for (int64_t extent : in.shape) {
      int64_t stride = !drops && w_.pick(4) == 0 && extent > 2 ? 2 : 1;
      int64_t offset = w_.pick(2) ? w_.pick((extent + 1) / 2) : 0;
      int64_t most = (extent - offset + stride - 1) / stride;
      int64_t size = drops || w_.pick(2) ? most : 1 + w_.pick(most);
      bool isDropped = drops && offsets.empty();
      offsets.push_back(offset);
      sizes.push_back(isDropped ? 1 : size);
      strides.push_back(stride);
      if (!isDropped)
        shape.push_back(size);
    }
    return w_.define(shape, "tensor.extract_slice " + in.name + " " + list(offsets) + " " + list(sizes) + " " +
                                list(strides) + " : " + typeOf(in.shape) + " to " + typeOf(shape));
  }

  Tensor pad(const Tensor &in) {
    Shape low, high, shape(in.shape);
    std::string indices;
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      low.push_back(w_.pick(3));
      high.push_back(w_.pick(3));
      extent += low.back() + high.back();
      indices += (dim ? ", %i" : "%i") + std::to_string(dim) + ": index";
    }
    return w_.define(shape, "tensor.pad " + in.name + " low" + list(low) + " high" + list(high) + " {\n  ^bb0(" +
                                indices + "):\n    tensor.yield %scale : f32\n  } : " + typeOf(in.shape) + " to " +
                                typeOf(shape));
  }

  /// With an argument in front or after.
  Tensor concat(const Tensor &in) {
    size_t dim = w_.pick(in.shape.size());
    Shape more(in.shape), shape(in.shape);
    more[dim] = w_.pick(2) ? in.shape[dim] : 1 + w_.pick(8);
    shape[dim] += more[dim];
    Tensor first = in, second = w_.argument(more);
    if (w_.pick(2))
      std::swap(first, second);
    return w_.define(shape, "tensor.concat dim(" + std::to_string(dim) + ") " + first.name + ", " + second.name +
                                " : (" + typeOf(first.shape) + ", " + typeOf(second.shape) + ") -> " + typeOf(shape));
  }

  /// To a dynamic size and back, with an op on it in between or not.
  Tensor cast(const Tensor &in) {
    std::string open = typeOf(in.shape);
    open.replace(open.find('<') + 1, std::to_string(in.shape.front()).size(), "?");
    Tensor dynamic = w_.define(in.shape, "tensor.cast " + in.name + " : " + typeOf(in.shape) + " to " + open);
    return w_.define(in.shape, "tensor.cast " + dynamic.name + " : " + open + " to " + typeOf(in.shape));
  }

  /// "[1, 2, 3]"
  static std::string list(const Shape &numbers) {
    std::string text = "[";
    for (auto [i, number] : llvm::enumerate(numbers))
      text += (i ? ", " : "") + std::to_string(number);
    return text + "]";
  }

  /// Mostly a mere move, else one that computes something as well.
  std::string movePayload() { return w_.pick(4) ? "" : "    %y = arith.addf %x0, %scale : f32"; }

  Tensor unary(const Tensor &in) {
    static const char *const payloads[] = {"    %y = arith.mulf %x0, %scale : f32",
                                           "    %y = arith.maximumf %x0, %zero : f32",
                                           "    %z = arith.negf %x0 : f32\n    %y = arith.addf %z, %scale : f32"};
    return w_.elementwise({in}, {mapOf(in.shape.size(), identity(in.shape.size()))}, in.shape, payloads[w_.pick(3)]);
  }

  /// With a bias along one dimension, or with itself.
  Tensor binary(const Tensor &in) {
    size_t rank = in.shape.size(), dim = w_.pick(rank);
    Tensor other = w_.pick(3) ? w_.argument({in.shape[dim]}) : in;
    std::vector<std::string> read{"d" + std::to_string(dim)};
    if (other.shape.size() == rank && other.name == in.name)
      read = identity(rank);
    return w_.elementwise({in, other}, {mapOf(rank, identity(rank)), mapOf(rank, read)}, in.shape,
                          w_.pick(2) ? "    %y = arith.addf %x0, %x1 : f32" : "    %y = arith.subf %x1, %x0 : f32");
  }

  /// Written or read in another order.
  Tensor transpose(const Tensor &in) {
    size_t rank = in.shape.size();
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = rank; i-- > 1;)
      std::swap(order[i], order[w_.pick(i + 1)]);
    Shape shape;
    std::vector<std::string> results;
    for (size_t source : order) {
      shape.push_back(in.shape[source]);
      results.push_back("d" + std::to_string(source));
    }
    Tensor init = w_.empty(shape);
    return w_.generic({in}, {mapOf(rank, identity(rank)), mapOf(rank, results)},
                      std::vector<std::string>(rank, "parallel"), init, movePayload());
  }

  Tensor namedOp(const Tensor &in) {
    std::string type = typeOf(in.shape);
    if (in.shape.size() == 2 && w_.pick(2)) {
      Tensor init = w_.empty({in.shape[1], in.shape[0]});
      return w_.define(init.shape, "linalg.transpose ins(" + in.name + " : " + type + ") outs(" + init.name + " : " +
                                       typeOf(init.shape) + ") permutation = [1, 0]");
    }
    Tensor init = w_.empty(in.shape);
    const char *name = w_.pick(2) ? "linalg.abs" : "linalg.tanh";
    return w_.define(in.shape, std::string(name) + " ins(" + in.name + " : " + type + ") outs(" + init.name + " : " +
                                   type + ") -> " + type);
  }

  /// A copy whose map reads unit dimensions as element 0.
  Tensor unitCopy(const Tensor &in) {
    std::vector<std::string> read = identity(in.shape.size());
    for (auto [i, size] : llvm::enumerate(in.shape))
      if (size == 1)
        read[i] = "0";
    return w_.generic({in}, {mapOf(in.shape.size(), read), mapOf(in.shape.size(), identity(in.shape.size()))},
                      std::vector<std::string>(in.shape.size(), "parallel"), w_.empty(in.shape), movePayload());
  }

  std::optional<Tensor> expand(const Tensor &in) {
    size_t dim = w_.pick(in.shape.size());
    int64_t factor = options_.unitDims && w_.pick(3) == 0 ? 1 : 2;
    if (in.shape[dim] % factor != 0)
      return std::nullopt;
    Shape shape(in.shape);
    shape[dim] /= factor;
    shape.insert(shape.begin() + dim, factor);
    std::string sizes;
    for (auto [i, size] : llvm::enumerate(shape))
      sizes += (i ? ", " : "") + std::to_string(size);
    return w_.define(shape, "tensor.expand_shape " + in.name + " " + groups(in.shape.size(), dim) + " output_shape [" +
                                sizes + "] : " + typeOf(in.shape) + " into " + typeOf(shape));
  }

  Tensor collapse(const Tensor &in) {
    size_t dim = w_.pick(in.shape.size() - 1);
    Shape shape(in.shape);
    shape[dim] *= shape[dim + 1];
    shape.erase(shape.begin() + dim + 1);
    return w_.define(shape, "tensor.collapse_shape " + in.name + " " + groups(shape.size(), dim) + " : " +
                                typeOf(in.shape) + " into " + typeOf(shape));
  }

  /// "[[0], [1, 2]]": group `pair` of `count` has two dimensions.
  static std::string groups(size_t count, size_t pair) {
    std::string text = "[";
    size_t dim = 0;
    for (size_t group = 0; group < count; ++group) {
      text += (group ? ", [" : "[") + std::to_string(dim++);
      if (group == pair)
        text += ", " + std::to_string(dim++);
      text += "]";
    }
    return text + "]";
  }

  Tensor broadcast(const Tensor &in) {
    Shape shape(in.shape);
    shape.insert(shape.begin(), options_.unitDims && w_.pick(2) ? 1 : 3);
    std::vector<std::string> read = identity(shape.size());
    read.erase(read.begin());
    return w_.generic({in}, {mapOf(shape.size(), read), mapOf(shape.size(), identity(shape.size()))},
                      std::vector<std::string>(shape.size(), "parallel"), w_.empty(shape), movePayload());
  }

  /// With a weight along the last dimension: named or generic, the weight perhaps transposed first.
  Tensor product(const Tensor &in) {
    size_t rank = in.shape.size();
    int64_t depth = in.shape.back(), columns = 2 + w_.pick(5);
    bool transposed = w_.pick(2);
    Tensor weight = w_.argument(transposed ? Shape{columns, depth} : Shape{depth, columns});
    if (transposed && w_.pick(2))
      weight = w_.generic({weight}, {mapOf(2, {"d1", "d0"}), mapOf(2, {"d0", "d1"})}, {"parallel", "parallel"},
                          w_.empty({depth, columns}), "    %y = arith.addf %x0, %zero : f32");
    else if (transposed)
      weight = moved(weight, {depth, columns}, {"d1", "d0"});
    Shape shape(in.shape);
    shape.back() = columns;
    Tensor init = w_.filled(shape, "%zero");
    if (rank == 2 && w_.pick(2))
      return w_.define(shape, named("linalg.matmul", in, weight, init));
    if (rank == 3 && w_.pick(2)) {
      Tensor many = moved(weight, {in.shape[0], depth, columns}, {"d1", "d2"});
      return w_.define(shape, named("linalg.batch_matmul", in, many, init));
    }
    // Loops: rows, the columns, the depth.
    std::vector<std::string> left = identity(rank - 1), out = identity(rank), iterators(rank, "parallel");
    left.push_back("d" + std::to_string(rank));
    iterators.push_back("reduction");
    return w_.generic({in, weight},
                      {mapOf(rank + 1, left),
                       mapOf(rank + 1, {"d" + std::to_string(rank), "d" + std::to_string(rank - 1)}),
                       mapOf(rank + 1, out)},
                      iterators, init, "    %z = arith.mulf %x0, %x1 : f32\n    %y = arith.addf %o, %z : f32");
  }

  /// A copy of `in` that is read through `map`.
  Tensor moved(const Tensor &in, const Shape &shape, const std::vector<std::string> &map) {
    return w_.generic({in}, {mapOf(shape.size(), map), mapOf(shape.size(), identity(shape.size()))},
                      std::vector<std::string>(shape.size(), "parallel"), w_.empty(shape), "");
  }

  static std::string named(const std::string &name, const Tensor &a, const Tensor &b, const Tensor &init) {
    return name + " ins(" + a.name + ", " + b.name + " : " + typeOf(a.shape) + ", " + typeOf(b.shape) + ") outs(" +
           init.name + " : " + typeOf(init.shape) + ") -> " + typeOf(init.shape);
  }

  ChainWriter &w_;
  const ChainOptions &options_;
};

} // namespace

std::string randomChain(const ChainOptions &options, std::mt19937 &random) {
  ChainWriter writer(random);
  Shape shape;
  const int64_t sizes[] = {2, 3, 4, 6, 8};
  for (int64_t dim = 0, rank = 2 + writer.pick(2); dim < rank; ++dim)
    shape.push_back(sizes[writer.pick(5)]);
  if (options.unitDims && writer.pick(2))
    shape.front() = 1;
  std::vector<Tensor> values{writer.argument(shape)};
  Steps steps(writer, options);
  for (int op = 0; op < options.ops; ++op) {
    // Mostly a chain; now and then a value gets a second user.
    const Tensor from = writer.pick(4) == 0 ? values[writer.pick(values.size())] : values.back();
    values.push_back(steps.next(from));
  }
  std::vector<Tensor> results{values.back()};
  for (int result = 1; result < options.results; ++result)
    results.push_back(values[writer.pick(values.size())]);
  return writer.finish(results);
}

std::string randomAttention(std::mt19937 &random) {
  ChainWriter w(random);
  const int64_t sizes[] = {1, 3, 8, 20, 32, 37, 48, 64, 67, 96};
  int64_t heads = 1 + w.pick(3), rows = sizes[w.pick(10)], keys = sizes[w.pick(10)], depth = 2 + w.pick(9),
          columns = 2 + w.pick(9);
  bool batched = w.pick(3) != 0, keysTransposed = w.pick(2), named = w.pick(3) == 0, masked = w.pick(2),
       scaled = w.pick(2), rowsFirst = w.pick(2), reciprocal = w.pick(3) == 0;
  Shape lead = batched ? Shape{heads} : Shape{};
  auto with = [&](std::initializer_list<int64_t> tail) {
    Shape shape(lead);
    shape.insert(shape.end(), tail);
    return shape;
  };
  // Loops of the products: [head,] row, column, depth.
  size_t rank = lead.size() + 2, loops = rank + 1;
  std::string h = "d0", r = "d" + std::to_string(rank - 2), c = "d" + std::to_string(rank - 1),
              d = "d" + std::to_string(rank);
  auto map = [&](const std::string &a, const std::string &b) {
    std::vector<std::string> results;
    if (batched)
      results.push_back(h);
    results.push_back(a);
    results.push_back(b);
    return mapOf(loops, results);
  };
  std::vector<std::string> iterators(loops, "parallel"), rowIterators(rank, "parallel");
  iterators.back() = rowIterators.back() = "reduction";
  const std::string multiplyAdd = "    %z = arith.mulf %x0, %x1 : f32\n    %y = arith.addf %o, %z : f32";
  Tensor q = w.argument(with({rows, depth}));
  Tensor k = w.argument(keysTransposed ? with({depth, keys}) : with({keys, depth}));
  Tensor v = w.argument(with({keys, columns}));
  Shape square = with({rows, keys});
  Tensor scores = w.generic({q, k}, {map(r, d), keysTransposed ? map(d, c) : map(c, d), map(r, c)}, iterators,
                            w.filled(square, "%zero"), multiplyAdd);
  std::string id = mapOf(rank, identity(rank));
  if (scaled)
    scores = w.elementwise({scores}, {id}, square, "    %y = arith.mulf %x0, %scale : f32");
  if (masked) {
    Tensor mask = w.argument({keys});
    scores = w.elementwise({scores, mask}, {id, mapOf(rank, {"d" + std::to_string(rank - 1)})}, square,
                           "    %y = arith.addf %x0, %x1 : f32");
  }
  Tensor probabilities = scores;
  std::string row = mapOf(rank, identity(rank - 1));
  if (named) {
    Tensor init = w.empty(square);
    probabilities = w.define(square, "linalg.softmax dimension(" + std::to_string(rank - 1) + ") ins(" + scores.name +
                                         " : " + typeOf(square) + ") outs(" + init.name + " : " + typeOf(square) +
                                         ") -> " + typeOf(square));
  } else {
    Shape rowShape = with({rows});
    Tensor max = w.generic({scores}, {id, row}, rowIterators, w.filled(rowShape, "%lowest"),
                           "    %y = arith.maximumf %x0, %o : f32");
    Tensor shifted = scores, weights = scores;
    if (w.pick(2)) {
      shifted = w.elementwise({scores, max}, {id, row}, square, "    %y = arith.subf %x0, %x1 : f32");
      weights = w.elementwise({shifted}, {id}, square, "    %y = math.exp %x0 : f32");
    } else {
      weights = w.elementwise({scores, max}, {id, row}, square,
                              "    %z = arith.subf %x0, %x1 : f32\n    %y = math.exp %z : f32");
    }
    Tensor sum =
        w.generic({weights}, {id, row}, rowIterators, w.filled(rowShape, "%zero"), "    %y = arith.addf %x0, %o : f32");
    probabilities = w.elementwise({weights, sum}, {id, row}, square,
                                  reciprocal ? "    %one = arith.constant 1.0 : f32\n"
                                               "    %z = arith.divf %one, %x1 : f32\n"
                                               "    %y = arith.mulf %x0, %z : f32"
                                             : "    %y = arith.divf %x0, %x1 : f32");
  }
  // The columns of the result before its rows, or after.
  Shape shape = rowsFirst ? with({rows, columns}) : with({columns, rows});
  Tensor context = w.generic({probabilities, v}, {map(r, d), map(d, c), rowsFirst ? map(r, c) : map(c, r)}, iterators,
                             w.filled(shape, "%zero"), multiplyAdd);
  return w.finish({context});
}

} // namespace fuselage::test
