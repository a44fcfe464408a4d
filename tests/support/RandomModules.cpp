#include "ModuleWriter.h"

namespace fuselage::test {

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
        llvm::map_range(shape, [](int64_t size) { return size == dynamic ? std::string("%n") : std::to_string(size); }),
        ", ");
    values_.push_back(define(shape, "tensor.expand_shape " + in.name + " " + groups(rank, pair) + " output_shape [" +
                                        sizes + "] : " + typeOf(in.shape) + " into " + typeOf(shape)));
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
  Tensor part = define(shape, "tensor.extract_slice " + in.name + window(shape) + " : " + typeOf(in.shape) + " to " +
                                  typeOf(shape));
  values_.push_back(part);
  if (!chance(3))
    return;
  Tensor whole = filled(in.shape);
  values_.push_back(define(in.shape, "tensor.insert_slice " + part.name + " into " + whole.name + window(shape) +
                                         " : " + typeOf(shape) + " into " + typeOf(in.shape)));
}

void ModuleWriter::joined() {
  Tensor in = any();
  size_t rank = in.shape.size();
  if (rank == 0 || in.shape.back() == dynamic)
    return;
  Shape shape = in.shape;
  if (chance(2)) {
    shape.back() *= 2;
    values_.push_back(define(shape, "tensor.concat dim(" + std::to_string(rank - 1) + ") " + in.name + ", " + in.name +
                                        " : (" + typeOf(in.shape) + ", " + typeOf(in.shape) + ") -> " + typeOf(shape)));
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
  payload.lines.push_back("%y = tensor.extract " + in.name + "[" + llvm::join(indices, ", ") +
                          "] : " + typeOf(in.shape));
  generic(in.shape, {}, {{empty(in.shape), identity(in.shape.size())}}, payload);
}

/// A loop that computes on its carried value.
void ModuleWriter::loop() {
  Tensor in = any();
  std::string type = typeOf(in.shape);
  Tensor out{"%v" + std::to_string(count_++), in.shape};
  std::string carried = "%acc" + std::to_string(count_), inner = "%w" + std::to_string(count_);
  line(out.name + " = scf.for %i" + std::to_string(count_) + " = %c0 to %c2 step %c1 iter_args(" + carried + " = " +
       in.name + ") -> (" + type + ") {");
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
    case 0:
    case 1:
    case 2:
    case 3:
      elementwise();
      break;
    case 4:
      reduction();
      break;
    case 5:
    case 6:
      contraction();
      break;
    case 7:
    case 8:
      named();
      break;
    case 9:
    case 10:
      reshape();
      break;
    case 11:
      slice();
      break;
    case 12:
      joined();
      break;
    case 13:
      gather();
      break;
    case 14:
      loop();
      break;
    default:
      effect();
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

std::string randomModule(const ModuleOptions &options, std::mt19937 &random) {
  return ModuleWriter(options, random).write();
}

} // namespace fuselage::test
