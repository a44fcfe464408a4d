#include "DispatchCaseText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace fuselage::test {

std::string generic(StringRef result, StringRef maps, StringRef iterators, StringRef ins, StringRef outs,
                    StringRef arguments, StringRef payload, StringRef type) {
  std::string text = ("  " + result + " = linalg.generic {indexing_maps = [" + maps + "], iterator_types = [").str();
  for (auto [index, c] : enumerate(iterators))
    text += std::string(index ? ", " : "") + (c == 'p' ? "\"parallel\"" : "\"reduction\"");
  text += "]}";
  if (!ins.empty())
    text += (" ins(" + ins + ")").str();
  return text + (" outs(" + outs + ") {\n  ^bb0(" + arguments + "):\n    " + payload + "\n  } -> " + type + "\n").str();
}

std::string filled(StringRef name, StringRef value, StringRef element, StringRef type) {
  return ("  %c_" + name + " = arith.constant " + value + " : " + element + "\n  %e_" + name +
          " = tensor.empty() : " + type + "\n  %" + name + " = linalg.fill ins(%c_" + name + " : " + element +
          ") outs(%e_" + name + " : " + type + ") -> " + type + "\n")
      .str();
}

std::string empty(StringRef name, StringRef type) {
  return ("  %" + name + " = tensor.empty() : " + type + "\n").str();
}

std::string matmul(StringRef a, StringRef b) {
  return filled("zero", "0.0", "f32", "tensor<$Mx$Nxf32>") + ("  %mm = linalg.matmul ins(" + a + ", " + b +
                                                              " : tensor<$Mx$Kxf32>, tensor<$Kx$Nxf32>) "
                                                              "outs(%zero : tensor<$Mx$Nxf32>) -> tensor<$Mx$Nxf32>\n")
                                                                 .str();
}

std::string biasAndRelu() {
  return empty("e_y", "tensor<$Mx$Nxf32>") +
         generic("%y", "#i2, #c2, #i2", "pp", "%mm, %bias : tensor<$Mx$Nxf32>, tensor<$Nxf32>",
                 "%e_y : tensor<$Mx$Nxf32>", "%a: f32, %b: f32, %o: f32",
                 "%s = arith.addf %a, %b : f32\n    %z = arith.constant 0.0 : f32\n    "
                 "%r = arith.maximumf %s, %z : f32\n    linalg.yield %r : f32",
                 "tensor<$Mx$Nxf32>");
}

std::string transposed(StringRef result, StringRef source, StringRef from, StringRef to) {
  return empty(("e_" + result).str(), to) + generic(("%" + result).str(), "#t2, #i2", "pp",
                                                    (source + " : " + from).str(), ("%e_" + result + " : " + to).str(),
                                                    "%a: f32, %o: f32", "linalg.yield %a : f32", to);
}

} // namespace fuselage::test
