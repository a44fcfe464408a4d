#include "core/emulator/lanes/LaneKernels.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

namespace fuselage::emulator {
namespace {

/// Of `bits` bits: what lies above them is clear in words, and copies of the sign in signed ones.
struct Width {
  explicit Width(uint64_t bits)
      : bits(bits), mask(bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1), sign(uint64_t(1) << (bits - 1)) {}
  int64_t signedOf(uint64_t word) const { return int64_t((word ^ sign) - sign); }
  uint64_t bits, mask, sign;
};

template <class Op> void run(const LaneCall &call) {
  auto *result = static_cast<uint64_t *>(call.result);
  auto *a = static_cast<const uint64_t *>(call.a), *b = static_cast<const uint64_t *>(call.b);
  const Width width(call.parameter);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = Op::of(a[i], b[i], width) & width.mask;
}

#define OPERATION(name, expression)                                                                                    \
  struct name {                                                                                                        \
    static uint64_t of([[maybe_unused]] uint64_t a, [[maybe_unused]] uint64_t b, [[maybe_unused]] const Width &w) {    \
      return expression;                                                                                               \
    }                                                                                                                  \
  };
/// The same of numbers with a sign.
#define SIGNED_OPERATION(name, expression)                                                                             \
  struct name {                                                                                                        \
    static uint64_t of(uint64_t wordA, uint64_t wordB, const Width &w) {                                               \
      [[maybe_unused]] int64_t a = w.signedOf(wordA), b = w.signedOf(wordB);                                           \
      return uint64_t(expression);                                                                                     \
    }                                                                                                                  \
  };

/// Of what cannot be divided the quotient is 0; that it was tried is found elsewhere.
bool cannotDivide(int64_t a, int64_t b) { return b == 0 || (b == -1 && a == INT64_MIN); }
int64_t quotient(int64_t a, int64_t b) { return cannotDivide(a, b) ? 0 : a / b; }
int64_t remainder(int64_t a, int64_t b) { return cannotDivide(a, b) ? 0 : a % b; }

OPERATION(Add, a + b)
OPERATION(Sub, a - b)
OPERATION(Mul, a *b)
OPERATION(And, a &b)
OPERATION(Or, a | b)
OPERATION(Xor, a ^ b)
OPERATION(DivU, b == 0 ? 0 : a / b)
OPERATION(RemU, b == 0 ? 0 : a % b)
OPERATION(CeilDivU, b == 0 || a == 0 ? 0 : (a - 1) / b + 1)
OPERATION(ShL, b >= w.bits ? 0 : a << b)
OPERATION(ShRU, b >= w.bits ? 0 : a >> b)
OPERATION(MaxU, a > b ? a : b)
OPERATION(MinU, a < b ? a : b)
OPERATION(Ctlz, uint64_t(llvm::countl_zero(a)) - (64 - w.bits))
OPERATION(Cttz, a == 0 ? w.bits : uint64_t(llvm::countr_zero(a)))
OPERATION(Ctpop, uint64_t(llvm::popcount(a)))
SIGNED_OPERATION(DivS, quotient(a, b))
SIGNED_OPERATION(RemS, remainder(a, b))
SIGNED_OPERATION(CeilDivS, quotient(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0)))
SIGNED_OPERATION(FloorDivS, quotient(a, b) - (remainder(a, b) != 0 && (a < 0) != (b < 0)))
SIGNED_OPERATION(ShRS, uint64_t(b) >= w.bits ? (a < 0 ? -1 : 0) : a >> b)
SIGNED_OPERATION(MaxS, a > b ? a : b)
SIGNED_OPERATION(MinS, a < b ? a : b)
SIGNED_OPERATION(AbsS, a < 0 ? -uint64_t(a) : uint64_t(a))
#undef OPERATION
#undef SIGNED_OPERATION

/// The upper half of a product, and of whether a sum is too large.
struct MulHighU {
  static uint64_t of(uint64_t a, uint64_t b, const Width &w) { return uint64_t((unsigned __int128)(a)*b >> w.bits); }
};
struct MulHighS {
  static uint64_t of(uint64_t a, uint64_t b, const Width &w) {
    return uint64_t((__int128)(w.signedOf(a)) * w.signedOf(b) >> w.bits);
  }
};
struct Carry {
  static uint64_t of(uint64_t a, uint64_t b, const Width &w) { return ((a + b) & w.mask) < a; }
};

/// Powers by squaring; of 0, negative ones are 0.
struct PowI {
  static uint64_t of(uint64_t wordA, uint64_t wordB, const Width &w) {
    int64_t base = w.signedOf(wordA), power = w.signedOf(wordB);
    if (power < 0)
      return base == 1 ? 1 : base == -1 ? (power & 1 ? w.mask : 1) : 0;
    uint64_t result = 1, factor = wordA;
    for (; power != 0; power >>= 1, factor *= factor)
      if (power & 1)
        result *= factor;
    return result;
  }
};

template <class Op> struct CompareSigned {
  static uint64_t of(uint64_t a, uint64_t b, const Width &w) { return Op::of(w.signedOf(a), w.signedOf(b)); }
};
template <class Op> struct CompareUnsigned {
  static uint64_t of(uint64_t a, uint64_t b, const Width &) { return Op::of(a, b); }
};

#define RELATION(name, operation)                                                                                      \
  struct name {                                                                                                        \
    template <class T> static bool of(T a, T b) { return operation; }                                                  \
  };
RELATION(Equal, a == b)
RELATION(Different, a != b)
RELATION(Less, a < b)
RELATION(LessEqual, a <= b)
RELATION(Greater, a > b)
RELATION(GreaterEqual, a >= b)
RELATION(Ordered, a == a && b == b)
RELATION(OrderedDifferent, a<b || a> b)
RELATION(Unordered, a != a || b != b)
RELATION(UnorderedEqual, !(a < b || a > b))
RELATION(UnorderedGreater, !(a <= b))
RELATION(UnorderedGreaterEqual, !(a < b))
RELATION(UnorderedLess, !(a >= b))
RELATION(UnorderedLessEqual, !(a > b))
RELATION(Always, (static_cast<void>(a), static_cast<void>(b), true))
RELATION(Never, (static_cast<void>(a), static_cast<void>(b), false))
#undef RELATION

template <class Relation, class T> void compare(const LaneCall &call) {
  auto *result = static_cast<uint64_t *>(call.result);
  auto *a = static_cast<const T *>(call.a), *b = static_cast<const T *>(call.b);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = Relation::of(a[i], b[i]);
}

using Run = void (*)(const LaneCall &);

/// In the order of arith::CmpFPredicate.
template <class T>
constexpr Run floatRelations[] = {compare<Never, T>,
                                  compare<Equal, T>,
                                  compare<Greater, T>,
                                  compare<GreaterEqual, T>,
                                  compare<Less, T>,
                                  compare<LessEqual, T>,
                                  compare<OrderedDifferent, T>,
                                  compare<Ordered, T>,
                                  compare<UnorderedEqual, T>,
                                  compare<UnorderedGreater, T>,
                                  compare<UnorderedGreaterEqual, T>,
                                  compare<UnorderedLess, T>,
                                  compare<UnorderedLessEqual, T>,
                                  compare<Different, T>,
                                  compare<Unordered, T>,
                                  compare<Always, T>};
/// In the order of arith::CmpIPredicate.
constexpr Run integerRelations[] = {run<CompareUnsigned<Equal>>,   run<CompareUnsigned<Different>>,
                                    run<CompareSigned<Less>>,      run<CompareSigned<LessEqual>>,
                                    run<CompareSigned<Greater>>,   run<CompareSigned<GreaterEqual>>,
                                    run<CompareUnsigned<Less>>,    run<CompareUnsigned<LessEqual>>,
                                    run<CompareUnsigned<Greater>>, run<CompareUnsigned<GreaterEqual>>};

template <class T> void selectLanes(const LaneCall &call) {
  auto *result = static_cast<T *>(call.result);
  auto *condition = static_cast<const uint64_t *>(call.a);
  auto *b = static_cast<const T *>(call.b), *c = static_cast<const T *>(call.c);
  for (size_t i = 0; i < call.count; ++i)
    result[i] = condition[i] ? b[i] : c[i];
}

} // namespace

LaneOperation integerOperation(llvm::StringRef name, const ElementForm &form) {
  Run found = llvm::StringSwitch<Run>(name)
                  .Cases({"arith.addi", "index.add"}, run<Add>)
                  .Cases({"arith.subi", "index.sub"}, run<Sub>)
                  .Cases({"arith.muli", "index.mul"}, run<Mul>)
                  .Cases({"arith.andi", "index.and"}, run<And>)
                  .Cases({"arith.ori", "index.or"}, run<Or>)
                  .Cases({"arith.xori", "index.xor"}, run<Xor>)
                  .Cases({"arith.divui", "index.divu"}, run<DivU>)
                  .Cases({"arith.divsi", "index.divs"}, run<DivS>)
                  .Cases({"arith.remui", "index.remu"}, run<RemU>)
                  .Cases({"arith.remsi", "index.rems"}, run<RemS>)
                  .Cases({"arith.ceildivui", "index.ceildivu"}, run<CeilDivU>)
                  .Cases({"arith.ceildivsi", "index.ceildivs"}, run<CeilDivS>)
                  .Cases({"arith.floordivsi", "index.floordivs"}, run<FloorDivS>)
                  .Default(nullptr);
  if (!found)
    found = llvm::StringSwitch<Run>(name)
                .Cases({"arith.shli", "index.shl"}, run<ShL>)
                .Cases({"arith.shrui", "index.shru"}, run<ShRU>)
                .Cases({"arith.shrsi", "index.shrs"}, run<ShRS>)
                .Cases({"arith.maxsi", "index.maxs"}, run<MaxS>)
                .Cases({"arith.maxui", "index.maxu"}, run<MaxU>)
                .Cases({"arith.minsi", "index.mins"}, run<MinS>)
                .Cases({"arith.minui", "index.minu"}, run<MinU>)
                .Case("math.absi", run<AbsS>)
                .Case("math.ctlz", run<Ctlz>)
                .Case("math.cttz", run<Cttz>)
                .Case("math.ctpop", run<Ctpop>)
                .Case("math.ipowi", run<PowI>)
                .Case("arith.mului_extended", run<MulHighU>)
                .Case("arith.mulsi_extended", run<MulHighS>)
                .Case("arith.addui_extended", run<Carry>)
                .Default(nullptr);
  return {found, form.bits};
}

LaneOperation comparison(uint64_t predicate, const ElementForm &form) {
  if (!form.isFloat())
    return predicate < std::size(integerRelations) ? LaneOperation{integerRelations[predicate], form.bits}
                                                   : LaneOperation{};
  if (predicate >= std::size(floatRelations<float>))
    return {};
  return {form.isWide() ? floatRelations<double>[predicate] : floatRelations<float>[predicate]};
}

LaneOperation selection(const ElementForm &form) {
  return {form.isWide() ? selectLanes<uint64_t> : selectLanes<float>};
}

} // namespace fuselage::emulator
