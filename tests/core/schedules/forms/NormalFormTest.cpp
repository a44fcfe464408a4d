#include "core/schedules/forms/NormalForm.h"
#include "core/ir/module/PrintedModule.h"
#include "core/registration/Registration.h"
#include "mlir/Pass/Pass.h"
#include "tests/core/schedules/forms/RandomNests.h"
#include "tests/support/Draws.h"
#include "tests/support/PassEquivalence.h"
#include "tests/support/RandomChains.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <map>

namespace fuselage::test {
namespace {

/// normalizeTo as a pass, for checkEquivalence.
struct NormalizePass : mlir::PassWrapper<NormalizePass, mlir::OperationPass<mlir::ModuleOp>> {
  explicit NormalizePass(const NormalForm &form) : form(&form) {}
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NormalizePass)
  void runOnOperation() override {
    if (llvm::Error error = normalizeTo(*form, getOperation())) {
      getOperation()->emitError(takeFailure(std::move(error)).message);
      signalPassFailure();
    }
  }
  const NormalForm *form;
};

mlir::OwningOpRef<mlir::ModuleOp> parse(Session &session, llvm::StringRef text) {
  auto module = session.parse(text, "form.mlir");
  EXPECT_TRUE(static_cast<bool>(module)) << (module ? "" : takeFailure(module.takeError()).message) << text.str();
  return module ? std::move(*module) : mlir::OwningOpRef<mlir::ModuleOp>();
}

std::vector<std::string> breachesIn(const NormalForm &form, mlir::ModuleOp module) {
  std::vector<std::string> reasons;
  module.walk([&](mlir::FunctionOpInterface function) {
    for (const FormBreach &breach : checkForm(form, function))
      reasons.push_back(breach.why);
  });
  return reasons;
}

/// Normalizes, and expects the form, and that doing it again changes nothing.
void expectReached(Session &session, const NormalForm &form, llvm::StringRef text) {
  auto module = parse(session, text);
  ASSERT_TRUE(module);
  if (llvm::Error error = normalizeTo(form, *module))
    FAIL() << form.name << ": " << takeFailure(std::move(error)).message << "\n" << text.str();
  EXPECT_TRUE(breachesIn(form, *module).empty());
  std::string once = PrintedModule(*module).text();
  llvm::consumeError(normalizeTo(form, *module));
  EXPECT_EQ(PrintedModule(*module).text(), once);
}

struct Breach {
  const char *form, *body, *why;
};

constexpr const char *kHead =
    "func.func private @use(index)\n"
    "func.func private @effect()\n"
    "func.func @f(%n: index, %t: tensor<4x1x8xf32>, %u: tensor<4x8xf32>, %v: tensor<8x4xf32>, %w: tensor<4x4xf32>) {\n"
    "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n";

const Breach kBreaches[] = {
    {"CanonicalForm", "%x = arith.addi %n, %c0 : index\nfunc.call @use(%x) : (index) -> ()\n",
     "canonicalization changes 'arith.addi'"},
    {"CanonicalForm",
     "%x = arith.muli %n, %n : index\n%y = arith.muli %n, %n : index\nfunc.call @use(%x) : (index) -> ()\nfunc.call "
     "@use(%y) : (index) -> ()\n",
     "canonicalization changes 'arith.muli'"},
    {"LoopForm",
     "scf.for %i = %c0 to %n step %c1 {\n%x = arith.muli %n, %n : index\n%y = arith.addi %x, %i : index\nfunc.call "
     "@use(%y) : (index) -> ()\n}\n",
     "'arith.muli' is the same in every iteration of the 'scf.for' at line 7"},
    {"LoopForm", "scf.for %i = %c0 to %c2 step %c2 {\nfunc.call @use(%i) : (index) -> ()\n}\n", "changes 'scf.for'"},
    {"LoopForm",
     "%c4 = arith.constant 4 : index\n%c8 = arith.constant 8 : index\nscf.for %i = %c0 to %c8 step %c4 {\n"
     "%m = affine.min affine_map<(d0) -> (4, 8 - d0)>(%i)\nfunc.call @use(%m) : (index) -> ()\n}\n",
     "the canonicalization of loops changes 'affine.min'"},
    {"PerfectForNestForm",
     "scf.for %i = %c0 to %n step %c1 {\n%x = arith.muli %i, %n : index\nscf.for %j = %c0 to %n step %c1 {\n%y = "
     "arith.addi %x, %j : index\n"
     "func.call @use(%y) : (index) -> ()\n}\n}\n",
     "'arith.muli' stands between the 'scf.for' at line 7 and the loop in it"},
    {"PerfectForNestForm",
     "scf.for %i = %c0 to %n step %c1 {\nscf.for %j = %c0 to %n step %c1 {\nfunc.call @use(%j) : (index) -> "
     "()\n}\nfunc.call @effect() : () -> ()\n}\n",
     "'func.call' stands between"},
    {"PerfectForNestForm",
     "%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {\n"
     "%s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %i) -> (index) {\n%y = arith.addi %b, %j : index\nscf.yield "
     "%y : index\n}\n"
     "scf.yield %s : index\n}\nfunc.call @use(%r) : (index) -> ()\n",
     "does not hand on"},
    {"ForallNestForm",
     "scf.forall (%i) in (%n) {\n%x = arith.muli %i, %n : index\nscf.forall (%j) in (%n) {\n%y = arith.addi %x, %j : "
     "index\n"
     "func.call @use(%y) : (index) -> ()\n}\n}\n",
     "'arith.muli' stands between the 'scf.forall'"},
    {"ForallNestForm",
     "scf.for %i = %c0 to %n step %c1 {\nscf.forall (%j) in (%n) {\nfunc.call @use(%j) : (index) -> ()\n}\n}\n",
     "the parallel loop is inside of"},
    {"GeneralizedForm",
     "%m = linalg.matmul ins(%u, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%w : tensor<4x4xf32>) -> "
     "tensor<4x4xf32>\n",
     "'linalg.matmul' is a named op"},
    {"NamedForm",
     "%e = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], "
     "iterator_types = [\"parallel\", \"parallel\"]}"
     " ins(%u : tensor<4x8xf32>) outs(%u : tensor<4x8xf32>) {\n^bb0(%a: f32, %b: f32):\n%x = math.exp %a : "
     "f32\nlinalg.yield %x : f32\n} -> tensor<4x8xf32>\n",
     "the linalg.generic is 'linalg.exp'"},
    {"UnitDimFreeForm",
     "%e = linalg.exp ins(%t : tensor<4x1x8xf32>) outs(%t : tensor<4x1x8xf32>) -> tensor<4x1x8xf32>\n",
     "'linalg.exp' has one iteration in its loop 1"},
    {"ForAllForNestForm",
     "scf.for %i = %c0 to %n step %c1 {\n%x = arith.muli %i, %n : index\nscf.forall (%j) in (%n) {\n%y = arith.addi "
     "%x, %j : index\n"
     "func.call @use(%y) : (index) -> ()\n}\n}\n",
     "'arith.muli' stands between the 'scf.for' at line 7 and the loop in it"},
    {"ForAllForNestForm",
     "scf.forall (%i) in (%n) {\nfunc.call @effect() : () -> ()\nscf.for %j = %c0 to %n step %c1 {\nfunc.call @use(%j) "
     ": (index) -> ()\n}\n}\n",
     "'func.call' stands between the 'scf.forall'"},
    {"ForAllForNestForm",
     "%r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %w) -> (tensor<4x4xf32>) {\n"
     "%s = scf.forall (%j) in (4) shared_outs(%o = %w) -> (tensor<4x4xf32>) {\n"
     "scf.forall.in_parallel {\ntensor.parallel_insert_slice %w into %o[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into "
     "tensor<4x4xf32>\n}\n}\n"
     "scf.yield %s : tensor<4x4xf32>\n}\n",
     "does not hand on"},
    {"DestinationStyleForm",
     "%c = arith.constant dense<1.0> : tensor<4x4xf32>\n"
     "%m = linalg.matmul ins(%u, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> "
     "tensor<4x4xf32>\n",
     "'linalg.matmul' writes into the result of the 'arith.constant' at line 7, which is not a destination"},
    {"DestinationStyleForm", "%s = arith.addf %w, %w : tensor<4x4xf32>\n", "'arith.addf' creates a new tensor"},
    {"SingleUseElementwiseForm",
     "%e = linalg.exp ins(%w : tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
     "%g = linalg.log ins(%e : tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
     "%h = linalg.abs ins(%e : tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>\n",
     "'linalg.exp' is read by 2 ops"},
    {"BufferizableInPlaceForm",
     "%e = linalg.exp ins(%w : tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
     "%g = linalg.add ins(%e, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
     "%s = tensor.extract %g[%c0, %c0] : tensor<4x4xf32>\n%i = arith.fptosi %s : f32 to i32\n%j = arith.index_cast %i "
     ": i32 to index\n"
     "func.call @use(%j) : (index) -> ()\n",
     "operand 1 of 'linalg.exp' is copied: writing in place would overwrite elements that are still read"},
    {"OneDispatchForm",
     "%m = linalg.matmul ins(%u, %v : tensor<4x8xf32>, tensor<8x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
     "%k = linalg.matmul ins(%m, %m : tensor<4x4xf32>, tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
     "%s = tensor.extract %k[%c0, %c0] : tensor<4x4xf32>\n%i = arith.fptosi %s : f32 to i32\n%j = arith.index_cast %i "
     ": i32 to index\n"
     "func.call @use(%j) : (index) -> ()\n",
     "'linalg.matmul' is the dispatch matmul_4x4x4, in addition to matmul_4x4x8"},
    {"GpuMappedForm", "scf.forall (%i) in (%n) {\nfunc.call @use(%i) : (index) -> ()\n}\n",
     "the outermost parallel loop has no GPU mapping"},
};

TEST(NormalForm, ChecksRejectACaseOfEachClause) {
  Session session(allDialects());
  for (const Breach &breach : kBreaches) {
    const NormalForm *form = findForm(breach.form);
    ASSERT_TRUE(form);
    auto module = parse(session, std::string(kHead) + breach.body + "return\n}\n");
    ASSERT_TRUE(module);
    std::vector<std::string> reasons = breachesIn(*form, *module);
    EXPECT_TRUE(llvm::any_of(reasons, [&](llvm::StringRef why) { return why.contains(breach.why); }))
        << breach.form << ": " << breach.why << "\n"
        << (reasons.empty() ? "no breach" : reasons.front());
  }
}

TEST(NormalForm, TheRestOfTheBodyIsFine) {
  Session session(allDialects());
  auto module =
      parse(session, std::string(kHead) +
                         "scf.for %i = %c0 to %n step %c1 {\nscf.for %j = %c0 to %n step %c1 {\n"
                         "%y = arith.addi %i, %j : index\nfunc.call @use(%y) : (index) -> ()\n}\n}\nreturn\n}\n");
  ASSERT_TRUE(module);
  llvm::consumeError(normalizeTo(*findForm("CanonicalForm"), *module)); // constants that nobody uses
  for (const NormalForm &form : normalForms())
    EXPECT_TRUE(breachesIn(form, *module).empty()) << form.name;
}

/// A function for each thing that a form looks at.
std::vector<std::string> randomModules(std::mt19937 &random) {
  ChainOptions sliced;
  sliced.slices = true;
  sliced.results = 2;
  return {randomNest(random), randomChain(ChainOptions(), random), randomChain(sliced, random), randomForalls(random)};
}

TEST(NormalForm, ImplicationsHoldOnRandomIR) {
  Session session(allDialects());
  std::map<std::string, unsigned> held; // by "form implies form": how often there was something to see
  for (unsigned draw = 0; draw < draws(12); ++draw) {
    std::mt19937 random = randomOf(draw, 43);
    for (const std::string &text : randomModules(random))
      for (const NormalForm &form : normalForms()) {
        auto module = parse(session, text);
        ASSERT_TRUE(module);
        if (draw % 2) // as it comes, every other time
          llvm::consumeError(normalizeTo(form, *module));
        module->walk([&](mlir::FunctionOpInterface function) {
          if (!checkForm(form, function).empty())
            return;
          for (const NormalForm &other : normalForms())
            if (implies(form, other)) {
              ++held[form.name + " implies " + other.name];
              std::vector<FormBreach> breaches;
              other.check(function, breaches);
              EXPECT_TRUE(breaches.empty()) << form.name << ", " << other.name << "\n" << text;
            }
        });
      }
  }
  for (const NormalForm &form : normalForms())
    for (const NormalForm *other : form.implies)
      EXPECT_GT(held[form.name + " implies " + other->name], 0u) << form.name << ", " << other->name;
}

TEST(NormalForm, IsFoundByTheNamesThatPeopleUse) {
  EXPECT_EQ(findForm("GPU-mapped"), findForm("GpuMappedForm"));
  EXPECT_EQ(findForm("DestinationStyle"), findForm("DestinationStyleForm"));
  EXPECT_TRUE(findForm("ForAllForNestForm"));
  EXPECT_FALSE(findForm("Form"));
}

TEST(NormalForm, ImplicationIsTransitive) {
  EXPECT_TRUE(implies(*findForm("PerfectForNestForm"), *findForm("AnyForm")));
  EXPECT_TRUE(implies(*findForm("LoopForm"), *findForm("CanonicalForm")));
  EXPECT_FALSE(implies(*findForm("CanonicalForm"), *findForm("LoopForm")));
  EXPECT_FALSE(findForm("NoSuchForm"));
}

TEST(NormalForm, IsReachedOnEverySample) {
  Session session(allDialects());
  std::error_code error;
  unsigned samples = 0;
  for (llvm::sys::fs::directory_iterator it(FUSELAGE_SOURCE_DIR "/samples", error), end; it != end && !error;
       it.increment(error)) {
    if (!llvm::StringRef(it->path()).ends_with(".mlir"))
      continue;
    ++samples;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(buffer);
    for (const NormalForm &form : normalForms())
      expectReached(session, form, (*buffer)->getBuffer());
  }
  EXPECT_GE(samples, 10u);
}

TEST(NormalForm, IsReachedOnRandomLoopNestsAndComputesTheSame) {
  Session session(allDialects());
  for (unsigned draw = 0; draw < draws(16); ++draw) {
    std::mt19937 random = randomOf(draw, 41);
    std::string nest = randomNest(random);
    for (llvm::StringRef name : {"LoopForm", "PerfectForNestForm", "ForAllForNestForm", "BufferizableInPlaceForm"}) {
      const NormalForm &form = *findForm(name);
      expectReached(session, form, nest);
      Equivalence result = checkEquivalence(
          session, nest, [&](mlir::OpPassManager &passes) { passes.addPass(std::make_unique<NormalizePass>(form)); },
          draw);
      ASSERT_EQ(result.problem, "") << name.str() << "\n" << nest << result.after;
    }
  }
}

TEST(NormalForm, IsReachedOnRandomChainsAndComputesTheSame) {
  Session session(allDialects());
  for (unsigned draw = 0; draw < draws(12); ++draw) {
    std::mt19937 random = randomOf(draw, 42);
    ChainOptions options;
    options.slices = draw % 2;
    options.results = 1 + draw % 3;
    std::string chain = randomChain(options, random);
    for (llvm::StringRef name :
         {"CanonicalForm", "GeneralizedForm", "NamedForm", "UnitDimFreeForm", "DestinationStyleForm",
          "SingleUseElementwiseForm", "BufferizableInPlaceForm", "OneDispatchForm"}) {
      const NormalForm &form = *findForm(name);
      expectReached(session, form, chain);
      Equivalence result = checkEquivalence(
          session, chain, [&](mlir::OpPassManager &passes) { passes.addPass(std::make_unique<NormalizePass>(form)); },
          draw);
      ASSERT_EQ(result.problem, "") << name.str() << "\n" << chain << result.after;
    }
  }
}

TEST(NormalForm, IsReachedOnRandomParallelLoopsAndComputesTheSame) {
  Session session(allDialects());
  for (unsigned draw = 0; draw < draws(20); ++draw) {
    std::mt19937 random = randomOf(draw, 44);
    std::string loops = randomForalls(random);
    for (llvm::StringRef name : {"GpuMappedForm", "ForAllForNestForm", "BufferizableInPlaceForm"}) {
      const NormalForm &form = *findForm(name);
      expectReached(session, form, loops);
      Equivalence result = checkEquivalence(
          session, loops, [&](mlir::OpPassManager &passes) { passes.addPass(std::make_unique<NormalizePass>(form)); },
          draw);
      ASSERT_EQ(result.problem, "") << name.str() << "\n" << loops << result.after;
    }
  }
}

TEST(NormalForm, AChainThatDoublesIsLeft) {
  Session session(allDialects());
  std::string text = "func.func @f(%x0: tensor<4xf32>) -> tensor<4xf32> {\n";
  for (unsigned i = 0; i < 24; ++i) {
    std::string x = "%x" + std::to_string(i), next = std::to_string(i + 1);
    text +=
        "%e" + next + " = linalg.exp ins(" + x + " : tensor<4xf32>) outs(" + x + " : tensor<4xf32>) -> tensor<4xf32>\n";
    text += "%x" + next + " = linalg.add ins(%e" + next + ", " + x + " : tensor<4xf32>, tensor<4xf32>) outs(" + x +
            " : tensor<4xf32>) -> tensor<4xf32>\n";
  }
  auto module = parse(session, text + "return %x24 : tensor<4xf32>\n}\n");
  ASSERT_TRUE(module);
  llvm::Error error = normalizeTo(*findForm("SingleUseElementwiseForm"), *module);
  ASSERT_TRUE(static_cast<bool>(error)); // 2^24 ops
  EXPECT_NE(takeFailure(std::move(error)).message.find("does not reach SingleUseElementwiseForm"), std::string::npos);
}

TEST(NormalForm, WhatCannotBeMovedIsSaid) {
  Session session(allDialects());
  auto module =
      parse(session, std::string(kHead) +
                         "scf.for %i = %c0 to %n step %c1 {\nfunc.call @effect() : () -> ()\n"
                         "scf.for %j = %c0 to %n step %c1 {\nfunc.call @use(%j) : (index) -> ()\n}\n}\nreturn\n}\n");
  ASSERT_TRUE(module);
  llvm::Error error = normalizeTo(*findForm("PerfectForNestForm"), *module);
  ASSERT_TRUE(static_cast<bool>(error));
  EXPECT_NE(takeFailure(std::move(error)).message.find("does not reach PerfectForNestForm: 'func.call' stands between"),
            std::string::npos);
}

} // namespace
} // namespace fuselage::test
