#include "RandomModules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace fuselage::test {
namespace {

constexpr int64_t dynamic = -1; ///< the one size that is not known

using Shape = std::vector<int64_t>;
using Dims = std::vector<int>; ///< of a map: loops; -1 is the constant 0

struct Tensor {
  std::string name;
  Shape shape;
};

std::string join(const Shape &shape, const char *separator) {
  return llvm::join(llvm::map_range(shape, [](int64_t size) { return size == dynamic ? "?" : std::to_string(size); }),
                    separator);
}

std::string typeOf(const Shape &shape) { return "tensor<" + join(shape, "x") + (shape.empty() ? "f32>" : "xf32>"); }

std::string mapOf(size_t loops, const Dims &dims) {
  std::vector<std::string> from, to;
  for (size_t loop = 0; loop < loops; ++loop)
    from.push_back("d" + std::to_string(loop));
  for (int dim : dims)
    to.push_back(dim < 0 ? "0" : from[dim]);
  return "affine_map<(" + llvm::join(from, ", ") + ") -> (" + llvm::join(to, ", ") + ")>";
}

Dims identity(size_t rank) {
  Dims dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

class ModuleWriter {
public:
  ModuleWriter(const ModuleOptions &options, std::mt19937 &random) : options_(options), random_(random) {}
  std::string write();

private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool chance(int of) { return pick(of) == 0; }
  int64_t size() { return std::vector<int64_t>{1, 2, 3, 4, 6}[pick(5)]; }
  Dims shuffled(size_t count) {
    Dims dims = identity(count);
    std::shuffle(dims.begin(), dims.end(), random_);
    return dims;
  }
  /// Mostly the last value: chains; now and then an older one: several users.
  Tensor any() { return values_[chance(3) ? pick(values_.size()) : values_.size() - 1]; }
  Tensor argument(const Shape &shape) { return arguments_.emplace_back(Tensor{"%arg" + std::to_string(arguments_.size()), shape}); }

  void line(const std::string &text) { body_ += "  " + text + "\n"; }
  Tensor define(const Shape &shape, const std::string &op) {
    Tensor tensor{"%v" + std::to_string(count_++), shape};
    line(tensor.name + " = " + op);
    return tensor;
  }
  Tensor empty(const Shape &shape) {
    std::vector<std::string> sizes(llvm::count(shape, dynamic), "%n");
    return define(shape, "tensor.empty(" + llvm::join(sizes, ", ") + ") : " + typeOf(shape));
  }
  Tensor filled(const Shape &shape) {
    Tensor init = empty(shape);
    return define(shape, "linalg.fill ins(%zero : f32) outs(" + init.name + " : " + typeOf(shape) + ") -> " + typeOf(shape));
  }

  struct Read {
    Tensor tensor;
    Dims dims;
  };
  struct Payload {
    std::vector<std::string> lines; ///< of %x0, %x1, ... and %o0, %o1, ...
    std::vector<std::string> yielded;
  };
  void generic(const Shape &loops, const std::vector<Read> &reads, const std::vector<Read> &inits, const Payload &payload);
  Dims readDims(const Shape &shape, const Dims &loops);
  Read secondRead(const Shape &loops);

  void elementwise();
  void reduction();
  void contraction();
  void named();
  void reshape();
  void slice();
  void joined();
  void gather();
  void loop();
  void effect();
  void named(const std::string &op, const std::vector<Tensor> &inputs, const Tensor &init, const std::string &tail = "");

  const ModuleOptions &options_;
  std::mt19937 &random_;
  std::vector<Tensor> arguments_, values_;
  std::string body_;
  int count_ = 0;
  bool hasEffects_ = false;
};

void ModuleWriter::generic(const Shape &loops, const std::vector<Read> &reads, const std::vector<Read> &inits,
                           const Payload &payload) {
  std::vector<std::string> maps, iterators(loops.size(), "\"reduction\""), names, types, outs, outTypes, arguments;
  for (const Read &read : reads) {
    maps.push_back(mapOf(loops.size(), read.dims));
    names.push_back(read.tensor.name);
    types.push_back(typeOf(read.tensor.shape));
    arguments.push_back("%x" + std::to_string(arguments.size()) + ": f32");
  }
  for (auto [number, init] : llvm::enumerate(inits)) {
    maps.push_back(mapOf(loops.size(), init.dims));
    outs.push_back(init.tensor.name);
    outTypes.push_back(typeOf(init.tensor.shape));
    arguments.push_back("%o" + std::to_string(number) + ": f32");
    for (int dim : init.dims)
      if (dim >= 0)
        iterators[dim] = "\"parallel\"";
  }
  std::string name = "%v" + std::to_string(count_++), ins = names.empty() ? "" : "ins(" + llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + ") ";
  line(name + (inits.size() > 1 ? ":" + std::to_string(inits.size()) : "") + " = linalg.generic {indexing_maps = [" +
       llvm::join(maps, ", ") + "], iterator_types = [" + llvm::join(iterators, ", ") + "]} " + ins + "outs(" +
       llvm::join(outs, ", ") + " : " + llvm::join(outTypes, ", ") + ") {");
  line("^bb0(" + llvm::join(arguments, ", ") + "):");
  for (const std::string &op : payload.lines)
    line("  " + op);
  line("  linalg.yield " + llvm::join(payload.yielded, ", ") + " : " +
       llvm::join(std::vector<std::string>(inits.size(), "f32"), ", "));
  std::string results = llvm::join(outTypes, ", ");
  line("} -> " + (inits.size() > 1 ? "(" + results + ")" : results));
  for (auto [number, init] : llvm::enumerate(inits))
    values_.push_back({inits.size() > 1 ? name + "#" + std::to_string(number) : name, init.tensor.shape});
}

/// How a tensor is read by these loops: dimensions of size 1 now and then as element 0.
Dims ModuleWriter::readDims(const Shape &shape, const Dims &loops) {
  Dims dims;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    dims.push_back(shape[dim] == 1 && chance(2) ? -1 : loops[dim]);
  return dims;
}

/// Another operand: a value that fits the loops, or an argument along some of them.
ModuleWriter::Read ModuleWriter::secondRead(const Shape &loops) {
  Dims order = shuffled(loops.size());
  order.resize(1 + pick(loops.size()));
  Shape shape;
  for (int loop : order)
    shape.push_back(loops[loop]);
  for (const Tensor &value : llvm::reverse(values_))
    if (value.shape == shape && chance(2))
      return {value, readDims(shape, order)};
  return {argument(shape), readDims(shape, order)};
}

void ModuleWriter::elementwise() {
  Tensor in = any();
  if (in.shape.size() > 4 || in.shape.empty())
    return;
  Shape loops = in.shape;
  if (loops.size() < 4 && chance(3))
    loops.insert(loops.begin() + pick(loops.size() + 1), size());
  // Loops in any order: `at[i]` is the loop of dimension i of the input, where sizes allow.
  Dims at;
  std::vector<bool> used(loops.size());
  for (int64_t size : in.shape)
    for (size_t loop = 0; loop < loops.size(); ++loop)
      if (loops[loop] == size && !used[loop]) {
        used[loop] = true;
        at.push_back(loop);
        break;
      }
  std::vector<Read> reads;
  if (!chance(10))
    reads.push_back({in, readDims(in.shape, at)});
  Payload payload{.lines = {"%y = arith.addf %x0, %scale : f32"}, .yielded = {"%y"}};
  if (reads.empty()) {
    payload.lines = {"%i = linalg.index 0 : index", "%j = arith.index_cast %i : index to i32",
                     "%y = arith.sitofp %j : i32 to f32"};
  } else if (chance(4)) {
    payload = {.lines = {}, .yielded = {"%x0"}};
  } else if (chance(2)) {
    reads.push_back(secondRead(loops));
    payload.lines = {"%y = arith.mulf %x0, %x1 : f32"};
  }
  Dims out = chance(3) ? shuffled(loops.size()) : identity(loops.size());
  Shape shape;
  for (int loop : out)
    shape.push_back(loops[loop]);
  std::vector<Read> inits{{chance(8) ? filled(shape) : empty(shape), out}};
  if (chance(8)) {
    payload.lines.push_back("%z = arith.addf %" + payload.yielded[0].substr(1) + ", %o0 : f32");
    inits[0].tensor = filled(shape);
    payload.yielded[0] = "%z";
  }
  if (chance(8)) {
    inits.push_back({empty(shape), out});
    payload.yielded.push_back(payload.yielded[0]);
  }
  generic(loops, reads, inits, payload);
}

void ModuleWriter::reduction() {
  Tensor in = any();
  if (in.shape.empty())
    return;
  Dims out = identity(in.shape.size());
  out.erase(out.begin() + pick(out.size()));
  if (!out.empty() && chance(4))
    out.erase(out.begin() + pick(out.size()));
  Shape shape;
  for (int loop : out)
    shape.push_back(in.shape[loop]);
  if (chance(3)) {
    out.push_back(-1);
    shape.push_back(1);
  }
  std::vector<Read> reads{{in, readDims(in.shape, identity(in.shape.size()))}};
  // A loop that only the constant 0 reads has no bounds.
  reads[0].dims = identity(in.shape.size());
  generic(in.shape, reads, {{filled(shape), out}},
          {.lines = {chance(2) ? "%y = arith.maximumf %x0, %o0 : f32" : "%y = arith.addf %x0, %o0 : f32"},
           .yielded = {"%y"}});
}

void ModuleWriter::contraction() {
  Tensor in = any();
  if (in.shape.size() < 2 || in.shape.size() > 4)
    return;
  // Loops: those of the input, and the columns behind them.
  size_t rank = in.shape.size();
  Shape loops = in.shape;
  loops.push_back(2 + pick(4));
  int depth = chance(2) ? static_cast<int>(rank) - 1 : pick(rank);
  Dims weight{depth, static_cast<int>(rank)}, out;
  if (chance(3) && rank > 2)
    weight.insert(weight.begin(), depth == 0 ? 1 : 0);
  std::shuffle(weight.begin(), weight.end(), random_);
  Shape weightShape, shape;
  for (int loop : weight)
    weightShape.push_back(loops[loop]);
  for (int loop : chance(3) ? shuffled(loops.size()) : identity(loops.size()))
    if (loop != depth)
      out.push_back(loop);
  for (int loop : out)
    shape.push_back(loops[loop]);
  generic(loops, {{in, identity(rank)}, {argument(weightShape), weight}}, {{filled(shape), out}},
          {.lines = {"%m = arith.mulf %x0, %x1 : f32", "%y = arith.addf %o0, %m : f32"}, .yielded = {"%y"}});
}

void ModuleWriter::named(const std::string &op, const std::vector<Tensor> &inputs, const Tensor &init,
                         const std::string &tail) {
  std::vector<std::string> names, types;
  for (const Tensor &input : inputs) {
    names.push_back(input.name);
    types.push_back(typeOf(input.shape));
  }
  values_.push_back(define(init.shape, op + " ins(" + llvm::join(names, ", ") + " : " + llvm::join(types, ", ") +
                                           ") outs(" + init.name + " : " + typeOf(init.shape) + ")" +
                                           (tail.empty() ? " -> " + typeOf(init.shape) : " " + tail)));
}

void ModuleWriter::named() {
  Tensor in = any();
  size_t rank = in.shape.size();
  if (rank == 0)
    return;
  switch (pick(8)) {
  case 0:
    return named("linalg.exp", {in}, empty(in.shape));
  case 1:
    return named("linalg.add", {in, in}, empty(in.shape));
  case 2: {
    Dims order = shuffled(rank);
    Shape shape;
    for (int dim : order)
      shape.push_back(in.shape[dim]);
    return named("linalg.transpose", {in}, empty(shape),
                 "permutation = [" + join(Shape(order.begin(), order.end()), ", ") + "]");
  }
  case 3: {
    if (rank > 3)
      return;
    Shape shape = in.shape;
    int at = pick(rank + 1);
    shape.insert(shape.begin() + at, size());
    return named("linalg.broadcast", {in}, empty(shape), "dimensions = [" + std::to_string(at) + "]");
  }
  case 4: {
    int dim = pick(rank);
    std::string tail = "dimension(" + std::to_string(dim) + ")";
    Tensor init = empty(in.shape);
    values_.push_back(define(in.shape, "linalg.softmax " + tail + " ins(" + in.name + " : " + typeOf(in.shape) +
                                           ") outs(" + init.name + " : " + typeOf(in.shape) + ") -> " + typeOf(in.shape)));
    return;
  }
  case 5: {
    Shape shape = in.shape;
    int dim = pick(rank);
    shape.erase(shape.begin() + dim);
    Tensor init = filled(shape);
    values_.push_back(define(shape, "linalg.reduce { arith.addf } ins(" + in.name + " : " + typeOf(in.shape) +
                                        ") outs(" + init.name + " : " + typeOf(shape) + ") dimensions = [" +
                                        std::to_string(dim) + "]"));
    return;
  }
  default:
    if (rank == 2)
      return named("linalg.matmul", {in, argument({in.shape[1], 3})}, filled({in.shape[0], 3}));
    if (rank == 3)
      return named("linalg.batch_matmul", {in, argument({in.shape[0], in.shape[2], 2})},
                   filled({in.shape[0], in.shape[1], 2}));
  }
}

void ModuleWriter::reshape() {
  Tensor in = any();
  size_t rank = in.shape.size();
  auto groups = [](size_t count, size_t pair) {
    std::vector<std::string> text;
    int64_t dim = 0;
    for (size_t group = 0; group < count; ++group) {
      text.push_back("[" + std::to_string(dim) + (group == pair ? ", " + std::to_string(dim + 1) : "") + "]");
      dim += group == pair ? 2 : 1;
    }
    return "[" + llvm::join(text, ", ") + "]";
  };
  if (rank > 1 && chance(2)) {
    size_t pair = pick(rank - 1);
    Shape shape = in.shape;
    if (shape[pair] == dynamic || shape[pair + 1] == dynamic)
      return;
    shape[pair] *= shape[pair + 1];
    shape.erase(shape.begin() + pair + 1);
    values_.push_back(define(shape, "tensor.collapse_shape " + in.name + " " + groups(shape.size(), pair) + " : " +
                                        typeOf(in.shape) + " into " + typeOf(shape)));
  } else if (rank > 0 && rank < 4) {
    size_t pair = pick(rank);
    Shape shape = in.shape;
    int64_t factor = shape[pair] == dynamic ? 1 : shape[pair] % 2 == 0 && !chance(3) ? 2 : 1;
    shape[pair] = shape[pair] == dynamic ? dynamic : shape[pair] / factor;
    shape.insert(shape.begin() + pair, factor);
    std::string sizes = llvm::join(
        llvm::map_range(shape, [](int64_t size) { return size == dynamic ? std::string("%n") : std::to_string(size); }), ", ");
    values_.push_back(define(shape, "tensor.expand_shape " + in.name + " " + groups(rank, pair) + " output_shape [" + sizes +
                                        "] : " + typeOf(in.shape) + " into " + typeOf(shape)));
  }
}

/// "[0, 0] [%n, 3] [1, 1]"
static std::string window(const Shape &shape) {
  std::vector<std::string> offsets(shape.size(), "0"), strides(shape.size(), "1"), sizes;
  for (int64_t size : shape)
    sizes.push_back(size == dynamic ? "%n" : std::to_string(size));
  return "[" + llvm::join(offsets, ", ") + "] [" + llvm::join(sizes, ", ") + "] [" + llvm::join(strides, ", ") + "]";
}

void ModuleWriter::slice() {
  Tensor in = any();
  Shape shape = in.shape;
  auto wide = llvm::find_if(shape, [](int64_t size) { return size > 1; });
  if (wide == shape.end())
    return;
  *wide -= 1;
  Tensor part = define(shape, "tensor.extract_slice " + in.name + window(shape) + " : " + typeOf(in.shape) + " to " + typeOf(shape));
  values_.push_back(part);
  if (!chance(3))
    return;
  Tensor whole = filled(in.shape);
  values_.push_back(define(in.shape, "tensor.insert_slice " + part.name + " into " + whole.name + window(shape) + " : " +
                                         typeOf(shape) + " into " + typeOf(in.shape)));
}

void ModuleWriter::joined() {
  Tensor in = any();
  size_t rank = in.shape.size();
  if (rank == 0 || in.shape.back() == dynamic)
    return;
  Shape shape = in.shape;
  if (chance(2)) {
    shape.back() *= 2;
    values_.push_back(define(shape, "tensor.concat dim(" + std::to_string(rank - 1) + ") " + in.name + ", " + in.name + " : (" +
                                        typeOf(in.shape) + ", " + typeOf(in.shape) + ") -> " + typeOf(shape)));
    return;
  }
  shape.back() += 1;
  Shape low(rank, 0), high(rank, 0);
  high.back() = 1;
  std::vector<std::string> indices;
  for (size_t dim = 0; dim < rank; ++dim)
    indices.push_back("%i" + std::to_string(dim) + ": index");
  Tensor padded{"%v" + std::to_string(count_++), shape};
  line(padded.name + " = tensor.pad " + in.name + " low[" + join(low, ", ") + "] high[" + join(high, ", ") + "] {");
  line("^bb0(" + llvm::join(indices, ", ") + "):");
  line("  tensor.yield %zero : f32");
  line("} : " + typeOf(in.shape) + " to " + typeOf(shape));
  values_.push_back(padded);
}

/// Reads elements of another value in its payload.
void ModuleWriter::gather() {
  Tensor in = any();
  if (in.shape.empty())
    return;
  Payload payload{.lines = {}, .yielded = {"%y"}};
  std::vector<std::string> indices;
  for (size_t loop = 0; loop < in.shape.size(); ++loop) {
    indices.push_back("%i" + std::to_string(loop));
    payload.lines.push_back(indices.back() + " = linalg.index " + std::to_string(loop) + " : index");
  }
  payload.lines.push_back("%y = tensor.extract " + in.name + "[" + llvm::join(indices, ", ") + "] : " + typeOf(in.shape));
  generic(in.shape, {}, {{empty(in.shape), identity(in.shape.size())}}, payload);
}

/// A loop that computes on its carried value.
void ModuleWriter::loop() {
  Tensor in = any();
  std::string type = typeOf(in.shape);
  Tensor out{"%v" + std::to_string(count_++), in.shape};
  std::string carried = "%acc" + std::to_string(count_), inner = "%w" + std::to_string(count_);
  line(out.name + " = scf.for %i" + std::to_string(count_) + " = %c0 to %c2 step %c1 iter_args(" + carried + " = " + in.name +
       ") -> (" + type + ") {");
  line("  " + inner + "e = tensor.empty(" +
       llvm::join(std::vector<std::string>(llvm::count(in.shape, dynamic), "%n"), ", ") + ") : " + type);
  std::string read = chance(2) ? in.name : carried;
  line("  " + inner + " = linalg.exp ins(" + read + " : " + type + ") outs(" + inner + "e : " + type + ") -> " + type);
  line("  scf.yield " + inner + " : " + type);
  line("}");
  values_.push_back(out);
}

void ModuleWriter::effect() {
  hasEffects_ = true;
  line("func.call @effect() : () -> ()");
}

std::string ModuleWriter::write() {
  Shape shape{options_.dynamicSizes ? dynamic : size(), size()};
  if (chance(2))
    shape.push_back(size());
  values_.push_back(argument(shape));
  for (int step = 0; step < options_.steps; ++step)
    switch (pick(options_.hasControlFlow ? 16 : 14)) {
    case 0: case 1: case 2: case 3: elementwise(); break;
    case 4: reduction(); break;
    case 5: case 6: contraction(); break;
    case 7: case 8: named(); break;
    case 9: case 10: reshape(); break;
    case 11: slice(); break;
    case 12: joined(); break;
    case 13: gather(); break;
    case 14: loop(); break;
    default: effect();
    }
  std::vector<Tensor> results{values_.back()};
  if (chance(3))
    results.push_back(values_[pick(values_.size())]);
  std::vector<std::string> parameters, names, types;
  for (const Tensor &argument : arguments_)
    parameters.push_back(argument.name + ": " + typeOf(argument.shape));
  for (const Tensor &result : results) {
    names.push_back(result.name);
    types.push_back(typeOf(result.shape));
  }
  std::string text = hasEffects_ ? "func.func private @effect()\n" : "";
  text += "func.func @dispatch(" + llvm::join(parameters, ", ") + ") -> (" + llvm::join(types, ", ") + ") {\n" +
          "  %zero = arith.constant 0.0 : f32\n  %scale = arith.constant 0.375 : f32\n"
          "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n";
  if (options_.dynamicSizes)
    text += "  %n = tensor.dim %arg0, %c0 : " + typeOf(shape) + "\n";
  return text + body_ + "  return " + llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + "\n}\n";
}

} // namespace

std::string randomModule(const ModuleOptions &options, std::mt19937 &random) {
  return ModuleWriter(options, random).write();
}

} // namespace fuselage::test
