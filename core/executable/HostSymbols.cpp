#include "core/executable/HostSymbols.h"
#include <set>

namespace fuselage {

bool isHostRuntimeFunction(std::string_view name) {
  static const std::set<std::string_view> functions = {host::kAlloc,
                                                       host::kAlignedAlloc,
                                                       host::kFree,
                                                       host::kPuts,
                                                       host::kPutchar,
                                                       host::kAbort,
                                                       host::kPoll,
                                                       host::kRunTasks,
                                                       host::kPoison,
                                                       host::kWidenFloat,
                                                       host::kNarrowFloat,
                                                       host::kTruncateToBf16,
                                                       host::kTruncateWideToBf16};
  return functions.count(name) != 0;
}

bool isMathFunction(std::string_view name) {
  static const std::set<std::string_view> doubles = {
      "acos",  "acosh",  "asin",   "asinh",   "atan",  "atan2",     "atanh", "cbrt",     "ceil",  "cos",
      "cosh",  "erf",    "erfc",   "exp",     "exp2",  "exp10",     "expm1", "fabs",     "floor", "fma",
      "fmax",  "fmin",   "fmod",   "frexp",   "ldexp", "log",       "log10", "log1p",    "log2",  "logb",
      "lrint", "lround", "llrint", "llround", "modf",  "nearbyint", "pow",   "rint",     "round", "roundeven",
      "sin",   "sincos", "sinh",   "sqrt",    "tan",   "tanh",      "trunc", "copysign", "cabs",  "carg",
      "ccos",  "cexp",   "clog",   "cpow",    "csin",  "csqrt",     "ctan",  "ctanh"};
  if (doubles.count(name) != 0)
    return true;
  for (std::string_view suffix : {"f128", "f", "l"})
    if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
      return doubles.count(name.substr(0, name.size() - suffix.size())) != 0;
  return false;
}

bool isLibraryFunction(std::string_view name) {
  // Of the C library and of the compiler's: memory, wide integers, floats that the processor lacks.
  static const std::set<std::string_view> generated = {
      "memcpy",        "memmove",       "memset",        "memcmp",        "bcmp",          "__multi3",
      "__divti3",      "__modti3",      "__udivti3",     "__umodti3",     "__ashlti3",     "__ashrti3",
      "__lshrti3",     "__fixsfti",     "__fixdfti",     "__fixxfti",     "__fixtfti",     "__fixunssfti",
      "__fixunsdfti",  "__fixunsxfti",  "__fixunstfti",  "__floattisf",   "__floattidf",   "__floattixf",
      "__floattitf",   "__floatuntisf", "__floatuntidf", "__floatuntixf", "__floatuntitf", "__fixtfsi",
      "__fixtfdi",     "__fixunstfsi",  "__fixunstfdi",  "__floatsitf",   "__floatditf",   "__floatunsitf",
      "__floatunditf", "__addtf3",      "__subtf3",      "__multf3",      "__divtf3",      "__eqtf2",
      "__netf2",       "__lttf2",       "__letf2",       "__gttf2",       "__getf2",       "__unordtf2",
      "__extendsftf2", "__extenddftf2", "__extendxftf2", "__extendhftf2", "__trunctfsf2",  "__trunctfdf2",
      "__trunctfxf2",  "__trunctfhf2",  "__extendhfsf2", "__extendhfdf2", "__extendhfxf2", "__truncsfhf2",
      "__truncdfhf2",  "__truncxfhf2",  "__extendbfsf2", "__truncsfbf2",  "__truncdfbf2",  "__powisf2",
      "__powidf2",     "__powixf2",     "__powitf2"};
  return generated.count(name) != 0 || isMathFunction(name);
}

std::string hostSymbolOf(std::string_view function) { return "fuselage.user." + std::string(function); }
std::string hostWrapperOf(std::string_view function) { return "_mlir_ciface_" + hostSymbolOf(function); }
std::string hostEntryOf(std::string_view wrapper) { return "fuselage.packed." + std::string(wrapper); }

} // namespace fuselage
