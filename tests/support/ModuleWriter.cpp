#include "ModuleWriter.h"
#include <numeric>

namespace fuselage::test {

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
  std::string name = "%v" + std::to_string(count_++),
              ins = names.empty() ? "" : "ins(" + llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + ") ";
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
  // Loops: those of the input, and the columns after them.
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
                                           ") outs(" + init.name + " : " + typeOf(in.shape) + ") -> " +
                                           typeOf(in.shape)));
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

} // namespace fuselage::test
