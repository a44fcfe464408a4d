// Functions of CHLO that math has no op for, on floats of 32 and 64 bits.
#pragma once
#include "core/transforms/stablehlo/scalars/Scalar.h"

namespace fuselage {

Scalar logGamma(const Scalar &x);
Scalar digamma(const Scalar &x);
Scalar hurwitzZeta(const Scalar &x, const Scalar &q);
Scalar polygamma(const Scalar &n, const Scalar &x);

/// exp(-|x|) I1(x)
Scalar besselI1e(const Scalar &x);
Scalar inverseErf(const Scalar &x);
/// The next number of the type from `x` in the direction of `towards`, in any format with a sign bit.
Scalar nextAfter(const Scalar &x, const Scalar &towards);

/// Both parts of a complex number.
struct ComplexScalar {
  Scalar re, im;
};
ComplexScalar complexAsin(const ComplexScalar &z);
ComplexScalar complexAcos(const ComplexScalar &z);
ComplexScalar complexAsinh(const ComplexScalar &z);
ComplexScalar complexAcosh(const ComplexScalar &z);
ComplexScalar complexAtan(const ComplexScalar &z);
ComplexScalar complexAtanh(const ComplexScalar &z);
ComplexScalar complexSinh(const ComplexScalar &z);
ComplexScalar complexCosh(const ComplexScalar &z);
// Those that upstream's expansions of complex lose digits of.
ComplexScalar complexTan(const ComplexScalar &z);
ComplexScalar complexTanh(const ComplexScalar &z);
ComplexScalar complexExpm1(const ComplexScalar &z);
ComplexScalar complexLog(const ComplexScalar &z);
ComplexScalar complexLog1p(const ComplexScalar &z);
ComplexScalar complexSqrt(const ComplexScalar &z);
/// What asin and acos share: asin(z) is (atan2(re z, w.re), sign(im z) w.im), acos(z) (atan2(w.re, re z), -...).
ComplexScalar asinAcosKernel(const ComplexScalar &z);

} // namespace fuselage
