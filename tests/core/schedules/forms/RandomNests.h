// Random nests of loops that fill a tensor.
#pragma once
#include <random>
#include <string>

namespace fuselage::test {

/// A module with @dispatch: two or three scf.for in each other, each carrying the tensor to the next; integer
/// arithmetic on induction variables and constants stands at every level, and the innermost inserts what comes of it.
inline std::string randomNest(std::mt19937 &random) {
  auto draw = [&](unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random); };
  unsigned depth = 2 + draw(2);
  std::string type = depth == 2 ? "tensor<3x4xi32>" : "tensor<3x4x2xi32>";
  const unsigned sizes[] = {3, 4, 2};
  std::string text = "func.func @dispatch(%init: " + type + ", %s: tensor<i32>) -> " + type + " {\n";
  std::vector<std::string> values{"%c1", "%c2"};
  text += "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n";
  unsigned count = 0;
  auto arithmetic = [&](unsigned most) {
    for (unsigned i = draw(most + 1); i > 0; --i) {
      const char *const ops[] = {"addi", "muli", "subi", "maxsi"};
      std::string name = "%v" + std::to_string(count++);
      text += name + " = arith." + ops[draw(4)] + " " + values[draw(values.size())] + ", " +
              values[draw(values.size())] + " : index\n";
      values.push_back(name);
    }
  };
  arithmetic(2);
  std::string carried = "%init";
  for (unsigned level = 0; level < depth; ++level) {
    std::string n = std::to_string(level);
    text += "%e" + n + " = arith.constant " + std::to_string(sizes[level]) + " : index\n";
    text += "%r" + n + " = scf.for %i" + n + " = %c0 to %e" + n + " step %c1 iter_args(%t" + n + " = " + carried +
            ") -> (" + type + ") {\n";
    values.push_back("%i" + n);
    carried = "%t" + n;
    arithmetic(3);
  }
  text += "%x = arith.index_cast " + values[draw(values.size())] + " : index to i32\n%y = arith.index_cast " +
          values.back() +
          " : index to i32\n%a = tensor.extract %s[] : tensor<i32>\n%z0 = arith.addi %x, %y : i32\n%z = arith.muli "
          "%z0, %a : i32\n";
  text += "%w = tensor.insert %z into " + carried + "[%i0, %i1" + (depth == 3 ? ", %i2" : "") + "] : " + type +
          "\nscf.yield %w : " + type + "\n}\n";
  for (unsigned level = depth - 1; level > 0; --level)
    text += "scf.yield %r" + std::to_string(level) + " : " + type + "\n}\n";
  return text + "return %r0 : " + type + "\n}\n";
}

/// A module with @dispatch: parallel loops one after the other, each of one or two dimensions, which write rows or
/// elements of a tensor; some are inside of a scf.for, some hold arithmetic that could stand elsewhere.
inline std::string randomForalls(std::mt19937 &random) {
  auto draw = [&](unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random); };
  const std::string type = "tensor<4x6xf32>";
  std::string text = "func.func @dispatch(%a: " + type + ", %t0: " + type + ") -> " + type +
                     " {\n%c0 = arith.constant 0 : index\n" +
                     "%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n";
  unsigned count = 1 + draw(3);
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i), from = "%t" + n, to = "%t" + std::to_string(i + 1);
    bool isInLoop = draw(2), isFlat = draw(2);
    if (isInLoop)
      text += to + " = scf.for %k" + n + " = %c0 to %c3 step %c1 iter_args(%l" + n + " = " + from + ") -> (" + type +
              ") {\n" + (draw(2) ? "%waste" + n + " = arith.muli %k" + n + ", %c3 : index\n" : "");
    std::string result = isInLoop ? "%f" + n : to, start = isInLoop ? "%l" + n : from;
    text += result + " = scf.forall " + (isFlat ? "(%i" + n + ") in (4)" : "(%i" + n + ", %j" + n + ") in (4, 6)") +
            " shared_outs(%o" + n + " = " + start + ") -> (" + type + ") {\n%r" + n + " = arith.subi %c3, %i" + n +
            " : index\n";
    std::string width = isFlat ? "6" : "1", column = isFlat ? "0" : "%j" + n, row = draw(2) ? "%r" + n : "%i" + n;
    std::string part = "tensor<1x" + width + "xf32>", sizes = "[1, " + width + "] [1, 1] : ";
    text += "%p" + n + " = tensor.extract_slice %a[" + row + ", " + column + "] " + sizes + type + " to " + part + "\n";
    text += "%q" + n + " = tensor.extract_slice %o" + n + "[%i" + n + ", " + column + "] " + sizes + type + " to " +
            part + "\n";
    text += "%s" + n + " = linalg." + (draw(2) ? "add" : "mul") + " ins(%p" + n + ", %q" + n + " : " + part + ", " +
            part + ") outs(%q" + n + " : " + part + ") -> " + part +
            "\nscf.forall.in_parallel {\ntensor.parallel_insert_slice %s" + n + " into %o" + n + "[%i" + n + ", " +
            column + "] " + sizes + part + " into " + type + "\n}\n}\n";
    if (isInLoop)
      text += "scf.yield " + result + " : " + type + "\n}\n";
  }
  return text + "return %t" + std::to_string(count) + " : " + type + "\n}\n";
}

} // namespace fuselage::test
