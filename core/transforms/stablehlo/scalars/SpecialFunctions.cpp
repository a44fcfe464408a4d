#include "core/transforms/stablehlo/scalars/SpecialFunctions.h"
#include "core/transforms/stablehlo/scalars/ScalarMath.h"
#include <limits>

using namespace mlir;

namespace fuselage {

//===-- bessel_i1e: Cephes ------------------------------------------------===//

/// The series of Chebyshev with these coefficients, the last one of degree 0, by Clenshaw's rule.
static Scalar chebyshev(const Scalar &x, ArrayRef<double> coefficients) {
  Scalar current = x.like(0), previous = current, beforeThat = current;
  for (double coefficient : coefficients) {
    beforeThat = previous;
    previous = current;
    current = x * previous - beforeThat + coefficient;
  }
  return (current - beforeThat) * 0.5;
}

// Coefficients of exp(-x) I1(x) / x on [0, 8] and of exp(-x) sqrt(x) I1(x) above; f32 needs the last ones only.
static constexpr double besselNear[] = {
    2.77791411276104639959E-18, -2.11142121435816608115E-17, 1.55363195773620046921E-16, -1.10559694773538630805E-15,
    7.60068429473540693410E-15, -5.04218550472791168711E-14, 3.22379336594557470981E-13, -1.98397439776494371520E-12,
    1.17361862988909016308E-11, -6.66348972350202774223E-11, 3.62559028155211703701E-10, -1.88724975172282928790E-9,
    9.38153738649577178388E-9,  -4.44505912879632808065E-8,  2.00329475355213526229E-7,  -8.56872026469545474066E-7,
    3.47025130813767847674E-6,  -1.32731636560394358279E-5,  4.78156510755005422638E-5,  -1.61760815825896745588E-4,
    5.12285956168575772895E-4,  -1.51357245063125314899E-3,  4.15642294431288815669E-3,  -1.05640848946261981558E-2,
    2.47264490306265168283E-2,  -5.29459812080949914269E-2,  1.02643658689847095384E-1,  -1.76416518357834055153E-1,
    2.52587186443633654823E-1};
static constexpr double besselFar[] = {
    7.51729631084210481353E-18,  4.41434832307170791151E-18,  -4.65030536848935832153E-17, -3.20952592199342395980E-17,
    2.96262899764595013876E-16,  3.30820231092092828324E-16,  -1.88035477551078244854E-15, -3.81440307243700780478E-15,
    1.04202769841288027642E-14,  4.27244001671195135429E-14,  -2.10154184277266431302E-14, -4.08355111109219731823E-13,
    -7.19855177624590851209E-13, 2.03562854414708950722E-12,  1.41258074366137813316E-11,  3.25260358301548823856E-11,
    -1.89749581235054123450E-11, -5.58974346219658380687E-10, -3.83538038596423702205E-9,  -2.63146884688951950684E-8,
    -2.51223623787020892529E-7,  -3.88256480887769039346E-6,  -1.10588938762623716291E-4,  -9.76109749136146840777E-3,
    7.78576235018280120474E-1};

Scalar besselI1e(const Scalar &x) {
  bool isWide = x.type().isF64();
  Scalar z = abs(x);
  Scalar near = z * chebyshev(z * 0.5 - 2, isWide ? ArrayRef(besselNear) : ArrayRef(besselNear).take_back(17));
  Scalar far = chebyshev(32 / z - 2, isWide ? ArrayRef(besselFar) : ArrayRef(besselFar).take_back(7));
  Scalar value = (z <= 8.0).select(near, far / sqrt(z));
  return copysign(value, x);
}

//===-- erf_inv: Giles, Approximating the erfinv function -----------------===//

static Scalar inverseErf32(const Scalar &x, const Scalar &w) {
  Scalar near = polynomial(w - 2.5, {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
                                     -0.00125372503, -0.00417768164, 0.246640727, 1.50140941});
  Scalar far = polynomial(sqrt(w) - 3, {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
                                        -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  return (w < 5.0).select(near, far) * x;
}

static Scalar inverseErf64(const Scalar &x, const Scalar &w) {
  Scalar near = polynomial(
      w - 3.125,
      {-3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
       -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
       -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
       1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
       -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
       -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356});
  Scalar root = sqrt(w);
  Scalar middle = polynomial(
      root - 3.25,
      {2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08,
       1.5027403968909827627e-06, -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05,
       -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
       0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066, -0.0037512085075692412107,
       0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635});
  Scalar far = polynomial(root - 5, {-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
                                     -3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08,
                                     2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
                                     -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
                                     7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026,
                                     1.0103004648645343977, 4.8499064014085844221});
  return (w < 6.25).select(near, (w < 16.0).select(middle, far)) * x;
}

Scalar inverseErf(const Scalar &x) {
  Scalar w = -log1p(-(x * x));
  Scalar value = x.type().isF64() ? inverseErf64(x, w) : inverseErf32(x, w);
  Scalar isEnd = isEqual(abs(x), 1.0);
  return isEnd.select(x * std::numeric_limits<double>::infinity(), value);
}

//===-- next_after --------------------------------------------------------===//

Scalar nextAfter(const Scalar &x, const Scalar &towards) {
  unsigned width = x.type().getIntOrFloatBitWidth();
  Type bitsType = x.builder().getIntegerType(width);
  Scalar bits = x.bitcast(bitsType);
  uint64_t signBit = uint64_t(1) << (width - 1);
  Scalar sign = bits & bits.bits(signBit), towardsSign = towards.bitcast(bitsType) & bits.bits(signBit);
  Scalar isZero = isEqual(x, 0.0);
  // From zero the smallest number that has the sign of the goal.
  Scalar fromZero = towardsSign | bits.bits(1);
  Scalar magnitude = abs(x), goal = abs(towards);
  Scalar shrinks = !isEqual(sign, towardsSign) | (magnitude > goal);
  Scalar next = bits + shrinks.select(bits.like(-1), bits.like(1));
  Scalar result = isZero.select(fromZero, next).bitcast(x.type());
  result = isEqual(x, towards).select(towards, result);
  Scalar isUndefined = x.compare(arith::CmpFPredicate::UNO, towards);
  return isUndefined.select(x + towards, result);
}

} // namespace fuselage
