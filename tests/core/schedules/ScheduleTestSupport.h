// A payload, and schedules from text.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "core/registration/Registration.h"
#include "core/schedules/trace/Trace.h"
#include "gtest/gtest.h"

namespace fuselage::test {

inline constexpr const char *kPayload = R"(
func.func @f(%a: tensor<128x64xf32>, %b: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x32xf32>) outs(%fill : tensor<128x32xf32>) -> tensor<128x32xf32>
  %twice = linalg.add ins(%mm, %mm : tensor<128x32xf32>, tensor<128x32xf32>) outs(%empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %twice : tensor<128x32xf32>
}
func.func @g(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %exp = linalg.exp ins(%a : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %exp : tensor<8x8xf32>
}
)";

/// A session with a payload in it, where a main sequence's body is traced.
struct Stage {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  std::optional<Script> script;

  explicit Stage(llvm::StringRef text = kPayload) {
    auto parsed = session.parse(text, "payload.mlir");
    EXPECT_TRUE(static_cast<bool>(parsed)) << (parsed ? "" : takeFailure(parsed.takeError()).message);
    if (parsed)
      payload = std::move(*parsed);
  }

  static std::string mainOf(llvm::StringRef body, llvm::StringRef others = "") {
    return "module attributes {transform.with_named_sequence} {\n" + others.str() +
           "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {\n" +
           body.str() + "transform.yield\n}\n}\n";
  }

  Trace run(llvm::StringRef text, const TraceOptions &options = {}) {
    auto parsed = parseScript(session, text, "schedule.mlir");
    if (!parsed) {
      Failure failure = takeFailure(parsed.takeError());
      for (const Diagnostic &diagnostic : failure.diagnostics)
        failure.message += "\n" + formatDiagnostic(diagnostic);
      ADD_FAILURE() << failure.message << "\n" << text.str();
      return {};
    }
    script = std::move(*parsed);
    auto traced = trace(*script, *payload, options);
    EXPECT_TRUE(static_cast<bool>(traced));
    return traced ? std::move(*traced) : Trace();
  }
  Trace runMain(llvm::StringRef body, llvm::StringRef others = "", const TraceOptions &options = {}) {
    return run(mainOf(body, others), options);
  }
};

/// The steps of ops of that name.
inline std::vector<unsigned> stepsOf(const Script &script, const Trace &trace, llvm::StringRef name) {
  std::vector<unsigned> found;
  for (unsigned i = 0; i < trace.steps.size(); ++i)
    if (trace.steps[i].op >= 0 && script.ops[trace.steps[i].op].name == name)
      found.push_back(i);
  return found;
}

inline const HandleRow *rowOf(const Trace &trace, unsigned step, llvm::StringRef name) {
  if (!trace.positions[step])
    return nullptr;
  for (const HandleRow &row : trace.positions[step]->handles)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace fuselage::test
