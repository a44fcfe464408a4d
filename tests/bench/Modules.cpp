// Modules of any size as MLIR text.
#include "tests/bench/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::bench {

namespace {

constexpr llvm::StringLiteral whole = "tensor<64x128xf32>", square = "tensor<64x64xf32>", column = "tensor<64xf32>",
                              part = "tensor<64x32xf32>", weight = "tensor<128x128xf32>";

/// Prints ops one by one; every method returns the name of the new value.
class ModulePrinter {
public:
  explicit ModulePrinter(std::string &text) : os_(text) {}

  std::string op(const llvm::Twine &rest) {
    std::string name = llvm::formatv("%{0}", ops).str();
    os_ << "  " << name << " = " << rest << '\n';
    ++ops;
    return name;
  }
  std::string empty(llvm::StringRef type) { return op("tensor.empty() : " + type); }
  std::string fill(llvm::StringRef value, llvm::StringRef type) {
    std::string init = empty(type);
    return op("linalg.fill ins(" + value + " : f32) outs(" + init + " : " + type + ") -> " + type);
  }
  std::string matmul(const std::string &a, llvm::StringRef aType, const std::string &b, llvm::StringRef bType,
                     llvm::StringRef type) {
    std::string init = fill("%zero", type);
    return op("linalg.matmul ins(" + a + ", " + b + " : " + aType + ", " + bType + ") outs(" + init + " : " + type +
              ") -> " + type);
  }
  std::string unary(llvm::StringRef name, const std::string &a, llvm::StringRef type) {
    std::string init = empty(type);
    return op("linalg." + name + " ins(" + a + " : " + type + ") outs(" + init + " : " + type + ") -> " + type);
  }
  std::string binary(llvm::StringRef name, const std::string &a, const std::string &b, llvm::StringRef type) {
    std::string init = empty(type);
    return op("linalg." + name + " ins(" + a + ", " + b + " : " + type + ", " + type + ") outs(" + init + " : " + type +
              ") -> " + type);
  }
  std::string reduce(llvm::StringRef combiner, const std::string &a, llvm::StringRef type) {
    std::string init = fill("%zero", column);
    return op("linalg.reduce { " + combiner + " } ins(" + a + " : " + type + ") outs(" + init + " : " + column +
              ") dimensions = [1]");
  }
  std::string spread(const std::string &a, llvm::StringRef type) {
    std::string init = empty(type);
    return op("linalg.broadcast ins(" + a + " : " + column + ") outs(" + init + " : " + type + ") dimensions = [1]");
  }
  std::string constant(llvm::StringRef type) { return op("arith.constant dense<1.250000e-01> : " + type); }

  llvm::raw_string_ostream os_;
  unsigned ops = 0;
};

std::string normalise(ModulePrinter &p, const std::string &x) {
  std::string mean = p.spread(p.reduce("arith.addf", x, whole), whole);
  std::string centred = p.binary("sub", x, mean, whole);
  std::string variance = p.reduce("arith.addf", p.unary("square", centred, whole), whole);
  std::string scale = p.spread(p.unary("rsqrt", variance, column), whole);
  return p.binary("mul", centred, scale, whole);
}

std::string linear(ModulePrinter &p, const std::string &x) {
  return p.matmul(x, whole, p.constant(weight), weight, whole);
}

std::string slice(ModulePrinter &p, const std::string &x, unsigned head) {
  return p.op("tensor.extract_slice " + x + "[0, " + std::to_string(head * 32) + "] [64, 32] [1, 1] : " + whole +
              " to " + part);
}

std::string attend(ModulePrinter &p, const std::string &q, const std::string &k, const std::string &v, unsigned head,
                   const std::string &into) {
  std::string keys = slice(p, k, head), init = p.empty("tensor<32x64xf32>");
  std::string turned = p.op("linalg.transpose ins(" + keys + " : " + part + ") outs(" + init +
                            " : tensor<32x64xf32>) permutation = [1, 0]");
  std::string scores = p.matmul(slice(p, q, head), part, turned, "tensor<32x64xf32>", square);
  std::string top = p.spread(p.reduce("arith.maximumf", scores, square), square);
  std::string power = p.unary("exp", p.binary("sub", scores, top, square), square);
  std::string sum = p.spread(p.reduce("arith.addf", power, square), square);
  std::string shares = p.binary("div", power, sum, square);
  std::string context = p.matmul(shares, square, slice(p, v, head), part, part);
  return p.op("tensor.insert_slice " + context + " into " + into + "[0, " + std::to_string(head * 32) +
              "] [64, 32] [1, 1] : " + part + " into " + whole);
}

std::string layer(ModulePrinter &p, const std::string &x) {
  std::string normed = normalise(p, x);
  std::string q = linear(p, normed), k = linear(p, normed), v = linear(p, normed);
  std::string context = p.empty(whole);
  for (unsigned head = 0; head < 4; ++head)
    context = attend(p, q, k, v, head, context);
  std::string attended = p.binary("add", linear(p, context), x, whole);
  std::string up = p.unary("tanh", linear(p, normalise(p, attended)), whole);
  return p.binary("add", linear(p, up), attended, whole);
}

} // namespace

std::string layeredModule(unsigned ops) {
  std::string text;
  ModulePrinter p(text);
  p.os_ << "func.func @model(%x: " << whole << ") -> " << whole << " {\n  %zero = arith.constant 0.000000e+00 : f32\n";
  std::string x = "%x";
  while (p.ops < ops)
    x = layer(p, x);
  p.os_ << "  return " << x << " : " << whole << "\n}\n";
  return text;
}

std::string flatModule(unsigned ops) {
  static constexpr llvm::StringLiteral unaries[] = {"exp", "tanh", "sqrt", "abs", "negf", "square"};
  static constexpr llvm::StringLiteral binaries[] = {"add", "sub", "mul", "div", "max"};
  std::string text;
  ModulePrinter p(text);
  p.os_ << "func.func @flat(%x: " << whole << ", %s: f32) -> (" << whole
        << ", f32) {\n  %zero = arith.constant 0.000000e+00 : f32\n";
  std::vector<std::string> tensors{"%x"}, scalars{"%s"};
  unsigned state = 12345;
  auto random = [&](size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  auto recent = [&](const std::vector<std::string> &values) {
    return values[values.size() - 1 - random(std::min<size_t>(values.size(), 24))];
  };
  while (p.ops < ops) {
    switch (random(6)) {
    case 0:
      tensors.push_back(p.unary(unaries[random(std::size(unaries))], recent(tensors), whole));
      break;
    case 1:
      tensors.push_back(p.matmul(recent(tensors), whole, p.constant(weight), weight, whole));
      break;
    case 2:
      scalars.push_back(p.op("arith.addf " + recent(scalars) + ", " + recent(scalars) + " : f32"));
      break;
    case 3:
      scalars.push_back(p.op("arith.mulf " + recent(scalars) + ", " + recent(scalars) + " : f32"));
      break;
    default:
      tensors.push_back(p.binary(binaries[random(std::size(binaries))], recent(tensors), recent(tensors), whole));
    }
  }
  p.os_ << "  return " << tensors.back() << ", " << scalars.back() << " : " << whole << ", f32\n}\n";
  return text;
}

std::string dispatchesModule(unsigned dispatches, unsigned opsEach) {
  static constexpr llvm::StringLiteral unaries[] = {"exp", "tanh", "sqrt", "abs", "negf", "square"};
  static constexpr llvm::StringLiteral binaries[] = {"add", "sub", "mul", "div", "max"};
  std::string text;
  ModulePrinter p(text);
  unsigned state = 54321;
  auto random = [&](size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  std::vector<std::string> results{"%x"}; // of whole dispatches: only the last value of one is read by others
  std::vector<bool> isRead{true};
  for (unsigned dispatch = 0; dispatch < dispatches; ++dispatch) {
    auto earlier = [&] {
      size_t index = results.size() - 1 - random(std::min<size_t>(results.size(), 48));
      isRead[index] = true;
      return results[index];
    };
    const unsigned end = p.ops + opsEach;
    std::vector<std::string> values{p.matmul(earlier(), whole, p.constant(weight), weight, whole)};
    while (p.ops + 2 <= end) {
      const std::string &last = values.back();
      values.push_back(random(3) ? p.unary(unaries[random(std::size(unaries))], last, whole)
                                 : p.binary(binaries[random(std::size(binaries))], last, last, whole));
    }
    results.push_back(values.back());
    isRead.push_back(false);
  }
  std::string values, types; // what nobody reads is returned, so that passes leave it
  for (auto [value, read] : llvm::zip(results, isRead)) {
    if (read)
      continue;
    values += (values.empty() ? "" : ", ") + value;
    types += (types.empty() ? "" : ", ") + whole.str();
  }
  return "func.func @dispatches(%x: " + whole.str() + ") -> (" + types +
         ") {\n  %zero = arith.constant 0.000000e+00 : f32\n" + text + "  return " + values + " : " + types + "\n}\n";
}

} // namespace fuselage::bench
