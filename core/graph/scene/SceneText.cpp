#include "core/graph/scene/SceneText.h"
#include "core/support/Units.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

std::string shortType(llvm::StringRef type) {
  for (llvm::StringRef kind : {"tensor", "memref", "vector"}) {
    llvm::StringRef rest = type;
    if (!rest.consume_front(kind) || !rest.consume_front("<"))
      continue;
    // Up to the first comma or the closing bracket; shapes may hold brackets of their own.
    int depth = 0;
    size_t end = 0;
    for (; end < rest.size(); ++end) {
      char c = rest[end];
      if (depth == 0 && (c == ',' || c == '>'))
        break;
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    }
    std::string inner = rest.take_front(end).str();
    return kind == "tensor" ? inner : kind.str() + " " + inner;
  }
  return type.str();
}

/// Three significant digits: "1.23", "12.3", "123".
static std::string threeDigits(double value) {
  std::string text = value < 9.995   ? llvm::formatv("{0:f2}", value).str()
                     : value < 99.95 ? llvm::formatv("{0:f1}", value).str()
                                     : llvm::formatv("{0:f0}", value).str();
  if (text.find('.') != std::string::npos)
    text.resize(text.find_last_not_of(text.back() == '0' ? "0" : "") + 1);
  if (text.back() == '.')
    text.pop_back();
  return text;
}

static std::string scaled(double value, double base, llvm::ArrayRef<const char *> units) {
  Quantity quantity = inUnits(value, base, units);
  return threeDigits(quantity.value) + " " + quantity.unit;
}

std::string formatBytes(int64_t bytes) {
  if (bytes < 0)
    return "";
  return scaled(static_cast<double>(bytes), 1024, kByteUnits);
}

std::string formatFlops(int64_t flops) {
  if (flops <= 0)
    return "";
  return scaled(static_cast<double>(flops), 1000, {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"});
}

} // namespace fuselage
