#include "tests/bench/Inputs.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::bench {

/// A StableHLO function: attention and a feed-forward layer, about 20 ops.
static unsigned printStableHlo(llvm::raw_ostream &os, unsigned n) {
  unsigned d = 64 + n % 7 * 32;
  std::string x = "tensor<8x" + std::to_string(d) + "xf32>",
              w = "tensor<" + std::to_string(d) + "x" + std::to_string(d) + "xf32>";
  std::string s = "tensor<8x8xf32>";
  os << "func.func @hlo_" << n << "(%arg0: " << x << ", %arg1: " << w << " {mhlo.sharding = \"{replicated}\"}) -> " << x
     << " {\n"
     << "  %cst = stablehlo.constant dense<" << n % 13 << ".5> : tensor<f32>\n"
     << "  %zero = stablehlo.constant dense<0.0> : " << x << "\n";
  for (unsigned i = 0; i < 3; ++i)
    os << "  %p" << i
       << " = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (" << x
       << ", " << w << ") -> " << x << "\n"
       << "  %b" << i << " = stablehlo.add %p" << i << ", %zero : " << x << "\n"
       << "  %m" << i << " = stablehlo.maximum %b" << i << ", %zero : " << x << "\n";
  os << "  %t = stablehlo.transpose %m1, dims = [1, 0] : (" << x << ") -> tensor<" << d << "x8xf32>\n"
     << "  %q = stablehlo.dot_general %m0, %t, contracting_dims = [1] x [0] : (" << x << ", tensor<" << d
     << "x8xf32>) -> " << s << "\n"
     << "  %r = stablehlo.reduce(%q init: %cst) applies stablehlo.maximum across dimensions = [1] : (" << s
     << ", tensor<f32>) -> tensor<8xf32>\n"
     << "  %br = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<8xf32>) -> " << s << "\n"
     << "  %sub = stablehlo.subtract %q, %br : " << s << "\n"
     << "  %e = stablehlo.exponential %sub : " << s << "\n"
     << "  %g = \"stablehlo.gather\"(%e, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], "
        "index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : ("
     << s << ", tensor<8xf32>) -> " << s << "\n"
     << "  %o = stablehlo.dot_general %g, %m2, contracting_dims = [1] x [0] : (" << s << ", " << x << ") -> " << x
     << "\n"
     << "  return %o : " << x << "\n}\n";
  return 21;
}

/// A util.func with two inline dispatches, tile loads and stores.
static unsigned printIree(llvm::raw_ostream &os, unsigned n) {
  unsigned d = 128 + n % 5 * 64;
  std::string x = "tensor<" + std::to_string(d) + "x768xf32>";
  os << "util.func public @iree_" << n
     << "(%arg0: !hal.buffer_view, %arg1: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub} {\n"
     << "  %c0 = arith.constant 0 : index\n  %c" << d << " = arith.constant " << d << " : index\n"
     << "  %in = hal.tensor.import wait(%arg1) => %arg0 \"input" << n << "\" : !hal.buffer_view -> " << x << "\n";
  for (unsigned i = 0; i < 2; ++i)
    os << "  %d" << i << " = flow.dispatch.workgroups[%c" << d << ", %c0](%" << (i ? "d0" : "in") << ", %c" << d
       << ") : (" << x << ", index) -> " << x << " =\n"
       << "      (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:" << x
       << ">, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:" << x << ">) {\n"
       << "    %id = flow.dispatch.workgroup.id[" << i << "] : index\n"
       << "    %l = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [%id, 0], sizes = [1, 768], strides = [1, 1] "
          ": !iree_tensor_ext.dispatch.tensor<readonly:"
       << x << "> -> tensor<1x768xf32>\n"
       << "    %s = iree_linalg_ext.softmax {lowering_config = #iree_codegen.lowering_config<tile_sizes = [[1, 0], [0, "
       << 32 << "]]>} dimension(1) ins(%l : tensor<1x768xf32>) outs(%l : tensor<1x768xf32>) -> tensor<1x768xf32>\n"
       << "    iree_tensor_ext.dispatch.tensor.store %s, %arg4, offsets = [%id, 0], sizes = [1, 768], strides = [1, 1] "
          ": tensor<1x768xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:"
       << x << ">\n"
       << "    flow.return\n  } count(%w: index, %v: index) -> (index, index, index) {\n"
       << "    %a, %b, %c = iree_tensor_ext.dispatch.workgroup_count_from_slice(%w, %v)\n    flow.return %a, %b, %c : "
          "index, index, index\n  }\n";
  os << "  %2 = flow.dispatch @ex_" << n << "::@entry_" << n
     << "(%d1, %c0) {stream.affinity = #hal.device.promise<@device>} : (" << x << ", index) -> " << x << "\n"
     << "  %3 = hal.tensor.export %2 \"output0\" : " << x << " -> !hal.buffer_view\n"
     << "  util.return %3 : !hal.buffer_view\n}\n";
  return 22;
}

/// A kernel of an accelerator that nobody has heard of.
static unsigned printOwn(llvm::raw_ostream &os, unsigned n) {
  std::string t = "!npu.tile<" + std::to_string(8 << n % 4) + "x16xbf16, #npu.space<sram>>";
  os << "npu.kernel @kernel_" << n << "(%a: " << t << ", %b: " << t << ", %n: index) attributes {npu.cores = " << n % 8
     << " : i32} {\n"
     << "  %tok = npu.dma.start %a[%n, 0] to %b[0, %n] channel(" << n % 16
     << ") {burst = 64 : i64, mode = \"streaming\"} : " << t << ", " << t << " -> !npu.token\n"
     << "  npu.wait %tok : !npu.token\n"
     << "  %acc = npu.loop %i = 0 to %n step 4 iter_args(%x = %a) -> (" << t << ") {\n";
  for (unsigned i = 0; i < 8; ++i)
    os << "    %m" << i << " = npu.mma %" << (i ? "m" + std::to_string(i - 1) : "x")
       << ", %b shape <m = 8, n = 16, k = " << 8 * i + 8 << "> {transpose_b} : " << t << " * " << t << " -> " << t
       << "\n";
  os << "    npu.yield %m7 : " << t << "\n  }\n  npu.return %acc : " << t << "\n}\n";
  return 14;
}

std::string foreignModule(unsigned ops) {
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned written = 0;
  for (unsigned n = 0; written < ops; ++n)
    written += printStableHlo(os, n) + printIree(os, n) + printOwn(os, n);
  return text;
}

} // namespace fuselage::bench
