// Pass-by-pass logs of any size.
#include "tests/bench/Inputs.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::bench {

namespace {

constexpr unsigned functions = 8, opsPerFunction = 240;

/// One function; `version` is a number that a pass changes.
void printFunction(llvm::raw_ostream &os, unsigned function, unsigned version, llvm::StringRef indent) {
  constexpr llvm::StringLiteral type = "tensor<64x128xf32>";
  os << indent << "func.func @f" << function << "(%arg0: " << type << ") -> " << type << " {\n"
     << indent << "  %cst = arith.constant " << version << ".0 : f32\n";
  std::string value = "%arg0";
  for (unsigned op = 0; op < opsPerFunction; ++op) {
    os << indent << "  %" << 2 * op << " = tensor.empty() : " << type << '\n'
       << indent << "  %" << 2 * op + 1 << " = linalg.exp ins(" << value << " : " << type << ") outs(%" << 2 * op
       << " : " << type << ") -> " << type << '\n';
    value = "%" + std::to_string(2 * op + 1);
  }
  os << indent << "  return " << value << " : " << type << '\n' << indent << "}\n";
}

} // namespace

std::string dumpLog(size_t bytes) {
  std::string text;
  text.reserve(bytes + (1 << 20));
  llvm::raw_string_ostream os(text);
  unsigned versions[functions] = {};
  for (unsigned pass = 0; text.size() < bytes; ++pass) {
    os << "// -----// IR Dump After ModulePass" << pass << " (module-pass-" << pass << ") //----- //\nmodule {\n";
    if (pass % 3)
      ++versions[pass % functions];
    for (unsigned function = 0; function < functions; ++function)
      printFunction(os, function, versions[function], "  ");
    os << "}\n\n\n";
    for (unsigned function = 0; function < functions; ++function) {
      if ((pass + function) % 3)
        ++versions[function];
      os << "// -----// IR Dump After FunctionPass" << pass << " (function-pass-" << pass << ") //----- //\n";
      printFunction(os, function, versions[function], "");
      os << '\n';
    }
  }
  return text;
}

} // namespace fuselage::bench
