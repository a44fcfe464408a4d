// Every operation on every pair of edge values gives on a Vulkan device what the host gives: the
// ends of the integers, both signs, zeros, infinities, NaN, halves.
#include "CodegenTestSupport.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/reference/HostProgram.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// One op on elements: `text` computes %r from %x, %y and %z, where $ stands for the type.
struct Op {
  std::string name, text;
  std::string result = "$";
  double tolerance = 0; ///< of the result, relative
};

struct Group {
  std::string type;
  std::vector<Op> ops;
};

bool isFloatType(llvm::StringRef type) { return type.contains('f'); }
unsigned widthOf(llvm::StringRef type) { return std::stoi(type.substr(type.find_first_of("123456789")).str()); }

std::vector<Op> integerOps(unsigned width) {
  std::vector<Op> ops;
  for (const char *name : {"addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui"})
    ops.push_back({name, llvm::formatv("%r = arith.{0} %x, %y : $", name)});
  // What is undefined is not asked for: a divisor of zero, and the least number by minus one.
  for (const char *name : {"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"})
    ops.push_back({name, llvm::formatv("%zero = arith.constant 0 : $\n%one = arith.constant 1 : $\n"
                                       "%minus = arith.constant -1 : $\n"
                                       "%a = arith.cmpi eq, %y, %zero : $\n%b = arith.cmpi eq, %y, %minus : $\n"
                                       "%c = arith.ori %a, %b : i1\n%d = arith.select %c, %one, %y : $\n"
                                       "%r = arith.{0} %x, %d : $",
                                       name)});
  for (const char *name : {"shli", "shrsi", "shrui"})
    ops.push_back({name, llvm::formatv("%mask = arith.constant {1} : $\n%d = arith.andi %y, %mask : $\n"
                                       "%r = arith.{0} %x, %d : $",
                                       name, width - 1)});
  for (const char *name : {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
    ops.push_back({name, llvm::formatv("%r = arith.cmpi {0}, %x, %y : $", name), "i1"});
  for (const char *name : {"ctlz", "cttz", "ctpop", "absi"})
    ops.push_back({name, llvm::formatv("%r = math.{0} %x : $", name)});
  bool isWhole = width % 8 == 0 && llvm::isPowerOf2_32(width); // halves of others are refused
  for (const char *name : {"addui_extended", "mulsi_extended", "mului_extended"}) {
    if (!isWhole)
      break;
    bool adds = llvm::StringRef(name).starts_with("addui");
    ops.push_back(
        {name, llvm::formatv("%l, %r = arith.{0} %x, %y : ${1}", name, adds ? ", i1" : ""), adds ? "i1" : "$"});
  }
  for (const char *name : {"sitofp", "uitofp"})
    for (const char *to : {"f32", "f64"})
      ops.push_back({std::string(name) + "_" + to, llvm::formatv("%r = arith.{0} %x : $ to {1}", name, to), to});
  for (unsigned other : {8, 16, 32, 64}) {
    std::string to = "i" + std::to_string(other);
    if (other < width)
      ops.push_back({"trunc_" + to, "%r = arith.trunci %x : $ to " + to, to});
    if (other > width) {
      ops.push_back({"sext_" + to, "%r = arith.extsi %x : $ to " + to, to});
      ops.push_back({"zext_" + to, "%r = arith.extui %x : $ to " + to, to});
    }
  }
  return ops;
}

std::vector<Op> floatOps(const std::string &type) {
  std::vector<Op> ops;
  for (const char *name : {"addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"})
    ops.push_back({name, llvm::formatv("%r = arith.{0} %x, %y : $", name), "$", 1e-6});
  ops.push_back({"negf", "%r = arith.negf %x : $"});
  for (const char *name :
       {"oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno"})
    ops.push_back({name, llvm::formatv("%r = arith.cmpf {0}, %x, %y : $", name), "i1"});
  for (const char *name : {"absf", "ceil", "floor", "trunc", "round", "roundeven"})
    ops.push_back({name, llvm::formatv("%r = math.{0} %x : $", name)});
  // Of two f32 numbers next to each other, one may be nearer to the next bf16 number.
  for (const char *name : {"sqrt", "rsqrt"})
    ops.push_back({name, llvm::formatv("%r = math.{0} %x : $", name), "$",
                   type == "f64"    ? 1e-12
                   : type == "bf16" ? 8e-3
                                    : 1e-6});
  ops.push_back({"copysign", "%r = math.copysign %x, %y : $"});
  ops.push_back({"signbit", "%one = arith.constant 1.0 : $\n%s = arith.negf %x : $\n"
                            "%r = math.copysign %one, %s : $"});
  // Vulkan may round a product before it adds: one that is exact.
  ops.push_back({"fma", "%one = arith.constant -1.0 : $\n%r = math.fma %x, %one, %y : $", "$", 1e-6});
  for (const char *to : {"f16", "f32", "f64"}) {
    unsigned from = widthOf(type), width = widthOf(to);
    if (from != width)
      ops.push_back({std::string("to_") + to,
                     llvm::formatv("%r = arith.{0} %x : $ to {1}", from > width ? "truncf" : "extf", to), to});
  }
  // Only numbers that the integer holds.
  ops.push_back({"fptosi",
                 "%l = arith.constant -1000.0 : $\n%h = arith.constant 1000.0 : $\n"
                 "%a = arith.maxnumf %x, %l : $\n%b = arith.minnumf %a, %h : $\n"
                 "%r = arith.fptosi %b : $ to i32",
                 "i32"});
  ops.push_back({"fptoui",
                 "%l = arith.constant 0.0 : $\n%h = arith.constant 1000.0 : $\n"
                 "%a = arith.maxnumf %x, %l : $\n%b = arith.minnumf %a, %h : $\n"
                 "%r = arith.fptoui %b : $ to i32",
                 "i32"});
  return ops;
}

std::vector<Op> mathOps(double tolerance) {
  std::vector<Op> ops;
  for (const char *name : {"acos", "acosh", "asin",  "asinh", "atan",  "atanh", "cbrt", "cos", "cosh", "erf", "erfc",
                           "exp",  "exp2",  "expm1", "log",   "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"})
    ops.push_back({name, llvm::formatv("%r = math.{0} %x : $", name), "$", tolerance});
  for (const char *name : {"atan2", "powf"})
    ops.push_back({name, llvm::formatv("%r = math.{0} %x, %y : $", name), "$", tolerance});
  for (const char *exponent : {"0.0", "1.0", "-1.0", "2.0", "-2.0", "3.0", "4.0", "0.5", "-0.5"})
    ops.push_back({"powf_by_" + std::to_string(ops.size()),
                   llvm::formatv("%k = arith.constant {0} : $\n%r = math.powf %x, %k : $", exponent), "$", tolerance});
  for (int exponent : {0, 1, 2, 3, -1, -3})
    ops.push_back({"fpowi_by_" + std::to_string(ops.size()),
                   llvm::formatv("%k = arith.constant {0} : i32\n%r = math.fpowi %x, %k : $, i32", exponent), "$",
                   tolerance});
  return ops;
}

std::vector<Group> groups() {
  std::vector<Group> all;
  for (unsigned width : {4, 8, 16, 24, 32, 64})
    all.push_back({"i" + std::to_string(width), integerOps(width)});
  for (const char *type : {"f16", "bf16", "f32", "f64"})
    all.push_back({type, floatOps(type)});
  all.push_back({"f32", mathOps(2e-6)});
  all.push_back({"f16", mathOps(2e-3)});
  all.push_back({"bf16", mathOps(8e-3)});
  return all;
}

std::vector<double> floatValues(const std::string &type) {
  double largest = type == "f16"    ? 65504
                   : type == "bf16" ? 3.38953139e38
                   : type == "f32"  ? 3.40282347e38
                                    : 1.7976931348623157e308;
  double least = type == "f16" ? 6.103515625e-05 : type == "f64" ? 2.2250738585072014e-308 : 1.17549435e-38;
  return {0,  -0.0, 1,     -1,  0.5,  -0.5,    0.25, 0.49999997, 1.5,    -1.5,    2.5,      -2.5,     2,         3,  -3,
          10, -10,  0.001, 100, -100, 1000.25, -1e4, least,      -least, largest, -largest, INFINITY, -INFINITY, NAN};
}

std::vector<int64_t> integerValues(unsigned width) {
  int64_t largest = int64_t((uint64_t(1) << (width - 1)) - 1), least = -largest - 1;
  std::vector<int64_t> values = {0,  1,  2,  3,  7,     10,        100,     0x55,       -1,
                                 -2, -3, -7, -8, least, least + 1, largest, largest - 1};
  llvm::erase_if(values, [&](int64_t value) { return value < least || value > largest; });
  return values;
}

/// The module of a group: a function an op, on all pairs of values.
std::string moduleText(const Group &group, size_t count) {
  std::string text;
  for (const Op &op : group.ops) {
    auto in = "tensor<" + std::to_string(count) + "x" + group.type + ">";
    std::string result = op.result == "$" ? group.type : op.result;
    auto out = "tensor<" + std::to_string(count) + "x" + result + ">";
    std::string body = op.text;
    for (size_t at; (at = body.find('$')) != std::string::npos;)
      body.replace(at, 1, group.type);
    text += llvm::formatv(R"(
func.func @op_{0}(%p: {1}, %q: {1}) -> {2} {{
  %e = tensor.empty() : {2}
  %t = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} ins(%p, %q : {1}, {1}) outs(%e : {2}) {{
  ^bb0(%x: {3}, %y: {3}, %o: {4}):
    {5}
    linalg.yield %r : {4}
  } -> {2}
  return %t : {2}
}
)",
                          op.name, in, out, group.type, result, body);
  }
  return text;
}

/// Whether two floating-point numbers are the same as far as `tolerance` and the format reach.
/// Numbers below the least normal one may count as zero.
bool agree(double got, double wanted, double tolerance, const std::string &type) {
  if (std::isnan(wanted) || std::isnan(got))
    return std::isnan(wanted) && std::isnan(got);
  if (std::isinf(wanted) || std::isinf(got))
    return wanted == got;
  double least = type == "f16" ? 6.2e-05 : type == "f64" ? 2.3e-308 : 1.2e-38;
  return std::abs(got - wanted) <= tolerance * std::abs(wanted) + least;
}

class EdgeValues : public testing::TestWithParam<Group> {};

TEST_P(EdgeValues, DeviceAgreesWithHost) {
  Device *device = testDevice();
  if (!device)
    GTEST_SKIP() << "no device";
  const Group &group = GetParam();
  bool isFloat = isFloatType(group.type);
  std::vector<double> reals = isFloat ? floatValues(group.type) : std::vector<double>();
  std::vector<int64_t> integers = isFloat ? std::vector<int64_t>() : integerValues(widthOf(group.type));
  size_t values = isFloat ? reals.size() : integers.size(), count = values * values;

  Session session(allDialects());
  auto module = session.parse(moduleText(group, count), "edges.mlir");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  auto program = HostProgram::compile(**module);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  std::vector<HostTensor> arguments;
  auto first = *(*module)->getOps<mlir::func::FuncOp>().begin();
  for (mlir::Type type : first.getArgumentTypes())
    arguments.push_back(llvm::cantFail(HostTensor::create(type)));
  for (size_t i = 0; i < count; ++i)
    for (auto [argument, index] : {std::pair{0, i % values}, std::pair{1, i / values}}) {
      if (isFloat)
        arguments[argument].setFloat(i, reals[index]);
      else
        arguments[argument].setInteger(i, integers[index]);
    }

  for (const Op &op : group.ops) {
    auto function = (*module)->lookupSymbol<mlir::func::FuncOp>("op_" + op.name);
    auto expected = (*program)->call("op_" + op.name, arguments);
    ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
    auto dispatch = compileDispatch(function, device->targetOptions());
    if (!dispatch) {
      ADD_FAILURE() << op.name << ": " << llvm::toString(dispatch.takeError());
      continue;
    }
    auto actual = runOn(*device, *dispatch, function.getFunctionType(), arguments);
    ASSERT_TRUE(bool(actual)) << llvm::toString(actual.takeError());
    const HostTensor &got = actual->front(), &wanted = expected->front();
    std::string result = op.result == "$" ? group.type : op.result;
    bool isUnary = op.text.find("%y") == std::string::npos;
    std::string wrong;
    for (size_t i = 0; i < (isUnary ? values : count); ++i) {
      bool same = isFloatType(result) ? agree(got.floatAt(i), wanted.floatAt(i), op.tolerance, result)
                                      : got.integerAt(i) == wanted.integerAt(i);
      // The host's emulation of bf16 forgets the sign of NaN, and PTX's neg leaves it open.
      bool forgetsSign = group.type == "bf16" || device->targetOptions().target == KernelTarget::Ptx;
      bool isSignOfNaN = op.name == "signbit" && forgetsSign && std::isnan(arguments[0].floatAt(i));
      if (same || isSignOfNaN)
        continue;
      auto show = [&](const HostTensor &tensor) {
        return mlir::isa<mlir::FloatType>(tensor.elementType()) ? llvm::formatv("{0:e}", tensor.floatAt(i)).str()
                                                                : std::to_string(tensor.integerAt(i));
      };
      wrong += "\n  " + op.name + ' ' + show(arguments[0]) + (isUnary ? "" : ", " + show(arguments[1])) + " = " +
               show(got) + ", on the host " + show(wanted);
    }
    EXPECT_EQ(wrong, "");
  }
}

INSTANTIATE_TEST_SUITE_P(, EdgeValues, testing::ValuesIn(groups()),
                         [](const auto &info) { return info.param.type + "_" + info.param.ops.front().name; });

} // namespace
