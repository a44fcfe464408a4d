#include "core/emulator/lanes/LaneKernels.h"
#include "core/emulator/lanes/NarrowFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

namespace fuselage::emulator {
namespace {

using Kind = ElementForm::Kind;

int64_t signedOf(uint64_t word, unsigned bits) {
  uint64_t sign = uint64_t(1) << (bits - 1);
  return int64_t((word ^ sign) - sign);
}

/// Both forms travel in the parameter: bits of either integer, or where the semantics of a narrow float are.
uint64_t packBits(unsigned from, unsigned to) { return uint64_t(from) << 32 | to; }

template <Kind kind> float narrowTo(float number, uint64_t parameter) {
  if constexpr (kind == Kind::F16)
    return roundF16(number);
  else if constexpr (kind == Kind::BF16)
    return roundBf16(number);
  else if constexpr (kind == Kind::Narrow)
    return roundNarrow(number, *reinterpret_cast<const llvm::fltSemantics *>(parameter));
  else
    return number;
}

template <Kind kind> void narrowSingles(const LaneCall &call) {
  auto *result = static_cast<float *>(call.result);
  auto *a = static_cast<const float *>(call.a);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = narrowTo<kind>(a[i], call.parameter);
}

template <Kind kind> void narrowDoubles(const LaneCall &call) {
  auto *result = static_cast<float *>(call.result);
  auto *a = static_cast<const double *>(call.a);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = kind == Kind::F32 ? static_cast<float>(a[i]) : narrowTo<kind>(toFloatOdd(a[i]), call.parameter);
}

void widenSingles(const LaneCall &call) {
  for (size_t i = 0; i < call.count; ++i)
    static_cast<double *>(call.result)[i] = static_cast<const float *>(call.a)[i];
}

LaneOperation betweenFloats(const ElementForm &from, const ElementForm &to) {
  auto semantics = reinterpret_cast<uint64_t>(to.semantics);
  switch (to.kind) {
  case Kind::F64:
    return {widenSingles};
  case Kind::F32:
    return {from.isWide() ? narrowDoubles<Kind::F32> : narrowSingles<Kind::F32>};
  case Kind::F16:
    return {from.isWide() ? narrowDoubles<Kind::F16> : narrowSingles<Kind::F16>};
  case Kind::BF16:
    return {from.isWide() ? narrowDoubles<Kind::BF16> : narrowSingles<Kind::BF16>};
  case Kind::Narrow:
    return {from.isWide() ? narrowDoubles<Kind::Narrow> : narrowSingles<Kind::Narrow>, semantics};
  case Kind::Integer:
    break;
  }
  return {};
}

/// The nearest of a type's numbers, in one rounding.
template <Kind kind, class T> float toSingle(T number) {
  if constexpr (kind == Kind::F32)
    return static_cast<float>(number);
  else
    return narrowTo<kind>(toFloatOdd(static_cast<long double>(number)), 0);
}

template <Kind kind, bool isSigned> void fromWords(const LaneCall &call) {
  auto *a = static_cast<const uint64_t *>(call.a);
  auto bits = unsigned(call.parameter);
  for (size_t i = 0; i < call.count; ++i)
    if constexpr (kind == Kind::F64)
      static_cast<double *>(call.result)[i] =
          isSigned ? static_cast<double>(signedOf(a[i], bits)) : static_cast<double>(a[i]);
    else
      static_cast<float *>(call.result)[i] = isSigned ? toSingle<kind>(signedOf(a[i], bits)) : toSingle<kind>(a[i]);
}

template <bool isSigned> LaneOperation fromIntegers(const ElementForm &from, const ElementForm &to) {
  switch (to.kind) {
  case Kind::F64:
    return {fromWords<Kind::F64, isSigned>, from.bits};
  case Kind::F32:
    return {fromWords<Kind::F32, isSigned>, from.bits};
  case Kind::F16:
    return {fromWords<Kind::F16, isSigned>, from.bits};
  case Kind::BF16:
    return {fromWords<Kind::BF16, isSigned>, from.bits};
  default:
    return {};
  }
}

/// Towards zero; what does not fit becomes the nearest that does, NaN 0.
template <class T, bool isSigned> void toWords(const LaneCall &call) {
  auto *result = static_cast<uint64_t *>(call.result);
  auto *a = static_cast<const T *>(call.a);
  auto bits = unsigned(call.parameter);
  double limit = std::ldexp(1.0, int(isSigned ? bits - 1 : bits));
  uint64_t mask = bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t most = isSigned ? mask >> 1 : mask, least = isSigned ? (mask >> 1) + 1 : 0;
  for (size_t i = 0; i < call.count; ++i) {
    double number = std::trunc(double(a[i]));
    if (number != number)
      result[i] = 0;
    else if (number >= limit)
      result[i] = most;
    else if (number < (isSigned ? -limit : 0))
      result[i] = least;
    else
      result[i] = (isSigned ? uint64_t(int64_t(number)) : uint64_t(number)) & mask;
  }
}

template <bool isSigned> LaneOperation toIntegers(const ElementForm &from, const ElementForm &to) {
  return {from.isWide() ? toWords<double, isSigned> : toWords<float, isSigned>, to.bits};
}

void resizeUnsigned(const LaneCall &call) {
  auto to = unsigned(call.parameter);
  uint64_t mask = to >= 64 ? ~uint64_t(0) : (uint64_t(1) << to) - 1;
  for (size_t i = 0; i < call.count; ++i)
    static_cast<uint64_t *>(call.result)[i] = static_cast<const uint64_t *>(call.a)[i] & mask;
}

void resizeSigned(const LaneCall &call) {
  unsigned from = unsigned(call.parameter >> 32), to = unsigned(call.parameter);
  uint64_t mask = to >= 64 ? ~uint64_t(0) : (uint64_t(1) << to) - 1;
  for (size_t i = 0; i < call.count; ++i)
    static_cast<uint64_t *>(call.result)[i] = uint64_t(signedOf(static_cast<const uint64_t *>(call.a)[i], from)) & mask;
}

template <Kind kind> void bitsOfSingles(const LaneCall &call) {
  auto *semantics = reinterpret_cast<const llvm::fltSemantics *>(call.parameter);
  for (size_t i = 0; i < call.count; ++i) {
    float number = static_cast<const float *>(call.a)[i];
    uint64_t &bits = static_cast<uint64_t *>(call.result)[i];
    if constexpr (kind == Kind::F32)
      bits = llvm::bit_cast<uint32_t>(number);
    else if constexpr (kind == Kind::F16)
      bits = bitsOfF16(number);
    else if constexpr (kind == Kind::BF16)
      bits = bitsOfBf16(number);
    else
      bits = bitsOfNarrow(number, *semantics);
  }
}

template <Kind kind> void singlesOfBits(const LaneCall &call) {
  auto *semantics = reinterpret_cast<const llvm::fltSemantics *>(call.parameter);
  for (size_t i = 0; i < call.count; ++i) {
    uint64_t bits = static_cast<const uint64_t *>(call.a)[i];
    float &number = static_cast<float *>(call.result)[i];
    if constexpr (kind == Kind::F32)
      number = llvm::bit_cast<float>(uint32_t(bits));
    else if constexpr (kind == Kind::F16)
      number = fromF16(uint16_t(bits));
    else if constexpr (kind == Kind::BF16)
      number = fromBf16(uint16_t(bits));
    else
      number = fromNarrow(uint32_t(bits), *semantics);
  }
}

void copyWords(const LaneCall &call) {
  std::copy_n(static_cast<const uint64_t *>(call.a), call.count, static_cast<uint64_t *>(call.result));
}
void copySingles(const LaneCall &call) {
  std::copy_n(static_cast<const float *>(call.a), call.count, static_cast<float *>(call.result));
}

LaneOperation bitsOf(const ElementForm &from) {
  auto semantics = reinterpret_cast<uint64_t>(from.semantics);
  switch (from.kind) {
  case Kind::F32:
    return {bitsOfSingles<Kind::F32>};
  case Kind::F16:
    return {bitsOfSingles<Kind::F16>};
  case Kind::BF16:
    return {bitsOfSingles<Kind::BF16>};
  case Kind::Narrow:
    return {bitsOfSingles<Kind::Narrow>, semantics};
  default:
    return {copyWords};
  }
}

LaneOperation ofBits(const ElementForm &to) {
  auto semantics = reinterpret_cast<uint64_t>(to.semantics);
  switch (to.kind) {
  case Kind::F32:
    return {singlesOfBits<Kind::F32>};
  case Kind::F16:
    return {singlesOfBits<Kind::F16>};
  case Kind::BF16:
    return {singlesOfBits<Kind::BF16>};
  case Kind::Narrow:
    return {singlesOfBits<Kind::Narrow>, semantics};
  default:
    return {copyWords};
  }
}

/// Between a float and another one of its size there is no cast here.
LaneOperation bitcast(const ElementForm &from, const ElementForm &to) {
  if (from.bits != to.bits || (from.isFloat() && to.isFloat() && from.kind != to.kind))
    return {};
  if (from.isFloat() == to.isFloat())
    return {from.isWide() ? copyWords : copySingles};
  return from.isFloat() ? bitsOf(from) : ofBits(to);
}

template <class T> void powerOfInteger(const LaneCall &call) {
  for (size_t i = 0; i < call.count; ++i) {
    auto power = signedOf(static_cast<const uint64_t *>(call.b)[i], unsigned(call.parameter));
    static_cast<T *>(call.result)[i] =
        static_cast<T>(std::pow(double(static_cast<const T *>(call.a)[i]), double(power)));
  }
}

template <class T, class Test> void test(const LaneCall &call) {
  for (size_t i = 0; i < call.count; ++i)
    static_cast<uint64_t *>(call.result)[i] = Test::of(static_cast<const T *>(call.a)[i]);
}
struct IsNan {
  static bool of(double number) { return std::isnan(number); }
};
struct IsInf {
  static bool of(double number) { return std::isinf(number); }
};
struct IsFinite {
  static bool of(double number) { return std::isfinite(number); }
};
template <class Test> LaneOperation testOf(const ElementForm &form) {
  return {form.isWide() ? test<double, Test> : test<float, Test>};
}

} // namespace

LaneOperation conversion(llvm::StringRef name, const ElementForm &from, const ElementForm &to) {
  bool fromFloat = from.isFloat(), toFloat = to.isFloat();
  if (name == "arith.bitcast")
    return bitcast(from, to);
  if ((name == "arith.extf" || name == "arith.truncf") && fromFloat && toFloat)
    return from.kind == Kind::F64 && to.kind == Kind::F64 ? LaneOperation{copyWords} : betweenFloats(from, to);
  if (fromFloat && !toFloat)
    return llvm::StringSwitch<LaneOperation>(name)
        .Case("arith.fptosi", toIntegers<true>(from, to))
        .Case("arith.fptoui", toIntegers<false>(from, to))
        .Case("math.isnan", testOf<IsNan>(from))
        .Case("math.isinf", testOf<IsInf>(from))
        .Case("math.isfinite", testOf<IsFinite>(from))
        .Default({});
  if (!fromFloat && toFloat)
    return name == "arith.sitofp"   ? fromIntegers<true>(from, to)
           : name == "arith.uitofp" ? fromIntegers<false>(from, to)
                                    : LaneOperation{};
  if (name == "arith.extsi" || name == "arith.index_cast" || name == "index.casts")
    return {resizeSigned, packBits(from.bits, to.bits)};
  if (name == "arith.extui" || name == "arith.trunci" || name == "arith.index_castui" || name == "index.castu")
    return {resizeUnsigned, to.bits};
  return {};
}

LaneOperation laneOperation(llvm::StringRef name, llvm::ArrayRef<ElementForm> operands, const ElementForm &result) {
  if (operands.empty())
    return {};
  if (name == "arith.select")
    return selection(result);
  if (name == "math.fpowi" && (result.kind == Kind::F32 || result.kind == Kind::F64))
    return {result.isWide() ? powerOfInteger<double> : powerOfInteger<float>, operands[1].bits};
  if (operands.size() == 1)
    if (LaneOperation converts = conversion(name, operands[0], result))
      return converts;
  return result.isFloat() ? floatOperation(name, result) : integerOperation(name, result);
}

} // namespace fuselage::emulator
