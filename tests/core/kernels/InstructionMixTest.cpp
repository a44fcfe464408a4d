#include "core/kernels/InstructionMix.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

constexpr const char *ptx = R"(
.visible .entry other(
	.param .u64 a
)
{
	fma.rn.f32 	%f1, %f2, %f3, %f4;
	ret;

}
.visible .entry mine(
	.param .u64 a
)
{
	.reg .f32 	%f<9>;
	ld.param.u64 	%rd1, [a];
	ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1];
$L__BB0_1:
	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [%r1];
	ld.shared.f32 	%f5, [%r2];
	fma.rn.f32 	%f6, %f1, %f5, %f6;
	fma.rn.f32 	%f7, %f2, %f5, %f7;
	add.s32 	%r1, %r1, 16;
	setp.lt.s32 	%p1, %r1, 64;
	@%p1 bra 	$L__BB0_1;
	bar.sync 	0;
	st.global.b16 	[%rd1], %rs1;
	mul.rn.f32 	%f8, %f6, %f7;
	ret;

}
)";

} // namespace

TEST(InstructionMix, OfPtxCountsTheEntryAlone) {
  InstructionMix mix = countPtx(ptx, "mine");
  EXPECT_EQ(mix.counts["fma"], 2u);
  EXPECT_EQ(mix.counts["mul"], 1u);
  EXPECT_EQ(mix.counts["load global 16 B"], 1u);
  EXPECT_EQ(mix.counts["load workgroup 16 B"], 1u);
  EXPECT_EQ(mix.counts["load workgroup 4 B"], 1u);
  EXPECT_EQ(mix.counts["store global 2 B"], 1u);
  EXPECT_EQ(mix.counts["barrier"], 1u);
  EXPECT_EQ(mix.counts["branch"], 2u);
  EXPECT_EQ(mix.counts["integer"], 1u);
  EXPECT_EQ(mix.counts["compare"], 1u);
  EXPECT_EQ(countPtx(ptx, "other").total(), 2u);
  EXPECT_EQ(countPtx(ptx, "nobody").total(), 0u);
}

TEST(InstructionMix, OfPtxKnowsTheInnermostLoop) {
  InstructionMix mix = countPtx(ptx, "mine");
  EXPECT_EQ(mix.loopFmas, 2u);
  EXPECT_EQ(mix.loopSharedBytes, 20u);
  EXPECT_EQ(countPtx(ptx, "other").loopFmas, 0u);
}

TEST(InstructionMix, OfPtxKnowsTheLoopOfMatrixInstructions) {
  InstructionMix mix = countPtx(R"(
.visible .entry mine()
{
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%rd5];
$L__BB0_1:
$L__BB0_2:
	add.s32 	%r1, %r1, 16;
	@%p1 bra 	$L__BB0_2;
	cp.async.wait_group 1;
	@%p2 bra 	$L__BB0_4;
	cp.async.cg.shared.global [%rd1], [%rd2], 16;
$L__BB0_4:
	cp.async.commit_group;
	ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%rd5];
	ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%rd5];
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
		{%f1, %f2, %f3, %f4},
		{%r1, %r2, %r3, %r4},
		{%r1, %r2},
		{%f1, %f2, %f3, %f4};
	@%p1 bra 	$L__BB0_4;
	fma.rn.f32 	%f7, %f2, %f5, %f7;
	ret;

}
)",
                                "mine");
  EXPECT_EQ(mix.counts["mma.sync m16n8k16"], 1u);
  EXPECT_EQ(mix.counts["ldmatrix"], 3u);
  EXPECT_EQ(mix.counts["asynchronous copy 16 B"], 1u);
  EXPECT_EQ(mix.matrixLoop.matrices, 1u);
  EXPECT_EQ(mix.matrixLoop.matrixReads, 2u);
  EXPECT_EQ(mix.matrixLoop.sharedBytes, 24u);
  EXPECT_EQ(mix.matrixLoop.elementwise, 0u);
}

TEST(InstructionMix, NothingIsReadOutOfBrokenText) {
  for (const char *broken :
       {"", ".entry ", ".entry x(\n{\n", ".entry x()\n{\n@%p1 bra\n}\n", ".entry x()\n{\n.\nld\n:\n}\n"})
    EXPECT_LE(countPtx(broken, "x").total(), 2u) << broken;
}

TEST(InstructionMix, OfSpirvTakesAProductForASumAsOne) {
  Session session(allDialects());
  auto module = llvm::cantFail(session.parse(R"(
spirv.module @m Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []> {
  spirv.GlobalVariable @shared : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
  spirv.func @k(%a: f32, %b: f32) "None" {
    %c = spirv.FMul %a, %b : f32
    %d = spirv.FAdd %c, %a : f32
    %e = spirv.FMul %d, %d : f32
    %zero = spirv.Constant 0 : i32
    %variable = spirv.mlir.addressof @shared : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
    %pointer = spirv.AccessChain %variable[%zero] : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>, i32 -> !spirv.ptr<f32, Workgroup>
    spirv.Store "Workgroup" %pointer, %e : f32
    spirv.Return
  }
})",
                                             "kernel.mlir"));
  auto spirv = *module->getOps<mlir::spirv::ModuleOp>().begin();
  InstructionMix mix = countSpirv(spirv);
  EXPECT_EQ(mix.counts["fma"], 1u);
  EXPECT_EQ(mix.counts["mul"], 1u);
  EXPECT_EQ(mix.counts.count("add"), 0u);
  EXPECT_EQ(mix.counts["store workgroup 4 B"], 1u);
}
