#include "core/run/peaks/MicroModules.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

// Enough chains that units with a latency of four clocks, two of them a clock, never wait.
static constexpr unsigned chains = 8;
// They converge to 1, so that no step overflows or becomes denormal.
static constexpr double factor = 0.75, summand = 0.25;

MicroModule copyModule(int64_t elements) {
  std::string text = llvm::formatv(R"(
func.func @micro(%in: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %empty = tensor.empty() : tensor<{0}xf32>
  %out = linalg.negf ins(%in : tensor<{0}xf32>) outs(%empty : tensor<{0}xf32>) -> tensor<{0}xf32>
  return %out : tensor<{0}xf32>
})",
                                   elements);
  return {.text = std::move(text), .flops = double(elements), .bytes = 8.0 * elements};
}

MicroModule rowSumModule(int64_t rows, int64_t columns) {
  std::string text = llvm::formatv(R"(
func.func @micro(%in: tensor<{0}x{1}xf32>) -> tensor<{0}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{0}xf32>
  %first = linalg.fill ins(%zero : f32) outs(%empty : tensor<{0}xf32>) -> tensor<{0}xf32>
  %out = linalg.reduce {{ arith.addf } ins(%in : tensor<{0}x{1}xf32>) outs(%first : tensor<{0}xf32>) dimensions = [1]
  return %out : tensor<{0}xf32>
})",
                                   rows, columns);
  return {.text = std::move(text), .flops = double(rows) * columns, .bytes = 4.0 * rows * columns + 4.0 * rows};
}

MicroModule rereadModule(int64_t rows, int64_t columns, int64_t times) {
  std::string text = llvm::formatv(R"(
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#weight = affine_map<(d0, d1, d2) -> (d1)>
#sum = affine_map<(d0, d1, d2) -> (d0)>
func.func @micro(%in: tensor<{0}x{1}xf32>, %weights: tensor<{2}xf32>) -> tensor<{0}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{0}xf32>
  %first = linalg.fill ins(%zero : f32) outs(%empty : tensor<{0}xf32>) -> tensor<{0}xf32>
  %out = linalg.generic {{indexing_maps = [#x, #weight, #sum], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%in, %weights : tensor<{0}x{1}xf32>, tensor<{2}xf32>) outs(%first : tensor<{0}xf32>) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<{0}xf32>
  return %out : tensor<{0}xf32>
})",
                                   rows, columns, times);
  double elements = double(rows) * columns * times;
  return {.text = std::move(text), .flops = 2 * elements, .bytes = 4 * elements};
}

MicroModule multiplyAddModule(int64_t elements, unsigned steps, llvm::StringRef type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string tensor = llvm::formatv("tensor<{0}x{1}>", elements, type);
  os << "#same = affine_map<(d0) -> (d0)>\nfunc.func @micro(%in: " << tensor << ") -> " << tensor << " {\n"
     << "  %empty = tensor.empty() : " << tensor << "\n  %out = linalg.generic {indexing_maps = [#same, #same], "
     << "iterator_types = [\"parallel\"]} ins(%in : " << tensor << ") outs(%empty : " << tensor << ") {\n"
     << "  ^bb0(%x: " << type << ", %old: " << type << "):\n    %a = arith.constant " << factor << " : " << type
     << "\n    %b = arith.constant " << summand << " : " << type << "\n";
  for (unsigned chain = 0; chain < chains; ++chain)
    os << "    %s" << chain << " = arith.constant " << chain + 1 << ".0 : " << type << "\n    %x" << chain
       << "_0 = arith.addf %x, %s" << chain << " : " << type << "\n";
  for (unsigned step = 0; step < steps; ++step)
    for (unsigned chain = 0; chain < chains; ++chain)
      os << llvm::formatv("    %x{0}_{1} = math.fma %x{0}_{2}, %a, %b : {3}\n", chain, step + 1, step, type);
  std::string sum = llvm::formatv("%x0_{0}", steps);
  for (unsigned chain = 1; chain < chains; ++chain) {
    os << llvm::formatv("    %sum{0} = arith.addf {1}, %x{0}_{2} : {3}\n", chain, sum, steps, type);
    sum = llvm::formatv("%sum{0}", chain);
  }
  os << "    linalg.yield " << sum << " : " << type << "\n  } -> " << tensor << "\n  return %out : " << tensor
     << "\n}\n";
  double width = type == "f64" ? 8 : type == "f32" ? 4 : 2;
  return {.text = std::move(text),
          .flops = double(elements) * chains * (2.0 * steps + 2) - double(elements),
          .bytes = 2 * width * elements};
}

MicroModule emptyModule() { return copyModule(1); }

double multiplyAddResult(double element, unsigned steps) {
  double sum = 0;
  for (unsigned chain = 0; chain < chains; ++chain) {
    double value = element + chain + 1;
    for (unsigned step = 0; step < steps; ++step)
      value = value * factor + summand;
    sum += value;
  }
  return sum;
}

} // namespace fuselage
