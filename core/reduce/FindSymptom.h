// What is wrong to begin with.
#pragma once
#include "core/reduce/Symptom.h"
#include <memory>

namespace fuselage {

/// The first symptom that a module and passes show, and the number of passes after which they do; what follows is left
/// out. Failure: they show none, or it cannot be told.
struct FoundSymptom {
  std::unique_ptr<SymptomTest> test;
  unsigned passes = 0;
};
llvm::Expected<FoundSymptom> findSymptom(mlir::ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                         const SymptomOptions &options);

} // namespace fuselage
