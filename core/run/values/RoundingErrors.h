// How inexact a function's results may be.
#pragma once
#include "core/run/values/Compare.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// A bound for each result of `function`, from the ops on the way to it: two computations that
/// round after the same ops, in any order of summation and with a device's functions, differ by no
/// more.
///
/// Each op rounds by the unit roundoff u of its result's type (u = 2^-24 for f32); ops that move or
/// select values, and extensions, are exact. Rounding errors of n ops in a row add up like
/// independent random numbers: with probability 1 - 2 exp(-l^2 / 2) to no more than l * sqrt(n) * u
/// (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci.
/// Comput. 41, 2019), and never to more than n * u. l is 10 here, n adds the lengths of reductions
/// and the trips of loops on the longest way; a function such as exp counts as 64 ops, since
/// devices compute it to a few units in the last place, of f32 where its result is narrower. Types
/// that the way does not meet play no part.
///
/// Reductions into floats of 16 bits and fewer are taken to be made in f32 (accumulatorTypeOf), in
/// any order, and rounded once: a device that rounds after each term is wrong where that shows.
/// What was there before an addition, a reduction or a function may be of larger numbers than what
/// comes out: it counts in shares of the typical element, too.
///
/// `infiniteArguments[i]`: argument i holds infinities; none where left out. With `tf32`,
/// instructions may take of the f32 factors in sums of products what tf32 keeps of them: each is
/// cut off by up to 2^-10 of it, which counts as a rounding.
std::vector<ErrorBound> errorBoundsOf(mlir::func::FuncOp function, llvm::ArrayRef<bool> infiniteArguments = {},
                                      bool tf32 = false);

/// Bounds of ops, fitted to a run. What follows from inputs that were given is intended, NaN and infinities too; where
/// denormal numbers are kept, as on the host, what only moves values is exact.
void fitBounds(std::vector<ErrorBound> &bounds, bool inputsGiven, bool keepsDenormals);

/// The unit roundoff of a float, or of the parts of a complex number; 0 for all else.
double unitRoundoff(mlir::Type elementType);

} // namespace fuselage
