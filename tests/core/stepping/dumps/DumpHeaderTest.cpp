#include "core/stepping/dumps/DumpHeader.h"
#include <gtest/gtest.h>

namespace fuselage::test {
namespace {

using Side = DumpHeader::Side;

/// "after cse CSE func.func @main failed": what was read, for comparing at a glance.
std::string read(llvm::StringRef line) {
  auto header = parseDumpHeader(line);
  if (!header)
    return "none";
  if (header->ends)
    return "end";
  std::string text = header->side == Side::Before ? "before" : "after";
  text += " [" + header->argument.str() + "] " + header->pass.str();
  if (!header->options.empty())
    text += " {" + header->options.str() + "}";
  if (!header->op.empty())
    text += " on " + header->op.str();
  if (!header->symbol.empty())
    text += " @" + header->symbol.str();
  return text + (header->failed ? " failed" : "") + (header->omitted ? " omitted" : "");
}

TEST(DumpHeader, OfMlirToday) {
  EXPECT_EQ(read("// -----// IR Dump After Canonicalizer (canonicalize) //----- //"),
            "after [canonicalize] Canonicalizer");
  EXPECT_EQ(read("// -----// IR Dump Before CSE (cse) //----- //"), "before [cse] CSE");
  EXPECT_EQ(read("// -----// IR Dump After OneShotBufferizePass Failed (one-shot-bufferize) //----- //"),
            "after [one-shot-bufferize] OneShotBufferizePass failed");
}

TEST(DumpHeader, WithModuleScope) {
  EXPECT_EQ(read("// -----// IR Dump After CSE (cse) ('func.func' operation: @main) //----- //"),
            "after [cse] CSE on func.func @main");
  EXPECT_EQ(read("// -----// IR Dump After CSE ('builtin.module' operation) //----- //"),
            "after [] CSE on builtin.module");
  EXPECT_EQ(read("// -----// IR Dump After CSE Failed (cse) ('func.func' operation: @\"odd name\") //----- //"),
            "after [cse] CSE on func.func @odd name failed");
}

TEST(DumpHeader, WithOptions) {
  EXPECT_EQ(read("// -----// IR Dump After CanonicalizerPass: canonicalize{max-iterations=10 x={a,b}} ('func.func' "
                 "operation: @main) //----- //"),
            "after [canonicalize] CanonicalizerPass {max-iterations=10 x={a,b}} on func.func @main");
  EXPECT_EQ(read("// -----// IR Dump After CSEPass Failed: cse{} //----- //"), "after [cse] CSEPass failed");
}

TEST(DumpHeader, OfOlderTools) {
  EXPECT_EQ(read("// -----// IR Dump Before CSE //----- //"), "before [] CSE");
  EXPECT_EQ(read("// *** IR Dump After Canonicalizer ***"), "after [] Canonicalizer");
  EXPECT_EQ(read("*** IR Dump After Canonicalizer ('func' operation: @main) ***"),
            "after [] Canonicalizer on func @main");
  EXPECT_EQ(read("// -----// IR Dump After FooPass: foo-bar //----- //"), "after [foo-bar] FooPass");
}

TEST(DumpHeader, NamespacesAndTemplates) {
  EXPECT_EQ(read("// -----// IR Dump After mlir::iree_compiler::(anonymous namespace)::MaterializePass "
                 "(iree-materialize) //----- //"),
            "after [iree-materialize] MaterializePass");
  EXPECT_EQ(read("// -----// IR Dump After (anonymous namespace)::TestPass //----- //"), "after [] TestPass");
  EXPECT_EQ(read("// -----// IR Dump After Convert<a::B, c::D> (convert) //----- //"),
            "after [convert] Convert<a::B, c::D>");
}

TEST(DumpHeader, OfLlvm) {
  EXPECT_EQ(read("*** IR Dump After SimplifyCFGPass on main ***"), "after [] SimplifyCFGPass @main");
  EXPECT_EQ(read("; *** IR Dump Before VerifierPass on [module] ***"), "before [] VerifierPass");
  EXPECT_EQ(read("*** IR Dump After SROAPass on f omitted because no change ***"), "after [] SROAPass @f omitted");
  EXPECT_EQ(read("# *** IR Dump After Finalize ISel (finalize-isel) ***:"), "after [finalize-isel] Finalize ISel");
}

TEST(DumpHeader, WithoutAllOfItsMarks) {
  EXPECT_EQ(read("// -----// IR Dump After CSE (cse)"), "after [cse] CSE");
  EXPECT_EQ(read("compiling... // -----// IR Dump After CSE (cse) //----- //"), "after [cse] CSE");
  EXPECT_EQ(read("// -----// IR Dump Begin After CSE (cse) //----- //"), "after [cse] CSE");
  EXPECT_EQ(read("// -----// IR Dump End //----- //"), "end");
}

TEST(DumpHeader, OtherLinesAreNone) {
  for (const char *line :
       {"", "IR Dump After CSE", "// the IR Dump After CSE shows it", "%0 = \"// IR Dump\"() : () -> ()",
        "// -----// IR Dump //----- //", "// -----// IR Dump Afterwards CSE //----- //",
        "// -----// IR Dump After //----- //", "// -----"})
    EXPECT_EQ(read(line), "none") << line;
}

TEST(DumpHeader, ALogHasAHeaderAtTheStartOfALine) {
  EXPECT_TRUE(isDumpLog("remark: hello\n// -----// IR Dump After CSE (cse) //----- //\nmodule {\n}\n"));
  EXPECT_TRUE(isDumpLog("*** IR Dump After X ***\r\n"));
  EXPECT_FALSE(isDumpLog("// CHECK: // -----// IR Dump After CSE (cse) //----- //\nmodule {\n}\n"));
  EXPECT_FALSE(isDumpLog("// AFTER-NEXT: -----// IR Dump After{{.*}}CSE\n"));
  EXPECT_FALSE(isDumpLog(""));
  EXPECT_FALSE(isDumpLog("IR Dump "));
}

} // namespace
} // namespace fuselage::test
