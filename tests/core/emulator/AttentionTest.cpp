// Attention in one kernel, with its tiles in registers or in memory, on the emulator.
#include "core/codegen/Targets.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/kernels/KernelCheck.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

struct Shape {
  std::string type; ///< of queries, keys, values and probabilities; sums are f32
  int64_t heads, queries, keys, depth, columns;
  bool keysInRows, isCausal;
};

std::string tensor(std::initializer_list<int64_t> sizes, llvm::StringRef type) {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + type.str() + ">";
}

/// softmax(scale * q k + mask) v, of rows or columns of keys, with what PyTorch exports make
/// between.
std::string attention(const Shape &shape) {
  const std::string &t = shape.type;
  bool isNarrow = t != "f32";
  std::string q = tensor({shape.heads, shape.queries, shape.depth}, t),
              v = tensor({shape.heads, shape.keys, shape.columns}, t);
  std::string k = shape.keysInRows ? tensor({shape.heads, shape.keys, shape.depth}, t)
                                   : tensor({shape.heads, shape.depth, shape.keys}, t);
  std::string s = tensor({shape.heads, shape.queries, shape.keys}, "f32"),
              p = tensor({shape.heads, shape.queries, shape.keys}, t);
  std::string o = tensor({shape.heads, shape.queries, shape.columns}, "f32");
  std::string multiply = isNarrow ? llvm::formatv("%x = arith.extf %a : {0} to f32\n%y = arith.extf %b "
                                                  ": {0} to f32\n%z = arith.mulf %x, %y : f32\n",
                                                  t)
                                        .str()
                                  : "%z = arith.mulf %a, %b : f32\n";
  std::string product = llvm::formatv(R"(^bb0(%a: {0}, %b: {0}, %c: f32):
    {1} %sum = arith.addf %c, %z : f32
    linalg.yield %sum : f32)",
                                      t, multiply);
  std::string mask = shape.isCausal ? R"(%i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %seen = arith.cmpi sle, %j, %i : index
    %never = arith.constant 0xFF800000 : f32
    %l = arith.select %seen, %x, %never : f32)"
                                    : "%l = arith.addf %x, %m : f32";
  std::string narrow = !isNarrow ? ""
                                 : llvm::formatv(R"(%pe = tensor.empty() : {0}
  %w = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : {1}) outs(%pe : {0}) {{
  ^bb0(%a: f32, %b: {2}):
    %x = arith.truncf %a : f32 to {2}
    linalg.yield %x : {2}
  } -> {0})",
                                                 p, s, t)
                                       .str();
  return llvm::formatv(R"(
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> {0}>
#v = affine_map<(b, i, j, k) -> (b, k, j)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @attention(%q: {1}, %k: {2}, %v: {3}, %mask: {4}) -> {5} {{
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %es = tensor.empty() : {4}
  %fs = linalg.fill ins(%zero : f32) outs(%es : {4}) -> {4}
  %s = linalg.generic {{indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : {1}, {2}) outs(%fs : {4}) {{
  {6}
  } -> {4}
  %l = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %mask : {4}, {4}) outs(%es : {4}) {{
  ^bb0(%a: f32, %m: f32, %c: f32):
    %x = arith.mulf %a, %scale : f32
    {7}
    linalg.yield %l : f32
  } -> {4}
  %p = linalg.softmax dimension(2) ins(%l : {4}) outs(%es : {4}) -> {4}
  {8}
  %eo = tensor.empty() : {5}
  %fo = linalg.fill ins(%zero : f32) outs(%eo : {5}) -> {5}
  %o = linalg.generic {{indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%{9}, %v : {10}, {3}) outs(%fo : {5}) {{
  {6}
  } -> {5}
  return %o : {5}
}
)",
                       shape.keysInRows ? "(b, j, k)" : "(b, k, j)", q, k, v, s, o, product, mask, narrow,
                       isNarrow ? "w" : "p", p);
}

/// Fuses it, and runs its kernel for a device on the emulator.
void expectOk(const Shape &shape, llvm::StringRef device) {
  SCOPED_TRACE(llvm::formatv("{0}: {1} heads, {2} queries, {3} keys, {4} deep, {5} columns{6}{7}, {8}", shape.type,
                             shape.heads, shape.queries, shape.keys, shape.depth, shape.columns,
                             shape.keysInRows ? ", keys in rows" : "", shape.isCausal ? ", causal" : "", device)
                   .str());
  Session session(allDialects());
  auto module = session.parse(attention(shape), "attention.mlir");
  ASSERT_TRUE(bool(module)) << takeFailure(module.takeError()).message;
  auto fused = runPipeline(**module, "builtin.module(func.func(fuselage-decompose-softmax,cse,fuselage-fuse-"
                                     "elementwise,fuselage-fuse-attention,canonicalize))");
  ASSERT_FALSE(bool(fused)) << takeFailure(std::move(fused)).message;
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(**module, "attention", {}, remarks);
  ASSERT_TRUE(bool(program)) << takeFailure(program.takeError()).message;
  ASSERT_EQ(program->dispatches.size(), 1u);
  KernelCodeOptions code;
  code.setTarget(llvm::cantFail(targetByNameOrDevice("", FUSELAGE_SOURCE_DIR "/resources/devices/" + device.str())));
  auto check = checkKernels(*program, program->dispatches.front(), {.code = code});
  ASSERT_TRUE(bool(check)) << takeFailure(check.takeError()).message;
  EXPECT_TRUE(check->ok) << formatKernelCheck(*check);
  EXPECT_GT(check->compared, 0);
}

TEST(EmulatedAttention, HeadsAndSequencesOfModels) {
  for (const char *type : {"f16", "bf16", "f32"})
    for (auto [depth, queries, keys] :
         {std::tuple(64, 128, 128), {128, 64, 96}, {80, 70, 197}, {40, 197, 77}, {64, 1, 128}, {16, 40, 16}}) {
      expectOk({type, 2, queries, keys, depth, depth, true, false}, "a100.json");
      expectOk({type, 2, queries, keys, depth, depth, false, true}, "rtx4090.json");
    }
}

/// Heads that leave no room for a second workgroup, or for all results of wide tiles.
TEST(EmulatedAttention, WideHeads) {
  for (auto [type, depth] : {std::pair("f16", 160), {"bf16", 256}, {"f32", 160}, {"f32", 256}}) {
    expectOk({type, 1, 80, 70, depth, depth, true, false}, "rtx4090.json");
    expectOk({type, 1, 64, 64, depth, depth, true, true}, "h100.json");
  }
}

TEST(EmulatedAttention, AnyShape) {
  std::mt19937 random(11);
  for (int round = 0; round < 12; ++round) {
    auto upTo = [&](int64_t most) { return int64_t(random() % most + 1); };
    Shape shape{round % 3 == 0 ? "f32"
                : round % 2    ? "f16"
                               : "bf16",
                upTo(3),
                upTo(150),
                upTo(150),
                8 * upTo(12),
                8 * upTo(12),
                random() % 2 == 0,
                random() % 2 == 0};
    expectOk(shape, round % 3 ? "h100.json" : "rtx4090.json");
  }
}

} // namespace
