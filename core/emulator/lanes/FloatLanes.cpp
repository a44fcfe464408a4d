#include "core/emulator/lanes/LaneKernels.h"
#include "core/emulator/lanes/NarrowFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

namespace fuselage::emulator {
namespace {

// How results are rounded to their type.
struct Exactly {
  template <class T> static T of(T number, uint64_t) { return number; }
};
struct ToF16 {
  static float of(float number, uint64_t) { return roundF16(number); }
};
struct ToBf16 {
  static float of(float number, uint64_t) { return roundBf16(number); }
};
struct ToNarrow {
  static float of(float number, uint64_t semantics) {
    return roundNarrow(number, *reinterpret_cast<const llvm::fltSemantics *>(semantics));
  }
};

template <class Op, class T, class Round> void run(const LaneCall &call) {
  auto *result = static_cast<T *>(call.result);
  auto *a = static_cast<const T *>(call.a), *b = static_cast<const T *>(call.b), *c = static_cast<const T *>(call.c);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = Round::of(Op::of(a[i], b[i], c[i]), call.parameter);
}

template <class Op> LaneOperation pick(const ElementForm &form) {
  switch (form.kind) {
  case ElementForm::Kind::F64:
    return {run<Op, double, Exactly>};
  case ElementForm::Kind::F32:
    return {run<Op, float, Exactly>};
  case ElementForm::Kind::F16:
    return {run<Op, float, ToF16>};
  case ElementForm::Kind::BF16:
    return {run<Op, float, ToBf16>};
  case ElementForm::Kind::Narrow:
    return {run<Op, float, ToNarrow>, reinterpret_cast<uint64_t>(form.semantics)};
  case ElementForm::Kind::Integer:
    break;
  }
  return {};
}

#define OPERATION(name, expression)                                                                                    \
  struct name {                                                                                                        \
    template <class T> static T of([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] T c) {                 \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
OPERATION(Add, a + b)
OPERATION(Sub, a - b)
OPERATION(Mul, a *b)
OPERATION(Div, a / b)
OPERATION(Rem, std::fmod(a, b))
OPERATION(Neg, -a)
OPERATION(Maximum, a != a ? a : b != b ? b : a == b ? (std::signbit(a) ? b : a) : a > b ? a : b)
OPERATION(Minimum, a != a ? a : b != b ? b : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b)
OPERATION(MaxNum, std::fmax(a, b))
OPERATION(MinNum, std::fmin(a, b))
OPERATION(Abs, std::abs(a))
OPERATION(Acos, std::acos(a))
OPERATION(Acosh, std::acosh(a))
OPERATION(Asin, std::asin(a))
OPERATION(Asinh, std::asinh(a))
OPERATION(Atan, std::atan(a))
OPERATION(Atan2, std::atan2(a, b))
OPERATION(Atanh, std::atanh(a))
OPERATION(Cbrt, std::cbrt(a))
OPERATION(Ceil, std::ceil(a))
OPERATION(CopySign, std::copysign(a, b))
OPERATION(Cos, std::cos(a))
OPERATION(Cosh, std::cosh(a))
OPERATION(Erf, std::erf(a))
OPERATION(Erfc, std::erfc(a))
OPERATION(Exp, std::exp(a))
OPERATION(Exp2, std::exp2(a))
OPERATION(ExpM1, std::expm1(a))
OPERATION(Floor, std::floor(a))
OPERATION(Log, std::log(a))
OPERATION(Log10, std::log10(a))
OPERATION(Log1p, std::log1p(a))
OPERATION(Log2, std::log2(a))
OPERATION(Pow, std::pow(a, b))
OPERATION(Round, std::round(a))
OPERATION(RoundEven, std::nearbyint(a))
OPERATION(Rsqrt, 1 / std::sqrt(a))
OPERATION(Sin, std::sin(a))
OPERATION(Sinh, std::sinh(a))
OPERATION(Sqrt, std::sqrt(a))
OPERATION(Tan, std::tan(a))
OPERATION(Tanh, std::tanh(a))
OPERATION(Trunc, std::trunc(a))
OPERATION(Clamp, std::fmin(std::fmax(a, b), c))
OPERATION(Fma, std::fma(a, b, c))
#undef OPERATION

/// Of the narrow types: rounded once.
struct NarrowFma {
  static float of(float a, float b, float c) { return fmaOdd(a, b, c); }
};

#if defined(__x86_64__) && defined(__GNUC__)
template <class T> __attribute__((target("avx2,fma"))) void fmaByHardware(const LaneCall &call) {
  auto *result = static_cast<T *>(call.result);
  auto *a = static_cast<const T *>(call.a), *b = static_cast<const T *>(call.b), *c = static_cast<const T *>(call.c);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = __builtin_fma(a[i], b[i], c[i]);
}
template <> __attribute__((target("avx2,fma"))) void fmaByHardware<float>(const LaneCall &call) {
  auto *result = static_cast<float *>(call.result);
  auto *a = static_cast<const float *>(call.a), *b = static_cast<const float *>(call.b),
       *c = static_cast<const float *>(call.c);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = __builtin_fmaf(a[i], b[i], c[i]);
}
#endif

LaneOperation pickFma(const ElementForm &form) {
  using Kind = ElementForm::Kind;
  if (form.kind == Kind::F16 || form.kind == Kind::BF16 || form.kind == Kind::Narrow)
    return pick<NarrowFma>(form);
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))
    return {form.kind == Kind::F64 ? fmaByHardware<double> : fmaByHardware<float>};
#endif
  return pick<Fma>(form);
}

LaneOperation none(const ElementForm &) { return {}; }

} // namespace

LaneOperation floatOperation(llvm::StringRef name, const ElementForm &form) {
  using Picker = LaneOperation (*)(const ElementForm &);
  // In two parts, since a switch over strings takes no more.
  Picker picker = llvm::StringSwitch<Picker>(name)
                      .Case("arith.addf", pick<Add>)
                      .Case("arith.subf", pick<Sub>)
                      .Case("arith.mulf", pick<Mul>)
                      .Case("arith.divf", pick<Div>)
                      .Case("arith.remf", pick<Rem>)
                      .Case("arith.negf", pick<Neg>)
                      .Case("arith.maximumf", pick<Maximum>)
                      .Case("arith.minimumf", pick<Minimum>)
                      .Case("arith.maxnumf", pick<MaxNum>)
                      .Case("arith.minnumf", pick<MinNum>)
                      .Cases({"math.fma", "vector.fma"}, pickFma)
                      .Case("math.absf", pick<Abs>)
                      .Case("math.exp", pick<Exp>)
                      .Case("math.exp2", pick<Exp2>)
                      .Case("math.expm1", pick<ExpM1>)
                      .Case("math.log", pick<Log>)
                      .Case("math.log10", pick<Log10>)
                      .Case("math.log1p", pick<Log1p>)
                      .Case("math.log2", pick<Log2>)
                      .Case("math.sqrt", pick<Sqrt>)
                      .Case("math.rsqrt", pick<Rsqrt>)
                      .Case("math.cbrt", pick<Cbrt>)
                      .Case("math.powf", pick<Pow>)
                      .Case("math.tanh", pick<Tanh>)
                      .Case("math.erf", pick<Erf>)
                      .Case("math.erfc", pick<Erfc>)
                      .Default(none);
  if (picker != none)
    return picker(form);
  return llvm::StringSwitch<Picker>(name)
      .Case("math.acos", pick<Acos>)
      .Case("math.acosh", pick<Acosh>)
      .Case("math.asin", pick<Asin>)
      .Case("math.asinh", pick<Asinh>)
      .Case("math.atan", pick<Atan>)
      .Case("math.atan2", pick<Atan2>)
      .Case("math.atanh", pick<Atanh>)
      .Case("math.ceil", pick<Ceil>)
      .Case("math.clampf", pick<Clamp>)
      .Case("math.copysign", pick<CopySign>)
      .Case("math.cos", pick<Cos>)
      .Case("math.cosh", pick<Cosh>)
      .Case("math.floor", pick<Floor>)
      .Case("math.round", pick<Round>)
      .Case("math.roundeven", pick<RoundEven>)
      .Case("math.sin", pick<Sin>)
      .Case("math.sinh", pick<Sinh>)
      .Case("math.tan", pick<Tan>)
      .Case("math.trunc", pick<Trunc>)
      .Default(none)(form);
}

} // namespace fuselage::emulator
