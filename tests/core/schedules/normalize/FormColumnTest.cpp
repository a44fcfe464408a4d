#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/normalize/Requirements.h"
#include "tests/core/schedules/ScheduleTestSupport.h"
#include "tests/core/schedules/forms/RandomNests.h"
#include "tests/support/Draws.h"
#include "tests/support/RandomChains.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace fuselage::test {
namespace {

#define OP "!transform.any_op"
#define MATCH(NAME, WHAT) "%" NAME "_@ = transform.structured.match " WHAT " in %root : (" OP ") -> " OP "\n"
#define ON(NAME, BODY)                                                                                                 \
  "transform.foreach %" NAME "_@ : " OP " {\n^bb0(%each: " OP "):\ntransform.sequence %each : " OP                     \
  " failures(suppress) {\n^bb0(%it: " OP "):\n?" BODY "}\n}\n"

/// A use of each transform that has a rule, on whatever there is to use it on; @ stands for a number.
const std::pair<const char *, const char *> kUses[] = {
    {"transform.annotate", MATCH("ops", "interface{LinalgOp}") "transform.annotate %ops_@ \"seen\" : " OP "\n"},
    {"transform.apply_patterns",
     MATCH("f", "ops{[\"func.func\"]}") "transform.apply_patterns to %f_@ {\n"
                                        "transform.apply_patterns.canonicalization\n} {apply_cse} : " OP "\n"},
    {"transform.apply_patterns",
     MATCH("f", "ops{[\"func.func\"]}") "transform.apply_patterns to %f_@ {\n"
                                        "transform.apply_patterns.linalg.tiling_canonicalization\n} : " OP "\n"},
    {"transform.apply_cse", MATCH("f", "ops{[\"func.func\"]}") "transform.apply_cse to %f_@ : " OP "\n"},
    {"transform.apply_dce", MATCH("f", "ops{[\"func.func\"]}") "transform.apply_dce to %f_@ : " OP "\n"},
    {"transform.apply_licm", MATCH("l", "interface{LoopLikeInterface}") "transform.apply_licm to %l_@ : " OP "\n"},
    {"transform.loop.coalesce",
     MATCH("l", "ops{[\"scf.for\"]}") ON("l", "%c = transform.loop.coalesce %it : (" OP ") -> " OP "\n")},
    {"transform.loop.peel",
     MATCH("l", "ops{[\"scf.for\"]}")
         ON("l", "%for = transform.cast %it : " OP " to !transform.op<\"scf.for\">\n"
                 "%m, %r = transform.loop.peel %for {peel_front = true} : (!transform.op<\"scf.for\">) -> (" OP ", " OP
                 ")\n")},
    {"transform.loop.pipeline",
     MATCH("l", "ops{[\"scf.for\"]}")
         ON("l", "%for = transform.cast %it : " OP " to !transform.op<\"scf.for\">\n"
                 "%p = transform.loop.pipeline %for : (!transform.op<\"scf.for\">) -> " OP "\n")},
    {"transform.loop.unroll",
     MATCH("l", "ops{[\"scf.for\"]}") ON("l", "transform.loop.unroll %it {factor = 2} : " OP "\n")},
    {"transform.structured.fuse",
     MATCH("ops", "interface{LinalgOp}")
         ON("ops", "%t, %l = transform.structured.fuse %it tile_sizes [2] : (" OP ") -> (" OP ", " OP ")\n")},
    {"transform.structured.fuse_into_containing_op",
     MATCH("ops", "ops{[\"linalg.generic\"]}") MATCH(
         "all",
         "ops{[\"scf.forall\"]}") "transform.sequence %root : " OP " failures(suppress) {\n^bb0(%it: " OP "):\n"
                                  "%a, %b = transform.structured.fuse_into_containing_op %ops_@ into %all_@ : (" OP
                                  ", " OP ") -> (" OP ", " OP ")\n}\n"},
    {"transform.structured.generalize", MATCH("ops", "ops{[\"linalg.matmul\", \"linalg.add\", \"linalg.generic\"]}") ON(
                                            "ops", "%g = transform.structured.generalize %it : (" OP ") -> " OP "\n")},
    {"transform.structured.hoist_redundant_vector_transfers",
     MATCH("f", "ops{[\"func.func\"]}")
         ON("f", "%h = transform.structured.hoist_redundant_vector_transfers %it : (" OP ") -> " OP "\n")},
    {"transform.structured.interchange",
     MATCH("ops", "ops{[\"linalg.generic\"]}")
         ON("ops", "%i = transform.structured.interchange %it iterator_interchange = [1, 0] : (" OP ") -> " OP "\n")},
    {"transform.structured.specialize", MATCH("ops", "ops{[\"linalg.generic\"]}") ON(
                                            "ops", "%s = transform.structured.specialize %it : (" OP ") -> " OP "\n")},
    {"transform.structured.tile_using_for",
     MATCH("ops", "interface{LinalgOp}")
         ON("ops", "%t, %l = transform.structured.tile_using_for %it tile_sizes [2] : (" OP ") -> (" OP ", " OP ")\n")},
    {"transform.structured.tile_using_forall",
     MATCH("ops", "interface{LinalgOp}") ON(
         "ops", "%t, %l = transform.structured.tile_using_forall %it tile_sizes [2] : (" OP ") -> (" OP ", " OP ")\n")},
    {"transform.structured.vectorize",
     MATCH("ops", "interface{LinalgOp}") ON("ops", "transform.structured.vectorize %it : " OP "\n")},
    {"transform.gpu.map_forall_to_blocks",
     MATCH("f", "ops{[\"func.func\"]}")
         ON("f", "%g = transform.gpu.map_forall_to_blocks %it generate_gpu_launch : (" OP ") -> " OP "\n")},
    {"transform.gpu.map_nested_forall_to_threads",
     MATCH("f", "ops{[\"func.func\"]} attributes{sym_name = \"blocks\"}") ON(
         "f", "%g = transform.gpu.map_forall_to_blocks %it generate_gpu_launch : (" OP ") -> " OP
              "\n") MATCH("l", "ops{[\"gpu.launch\"]}")
         ON("l", "%g = transform.gpu.map_nested_forall_to_threads %it block_dims = [4, 1, 1] : (" OP ") -> " OP "\n")},
    {"transform.fuselage.interchange_loops",
     MATCH("l", "ops{[\"scf.for\"]}")
         ON("l", "%o, %i = transform.fuselage.interchange_loops %it : (" OP ") -> (" OP ", " OP ")\n")},
    {"transform.fuselage.sink_into_loops",
     MATCH("f", "ops{[\"func.func\"]}") "transform.fuselage.sink_into_loops %f_@ : " OP "\n"},
    {"transform.fuselage.give_destinations",
     MATCH("f", "ops{[\"func.func\"]}") "transform.fuselage.give_destinations %f_@ : " OP "\n"},
    {"transform.fuselage.clone_for_readers",
     MATCH("f", "ops{[\"func.func\"]}") "transform.fuselage.clone_for_readers %f_@ : " OP "\n"},
    {"transform.fuselage.insert_copies",
     MATCH("f", "ops{[\"func.func\"]}") "transform.fuselage.insert_copies %f_@ : " OP "\n"},
    {"transform.fuselage.outline_dispatches",
     MATCH("f", "ops{[\"func.func\"]}") "transform.fuselage.outline_dispatches %f_@ : " OP "\n"},
    {"transform.fuselage.map_foralls",
     MATCH("f", "ops{[\"func.func\"]}") "transform.fuselage.map_foralls %f_@ : " OP "\n"},
};
#undef ON
#undef MATCH
#undef OP

/// `form` is checked before each op, where it says so; null: nothing is.
std::string use(unsigned which, unsigned number, const NormalForm *form = nullptr) {
  std::string text = kUses[which].second, check;
  if (form)
    check = "transform.fuselage.check_form %" + std::string(text.find("%f_@") == std::string::npos ? "around" : "it") +
            " : !transform.any_op is \"" + form->name + "\"\n";
  if (!check.empty() && text.find("%f_@") == std::string::npos)
    check =
        "%around = transform.get_parent_op %it {op_name = \"func.func\"} : (!transform.any_op) -> !transform.any_op\n" +
        check;
  for (size_t at; (at = text.find("\n?")) != std::string::npos;)
    text.replace(at, 2, "\n" + check);
  for (size_t at; (at = text.find('@')) != std::string::npos;)
    text.replace(at, 1, std::to_string(number));
  return text;
}

/// Loops on memrefs that can be exchanged, pipelined and mapped.
constexpr const char *kLoops = R"(
func.func private @use(f32, index)
func.func @nest(%values: memref<64x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %c32 step %c1 {
    %hoistable = arith.muli %n, %n : index
    scf.for %i = %c0 to %c64 step %c1 {
      %value = memref.load %values[%i, %j] : memref<64x32xf32>
      func.call @use(%value, %hoistable) : (f32, index) -> ()
    }
  }
  return
}
func.func @perfect(%a: tensor<4x4xf32>, %t: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %e = tensor.extract %a[%i, %j] : tensor<4x4xf32>
      memref.store %e, %t[%i, %j] : memref<4x4xf32>
    }
  }
  return
}
func.func @pipelined(%a: memref<64xf32>, %b: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %value = memref.load %a[%i] : memref<64xf32>
    %sum = arith.addf %value, %x : f32
    memref.store %sum, %b[%i] : memref<64xf32>
  }
  return
}
func.func @blocks(%a: memref<8x4xf32>, %x: f32) {
  scf.forall (%i) in (8) {
    scf.forall (%j) in (4) {
      memref.store %x, %a[%i, %j] : memref<8x4xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
func.func @fusable(%a: tensor<8xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %x : f32
    %z = arith.addf %y, %x : f32
    linalg.yield %z : f32
  } -> tensor<8xf32>
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %p[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
)";

std::vector<std::string> payloads(std::mt19937 &random) {
  ChainOptions sliced;
  sliced.slices = true;
  return {kLoops,
          kPayload,
          randomNest(random),
          randomForalls(random),
          randomChain(ChainOptions(), random),
          randomChain(sliced, random)};
}

/// Runs the text, and checks before every op what is known of every function. Returns how often something was, by the
/// transform that ran right before.
std::map<std::string, unsigned> expectTrueClaims(Stage &stage, const std::string &text) {
  std::map<std::string, unsigned> checked;
  auto script = parseScript(stage.session, text, "column.mlir");
  if (!script) {
    Failure failure = takeFailure(script.takeError());
    for (const Diagnostic &diagnostic : failure.diagnostics)
      failure.message += "\n" + formatDiagnostic(diagnostic);
    ADD_FAILURE() << failure.message << "\n" << text;
    return checked;
  }
  FormColumn column(*script);
  TraceOptions options;
  options.last = 0; // no positions
  options = column.watching(options);
  std::string before;
  options.mayRun = [&, may = options.mayRun](mlir::transform::TransformOpInterface op,
                                             const mlir::transform::TransformState &state) {
    for (mlir::FunctionOpInterface function : functionsIn(state.getTopLevel()))
      for (const NormalForm *form : column.known(function)) {
        std::vector<FormBreach> breaches = checkForm(*form, function);
        EXPECT_TRUE(breaches.empty()) << form->name << " is claimed of @" << function.getName().str() << " behind "
                                      << before << ", but " << breaches.front().why << "\n"
                                      << text;
        ++checked[before + " " + form->name];
      }
    return may(op, state);
  };
  options.didRun = [&, did = options.didRun](mlir::transform::TransformOpInterface op, bool succeeded,
                                             const mlir::transform::TransformState &state) {
    before = op->getName().getStringRef().str();
    did(op, succeeded, state);
  };
  auto traced = trace(*script, *stage.payload, options);
  EXPECT_TRUE(static_cast<bool>(traced));
  return checked;
}

std::string allNormalizers() {
  std::string sequences;
  for (const NormalForm &form : normalForms())
    for (const Normalizer &normalizer : form.normalizers)
      sequences += normalizer.text;
  return sequences;
}

TEST(FormRules, AreTrue) {
  std::map<std::string, unsigned> checked;
  for (unsigned draw = 0; draw < draws(1); ++draw) {
    std::mt19937 random = randomOf(draw, 51);
    for (const std::string &payload : payloads(random))
      for (unsigned which = 0; which < std::size(kUses); ++which) {
        llvm::StringRef name = kUses[which].first;
        std::vector<llvm::StringRef> forms(formRule(name)->keeps);
        llvm::append_range(forms, formRule(name)->leaves);
        for (llvm::StringRef form : forms) { // what does not hold fails, and is not claimed
          Stage stage(payload);
          std::string body = "%f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> "
                             "!transform.any_op\n"
                             "transform.include @" +
                             findForm(form)->normalizers.front().name +
                             " failures(suppress) (%f) : (!transform.any_op) -> ()\n" + use(which, 0, findForm(form));
          for (const auto &[key, count] :
               expectTrueClaims(stage, Stage::mainOf(body, findForm(form)->normalizers.front().text)))
            checked[key] += count;
        }
      }
  }
  for (const FormRule &rule : formRules()) {
    for (llvm::StringRef form : rule.keeps)
      EXPECT_GT(checked[rule.op.str() + " " + form.str()], 0u) << rule.op.str() << " keeps " << form.str();
    for (llvm::StringRef form : rule.leaves)
      EXPECT_GT(checked[rule.op.str() + " " + form.str()], 0u) << rule.op.str() << " leaves " << form.str();
  }
}

TEST(FormRules, NameFormsAndTransformsThatThereAre) {
  Stage stage;
  stage.run(Stage::mainOf(""));
  for (const FormRule &rule : formRules()) {
    EXPECT_TRUE(mlir::RegisteredOperationName::lookup(rule.op, &stage.session.context())) << rule.op.str();
    for (llvm::StringRef form : rule.required)
      EXPECT_TRUE(findForm(form)) << rule.op.str();
  }
}

TEST(FormColumn, ClaimsWhatChecksPassAlongRandomSchedules) {
  unsigned claims = 0;
  for (unsigned draw = 0; draw < draws(40); ++draw) {
    std::mt19937 random = randomOf(draw, 52);
    auto pick = [&](unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random); };
    std::vector<std::string> from = payloads(random);
    Stage stage(from[pick(from.size())]);
    std::string body;
    for (unsigned i = 0; i < 10; ++i) {
      if (pick(3) == 0) {
        std::string n = std::to_string(100 + i);
        const NormalForm &form = normalForms()[1 + pick(normalForms().size() - 1)];
        body +=
            "%f" + n +
            " = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op\n"
            "transform.include @" +
            form.normalizers.front().name + " failures(suppress) (%f" + n + ") : (!transform.any_op) -> ()\n";
      }
      body += use(pick(std::size(kUses)), i);
    }
    for (const auto &[key, count] : expectTrueClaims(stage, Stage::mainOf(body, allNormalizers())))
      claims += count;
  }
  EXPECT_GT(claims, 100u);
}

std::vector<std::string> columnOf(Stage &stage, const std::string &text, std::vector<Diagnostic> *broken = nullptr) {
  auto script = parseScript(stage.session, text, "column.mlir");
  EXPECT_TRUE(static_cast<bool>(script)) << (script ? "" : takeFailure(script.takeError()).message);
  FormColumn column(*script);
  auto traced = trace(*script, *stage.payload, column.watching(TraceOptions()));
  EXPECT_TRUE(static_cast<bool>(traced));
  if (broken)
    *broken = column.broken();
  std::vector<std::string> lines;
  for (const message::LineForms<> &line : column.lines())
    lines.push_back(std::to_string(line.line) + " " + llvm::join(line.forms, ","));
  return lines;
}

TEST(FormColumn, IsTheTalksColumn) {
  Stage stage(kLoops);
  std::string body = "%f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> "
                     "!transform.any_op\n"                                                           // 3
                     "transform.fuselage.check_form %f : !transform.any_op is \"GeneralizedForm\"\n" // 4
                     "transform.apply_patterns to %f {\ntransform.apply_patterns.canonicalization\n} {apply_cse} : "
                     "!transform.any_op\n"                      // 5
                     "transform.print %f : !transform.any_op\n" // 8
                     "%l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> "
                     "!transform.any_op\n"                                         // 9
                     "transform.loop.unroll %l {factor = 1} : !transform.any_op\n" // 10
                     "transform.annotate %f \"seen\" : !transform.any_op\n";       // 11
  EXPECT_EQ(columnOf(stage, Stage::mainOf(body)),
            (std::vector<std::string>{"2 AnyForm", "3 AnyForm", "4 AnyForm", "5 GeneralizedForm", "8 CanonicalForm",
                                      "9 CanonicalForm", "10 CanonicalForm"}));
}

TEST(FormColumn, ChecksWhatNamedSequencesEnsure) {
  Stage stage(kLoops);
  const std::string sequence = "transform.named_sequence @tidy(%f: !transform.any_op {transform.readonly}) attributes "
                               "{fuselage.ensures = \"LoopForm\"} {\n"
                               "transform.annotate %f \"seen\" : !transform.any_op\ntransform.yield\n}\n";
  std::string body = "%f = transform.structured.match ops{[\"func.func\"]} attributes{sym_name = \"NAME\"} in %root : "
                     "(!transform.any_op) -> !transform.any_op\n"
                     "transform.include @tidy failures(propagate) (%f) : (!transform.any_op) -> ()\n"
                     "transform.print %f : !transform.any_op\n";
  auto on = [&](const char *name) {
    std::string text = body;
    return Stage::mainOf(text.replace(text.find("NAME"), 4, name), sequence);
  };
  std::vector<Diagnostic> broken;
  std::vector<std::string> lines = columnOf(stage, on("nest"), &broken);
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_NE(
      broken[0].message.find("@tidy says that it ensures LoopForm, which @nest is not in: 'arith.muli' is the same"),
      std::string::npos);
  EXPECT_EQ(broken[0].line, 8u);
  EXPECT_TRUE(llvm::is_contained(lines, "9 AnyForm"));
  lines = columnOf(stage, on("pipelined"), &broken);
  EXPECT_TRUE(broken.empty());
  EXPECT_TRUE(llvm::is_contained(lines, "9 LoopForm"));
}

} // namespace
} // namespace fuselage::test
