// A reduction as others can use it: a file, a bug report, a lit test.
#pragma once
#include "core/reduce/Reduce.h"

namespace fuselage {

/// What a reproducer says beside the reduction.
struct ReproducerOptions {
  std::string input;                ///< the name of the file that was reduced
  std::string version;              ///< "fuselage 0.1.0 (MLIR 22.1.8)"
  std::vector<std::string> plugins; ///< options that load them, "--load-pass-plugin=libmine.so"
};

/// "builtin.module(canonicalize,cse)".
std::string pipelineText(llvm::ArrayRef<PassUnit> passes);

/// Whether mlir-opt has the passes, alone or with the plugins; fuselage-opt has ours as well.
bool isForMlirOpt(llvm::ArrayRef<PassUnit> passes);

/// "mlir-opt FILE --pass-pipeline='..'", for a shell.
std::string optCommand(const Reduction &reduction, const ReproducerOptions &options, llvm::StringRef file);

/// "fuselage step FILE --pipeline '..'", and `side`.
std::string stepCommand(const Reduction &reduction, const ReproducerOptions &options, llvm::StringRef file);

/// "fuselage bisect FILE --pipeline '..'", which finds wrong results again.
std::string bisectCommand(const Reduction &reduction, const ReproducerOptions &options, llvm::StringRef file);

/// The module, after comments that say what is wrong and how to see it.
std::string reducedFile(const Reduction &reduction, const ReproducerOptions &options);

/// Markdown: the module, the pipeline, commands for both sides, what was expected, versions.
std::string bugReport(const Reduction &reduction, const ReproducerOptions &options);

/// A test for lit. Of a crash or a failure it expects just that, and so passes until it is fixed; of wrong results and
/// of a command it expects what is right, and so fails until then.
std::string litTest(const Reduction &reduction, const ReproducerOptions &options);

} // namespace fuselage
