// What all passes that unlock fusion promise: ops inside of dispatches stay as they are, and so does what has
// nothing to do with them, however well it would fold.
#include "core/dialects/flow/Flow.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace fuselage;
using namespace mlir;

namespace {

/// Marks the ops that are to stay; the rest of the function is there for the pass to work on.
constexpr const char *kStays = "stays";

/// A dispatch full of what the passes look for outside of dispatches, ops that fold, and ops that nobody reads.
constexpr const char *kSurroundings = R"(
  %c2 = arith.constant {stays} 2 : index
  %zero = arith.constant 0.0 : f32
  %four = arith.addi %c2, %c2 {stays} : index
  %size = tensor.dim {stays} %a, %c2x : tensor<8x8xf32>
  %same = tensor.cast %a {stays} : tensor<8x8xf32> to tensor<8x8xf32>
  %unread = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] {stays} : tensor<8x8xf32> to tensor<4x4xf32>
  %picked = arith.select %true, %four, %size {stays} : index
  %e = tensor.empty() : tensor<8x8xf32>
  %e3 = tensor.empty() : tensor<4x2x8xf32>
  %eu = tensor.empty() : tensor<1x8x8xf32>
  %er = tensor.empty() : tensor<8xf32>
  %formed = flow.dispatch.region -> (tensor<8x8xf32>) {
    %ie = tensor.empty() : tensor<8x8xf32>
    %iu = tensor.empty() : tensor<1x8x8xf32>
    %iz = arith.constant 0.0 : f32
    %in_w = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 8, 8] : tensor<8x8xf32> into tensor<1x8x8xf32>
    %in_x = linalg.exp ins(%in_w : tensor<1x8x8xf32>) outs(%iu : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
    %in_p = linalg.batch_matmul ins(%in_x, %u : tensor<1x8x8xf32>, tensor<1x8x8xf32>) outs(%iu : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
    %in_n = tensor.extract_slice %in_p[0, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<1x8x8xf32> to tensor<1x8x8xf32>
    %in_q = tensor.collapse_shape %in_n [[0, 1], [2]] : tensor<1x8x8xf32> into tensor<8x8xf32>
    %in_t = linalg.transpose ins(%in_q : tensor<8x8xf32>) outs(%ie : tensor<8x8xf32>) permutation = [1, 0]
    %in_f = linalg.fill ins(%iz : f32) outs(%ie : tensor<8x8xf32>) -> tensor<8x8xf32>
    %in_m = linalg.matmul ins(%a, %in_t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%in_f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %in_s = tensor.expand_shape %in_m [[0, 1], [2]] output_shape [4, 2, 8] : tensor<8x8xf32> into tensor<4x2x8xf32>
    %i3 = tensor.empty() : tensor<4x2x8xf32>
    %in_g = linalg.negf ins(%in_s : tensor<4x2x8xf32>) outs(%i3 : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
    %in_h = tensor.collapse_shape %in_g [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
    %in_l = linalg.negf ins(%in_h : tensor<8x8xf32>) outs(%ie : tensor<8x8xf32>) -> tensor<8x8xf32>
    %dead = linalg.exp ins(%in_l : tensor<8x8xf32>) outs(%ie : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %in_l : tensor<8x8xf32>
  }
)";

struct ContractCase {
  const char *pass;
  const char *work; ///< gives %out what `type` says
  const char *type = "tensor<8x8xf32>";
};

constexpr const char *kExpOfA = R"(
  %out = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kExpOfUnits = R"(
  %out = linalg.exp ins(%u : tensor<1x8x8xf32>) outs(%eu : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>)";
constexpr const char *kBatchOfOne = R"(
  %f = linalg.fill ins(%zero : f32) outs(%eu : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %out = linalg.batch_matmul ins(%u, %u : tensor<1x8x8xf32>, tensor<1x8x8xf32>) outs(%f : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>)";
constexpr const char *kGenericExp = R"(
  %out = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>)";
constexpr const char *kProductOfTransposed = R"(
  %t = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %out = linalg.matmul ins(%a, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kProductOfBroadcast = R"(
  %eb = tensor.empty() : tensor<4x8x8xf32>
  %w = linalg.broadcast ins(%b : tensor<8x8xf32>) outs(%eb : tensor<4x8x8xf32>) dimensions = [0]
  %f = linalg.fill ins(%zero : f32) outs(%eb : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %out = linalg.batch_matmul ins(%q, %w : tensor<4x8x8xf32>, tensor<4x8x8xf32>) outs(%f : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>)";
constexpr const char *kSplitBetween = R"(
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 2, 8] : tensor<8x8xf32> into tensor<4x2x8xf32>
  %out = linalg.negf ins(%s : tensor<4x2x8xf32>) outs(%e3 : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>)";
constexpr const char *kMergeBetween = R"(
  %x = linalg.exp ins(%r : tensor<4x2x8xf32>) outs(%e3 : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  %s = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %out = linalg.negf ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kOuterReduction = R"(
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                         iterator_types = ["reduction", "parallel"]} ins(%a : tensor<8x8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>)";
constexpr const char *kChain = R"(
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %out = linalg.negf ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kTwoReaders = R"(
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.negf ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = linalg.log ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %out = linalg.matmul ins(%y, %z : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kSplitBehindProduct = R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 2, 8] : tensor<8x8xf32> into tensor<4x2x8xf32>
  %out = linalg.negf ins(%s : tensor<4x2x8xf32>) outs(%e3 : tensor<4x2x8xf32>) -> tensor<4x2x8xf32>)";
constexpr const char *kRowsTwice = R"(
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.reduce ins(%a : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1] (%x: f32, %o: f32) {
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  }
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %y = arith.subf %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %out = linalg.reduce ins(%g : tensor<8x8xf32>) outs(%f : tensor<8xf32>) dimensions = [1] (%x: f32, %o: f32) {
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  })";
constexpr const char *kTwoProducts = R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%a, %d : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %out = linalg.add ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kAttention = R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %out = linalg.matmul ins(%p, %d : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>)";

constexpr const char *kUnreadResult = R"(
  %row = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %both:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x8xf32>) outs(%f, %f : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %s: f32, %t: f32):
    %y = arith.addf %x, %s : f32
    %z = arith.mulf %x, %t : f32
    linalg.yield %y, %z : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %out = linalg.exp ins(%both#0 : tensor<8xf32>) outs(%row : tensor<8xf32>) -> tensor<8xf32>)";
constexpr const char *kExpOfTwo = R"(
  %x = tensor.concat dim(0) %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %w = tensor.empty() : tensor<16x8xf32>
  %out = linalg.exp ins(%x : tensor<16x8xf32>) outs(%w : tensor<16x8xf32>) -> tensor<16x8xf32>)";
constexpr const char *kElementsOfPadded = R"(
  %p = tensor.pad %a low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<9x8xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %p[%j, %i] : tensor<9x8xf32>
    linalg.yield %v : f32
  } -> tensor<8x8xf32>)";
constexpr const char *kPackedExp = R"(
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %w = tensor.empty() : tensor<2x2x4x4xf32>
  %out = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %w : tensor<8x8xf32> -> tensor<2x2x4x4xf32>)";
constexpr const char *kExpAndSum = R"(
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %both:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                            iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x8xf32>) outs(%e, %f : tensor<8x8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32, %s: f32):
    %y = math.exp %x : f32
    %z = arith.addf %y, %s : f32
    linalg.yield %y, %z : f32, f32
  } -> (tensor<8x8xf32>, tensor<8xf32>)
  %out = linalg.reduce ins(%both#0 : tensor<8x8xf32>) outs(%both#1 : tensor<8xf32>) dimensions = [1] (%x: f32, %o: f32) {
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  })";
constexpr const char *kComputedReshape = R"(
  %n4 = arith.constant 4 : index
  %n2 = arith.constant 2 : index
  %n8 = arith.constant 8 : index
  %sizes = tensor.from_elements %n4, %n2, %n8 : tensor<3xindex>
  %out = tensor.reshape %a(%sizes) : (tensor<8x8xf32>, tensor<3xindex>) -> tensor<4x2x8xf32>)";
constexpr const char *kTwoOfOne = R"(
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.negf ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %out = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kSoftmax = R"(
  %out = linalg.softmax dimension(1) ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>)";

constexpr const char *kLoopOfRows = R"(
  %l = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x8xf32>) {
    %s = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %t = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %x = linalg.exp ins(%s : tensor<1x8xf32>) outs(%t : tensor<1x8xf32>) -> tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    }
  }
  %out = linalg.negf ins(%l : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>)";
constexpr const char *kProductAndSum = R"(
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<8x8xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>)";

const ContractCase cases[] = {
    {"fuselage-fuse-into-loops", kLoopOfRows},
    {"fuselage-fuse-tiles", kProductAndSum, "tensor<8xf32>"},
    {"fuselage-decompose-softmax", kSoftmax},
    {"fuselage-drop-unused-results", kUnreadResult, "tensor<8xf32>"},
    {"fuselage-split-reduction", kExpAndSum, "tensor<8xf32>"},
    {"fuselage-resolve-shapes", kComputedReshape, "tensor<4x2x8xf32>"},
    {"fuselage-fuse-siblings", kTwoOfOne},
    {"fuselage-absorb-concat", kExpOfTwo, "tensor<16x8xf32>"},
    {"fuselage-absorb-pad", kElementsOfPadded},
    {"fuselage-fuse-packing", kPackedExp, "tensor<2x2x4x4xf32>"},
    {"fuselage-fold-unit-dims", kExpOfUnits, "tensor<1x8x8xf32>"},
    {"fuselage-batch-matmul-to-matmul", kBatchOfOne, "tensor<1x8x8xf32>"},
    {"fuselage-generalize", kExpOfA},
    {"fuselage-specialize", kGenericExp},
    {"fuselage-absorb-transpose", kProductOfTransposed},
    {"fuselage-absorb-broadcast", kProductOfBroadcast, "tensor<4x8x8xf32>"},
    {"fuselage-bubble-reshape-up", kSplitBetween, "tensor<4x2x8xf32>"},
    {"fuselage-bubble-reshape-up{by-collapsing=true}", kMergeBetween},
    {"fuselage-bubble-reshape-down", kMergeBetween},
    {"fuselage-bubble-reshape-down{by-collapsing=true}", kSplitBetween, "tensor<4x2x8xf32>"},
    {"fuselage-interchange-reduction", kOuterReduction, "tensor<8xf32>"},
    {"fuselage-fuse-elementwise", kChain},
    {"fuselage-fuse-multi-use", kTwoReaders},
    {"fuselage-fuse-multi-use{max-duplicated=0}", kTwoReaders},
    {"fuselage-fuse-epilogue", kSplitBehindProduct, "tensor<4x2x8xf32>"},
    {"fuselage-fuse-reduction", kRowsTwice, "tensor<8xf32>"},
    {"fuselage-fuse-horizontal", kTwoProducts},
    {"fuselage-fuse-attention", kAttention},
};

void PrintTo(const ContractCase &contract, std::ostream *out) { *out << contract.pass; }

/// An op and all in it: names, attributes, types, and which ops its operands come from.
std::string structureOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    os << inner->getName() << inner->getAttrDictionary();
    for (Value operand : inner->getOperands())
      os << ' ' << operand.getType() << " of "
         << (operand.getDefiningOp() ? operand.getDefiningOp()->getName().getStringRef() : "a block");
    os << '\n';
  });
  return text;
}

std::vector<std::string> whatStays(ModuleOp module) {
  std::vector<std::string> ops;
  module.walk([&](Operation *op) {
    if (op->hasAttr(kStays))
      ops.push_back(structureOf(op));
  });
  return ops;
}

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

class UnlockContract : public testing::TestWithParam<ContractCase> {};

TEST_P(UnlockContract, DispatchesAndWhatIsUnrelatedStay) {
  const auto &[pass, work, type] = GetParam();
  std::string source =
      std::string("func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8x8xf32>, "
                  "%u: tensor<1x8x8xf32>, %r: tensor<4x2x8xf32>, %q: tensor<4x8x8xf32>) -> (tensor<8x8xf32>, "
                  "tensor<8x8xf32>, index, ") +
      type + ") {\n  %c2x = arith.constant {stays} 1 : index\n  %true = arith.constant {stays} true\n" + kSurroundings +
      work + "\n  return %formed, %same, %picked, %out : tensor<8x8xf32>, tensor<8x8xf32>, index, " + type + "\n}\n";
  Session session(allDialects());
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &session.context());
  ASSERT_TRUE(module) << source;
  module->walk([](flow::DispatchRegionOp region) { region->setAttr(kStays, UnitAttr::get(region.getContext())); });
  std::vector<std::string> before = whatStays(*module);
  ASSERT_EQ(before.size(), 9u);
  std::string text = printed(*module);
  llvm::Error error = runPipeline(*module, std::string("builtin.module(func.func(") + pass + "))");
  ASSERT_FALSE(error) << llvm::toString(std::move(error));
  EXPECT_NE(printed(*module), text) << "the pass had nothing to do";
  EXPECT_EQ(whatStays(*module), before) << printed(*module);
}

std::string nameOf(const testing::TestParamInfo<ContractCase> &info) {
  std::string name = llvm::StringRef(info.param.pass).drop_front(llvm::StringRef("fuselage-").size()).str();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, UnlockContract, testing::ValuesIn(cases), nameOf);

TEST(UnlockContract, CoversAllUnlockPasses) {
  std::set<std::string> declared, tried;
  for (const char *path : {"/core/transforms/unlock/Passes.td", "/core/transforms/attention/Passes.td"}) {
    auto file = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR + std::string(path));
    ASSERT_TRUE(bool(file)) << path;
    llvm::StringRef text = (*file)->getBuffer(), start = "Pass<\"";
    for (size_t at = text.find(start); at != llvm::StringRef::npos; at = text.find(start, at + 1))
      declared.insert(text.substr(at + start.size()).split('"').first.str());
  }
  declared.erase("fuselage-tile-attention");  // of kernels: it makes no fusion possible
  declared.erase("fuselage-fuse-dispatches"); // merges what is formed
  for (const ContractCase &contract : cases)
    tried.insert(llvm::StringRef(contract.pass).split('{').first.str());
  EXPECT_EQ(tried, declared);
}

} // namespace
