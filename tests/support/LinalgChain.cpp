#include "tests/support/LinalgChain.h"

namespace fuselage {

static const std::string type = "tensor<8x8xf32>";

static std::string matmul(const std::string &result, const std::string &a, const std::string &b) {
  return "  " + result + " = linalg.matmul ins(" + a + ", " + b + " : " + type + ", " + type +
         ") outs(%fill : " + type + ") -> " + type + "\n";
}

static std::string sum(const std::string &result, const std::string &a, const std::string &b) {
  return "  " + result +
         " = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\", \"parallel\"]} ins(" + a +
         ", " + b + " : " + type + ", " + type + ") outs(%init : " + type +
         ") {\n  ^bb0(%x: f32, %y: f32, %o: f32):\n" +
         "    %s = arith.addf %x, %y : f32\n    linalg.yield %s : f32\n  } -> " + type + "\n";
}

std::string linalgChain(unsigned ops) {
  std::string text = "#id = affine_map<(d0, d1) -> (d0, d1)>\nfunc.func @main(%v0: " + type + ") -> " + type +
                     " {\n  %zero = arith.constant 0.0 : f32\n  %init = tensor.empty() : " + type +
                     "\n  %fill = linalg.fill ins(%zero : f32) outs(%init : " + type + ") -> " + type + "\n";
  auto value = [](unsigned number) { return "%v" + std::to_string(number); };
  for (unsigned i = 0; i < ops; ++i) {
    std::string older = value(i % 7 == 0 ? 0 : i - i % 7);
    text += i % 5 == 0 ? matmul(value(i + 1), value(i), older) : sum(value(i + 1), value(i), older);
  }
  return text + "  return " + value(ops) + " : " + type + "\n}\n";
}

} // namespace fuselage
