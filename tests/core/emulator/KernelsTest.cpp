// What code generation makes, on the emulator: the corpus, contractions of any shape, and kernels with defects put into
// them.
#include "core/codegen/Targets.h"
#include "core/emulator/Emulator.h"
#include "core/ir/Session.h"
#include "core/kernels/CapturedForms.h"
#include "core/kernels/KernelCheck.h"
#include "core/registration/Registration.h"
#include "core/run/values/RandomInputs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;

namespace {

std::string place(llvm::StringRef path) { return (FUSELAGE_SOURCE_DIR "/" + path).str(); }

std::string describe(const message::KernelCheck<> &check) { return formatKernelCheck(check); }

/// Runs each of the `dispatches` dispatches that a function of `module` has on the emulated device, and expects no
/// finding and the host's results. Fails if the function has another number of dispatches, none, or one that cannot be
/// compiled or emulated.
void expectOk(mlir::ModuleOp module, llvm::StringRef function, const KernelCodeOptions &code, size_t dispatches = 1) {
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(module, function, {}, remarks);
  ASSERT_TRUE(bool(program)) << takeFailure(program.takeError()).message;
  ASSERT_GT(dispatches, 0u);
  EXPECT_EQ(program->dispatches.size(), dispatches);
  for (mlir::func::FuncOp dispatch : program->dispatches) {
    auto check = checkKernels(*program, dispatch, {.code = code});
    ASSERT_TRUE(bool(check)) << takeFailure(check.takeError()).message;
    EXPECT_TRUE(check->ok) << describe(*check);
    bool showsNothing =
        llvm::any_of(check->notes, [](llvm::StringRef note) { return note.contains("is not comparable"); });
    EXPECT_TRUE(check->compared > 0 || showsNothing) << describe(*check);
  }
}

/// Dispatches of a function of the corpus.
size_t dispatchesOf(llvm::StringRef function) {
  return llvm::is_contained({"layernorm", "collapse_of_slice"}, function) ? 2 : 1;
}

KernelCodeOptions forDevice(llvm::StringRef file) {
  KernelCodeOptions code;
  code.setTarget(llvm::cantFail(targetByNameOrDevice("", place(("resources/devices/" + file).str()))));
  return code;
}

std::string contraction(int64_t m, int64_t n, int64_t k, llvm::StringRef operand = "f32", llvm::StringRef sum = "f32",
                        llvm::StringRef zero = "0.0") {
  return llvm::formatv(R"(
func.func @mm(%a: tensor<{0}x{2}x{3}>, %b: tensor<{2}x{1}x{3}>) -> tensor<{0}x{1}x{4}> {{
  %zero = arith.constant {5} : {4}
  %empty = tensor.empty() : tensor<{0}x{1}x{4}>
  %fill = linalg.fill ins(%zero : {4}) outs(%empty : tensor<{0}x{1}x{4}>) -> tensor<{0}x{1}x{4}>
  %mm = linalg.matmul ins(%a, %b : tensor<{0}x{2}x{3}>, tensor<{2}x{1}x{3}>) outs(%fill : tensor<{0}x{1}x{4}>) -> tensor<{0}x{1}x{4}>
  return %mm : tensor<{0}x{1}x{4}>
}
)",
                       m, n, k, operand, sum, zero);
}

/// A mapped contraction that defects are put into.
class Defects : public testing::Test {
protected:
  void SetUp() override {
    module = llvm::cantFail(session.parse(contraction(48, 80, 96), "mm.mlir"));
    std::vector<Diagnostic> remarks;
    program = std::make_unique<RunProgram>(llvm::cantFail(formKernelProgram(*module, "mm", {}, remarks)));
    llvm::cantFail(compileDispatch(program->dispatches.front(), llvm::cantFail(targetByName("ptx")), &forms));
  }
  mlir::func::FuncOp mapped() { return *forms.mapped->getOps<mlir::func::FuncOp>().begin(); }

  emulator::Emulation run() {
    std::vector<HostTensor> values;
    std::vector<emulator::EmulatedArgument> arguments;
    for (auto [number, type] : llvm::enumerate(mapped().getArgumentTypes())) {
      auto buffer = llvm::cast<mlir::MemRefType>(type);
      values.push_back(llvm::cantFail(
          randomTensor(mlir::RankedTensorType::get(buffer.getShape(), buffer.getElementType()), 1, number)));
      arguments.push_back({"", values.back().data(), values.back().byteCount(), number < 2});
    }
    auto done = emulator::emulate(mapped(), arguments, {});
    if (!done) {
      ADD_FAILURE() << takeFailure(done.takeError()).message;
      return {};
    }
    return std::move(*done);
  }
  template <class Op> std::vector<Op> all() {
    std::vector<Op> ops;
    mapped().walk([&](Op op) { ops.push_back(op); });
    return ops;
  }
  static bool has(const emulator::Emulation &emulation, emulator::FindingKind kind) {
    return llvm::any_of(emulation.findings, [&](const emulator::Finding &finding) { return finding.kind == kind; });
  }

  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<RunProgram> program;
  CapturedForms forms;
};

} // namespace

TEST(Emulator, TheCorpusAgreesWithTheHost) {
  std::error_code error;
  std::vector<std::string> files;
  for (llvm::sys::fs::directory_iterator file(place("tests/core/codegen/corpus"), error), end; file != end && !error;
       file.increment(error))
    files.push_back(file->path());
  ASSERT_FALSE(files.empty());
  llvm::sort(files);
  for (const std::string &file : files) {
    Session session(allDialects());
    auto module = llvm::cantFail(session.open(file));
    for (auto function : module->getOps<mlir::func::FuncOp>()) {
      // These return what they got, or make single elements: there is nothing to launch.
      if (function.isPrivate() || llvm::is_contained({"identity", "from_elements", "generate"}, function.getName()))
        continue;
      SCOPED_TRACE(llvm::sys::path::filename(file).str() + " @" + function.getName().str());
      expectOk(*module, function.getName(), {.form = KernelForm::Ptx, .chip = "sm_80"},
               dispatchesOf(function.getName()));
    }
  }
}

/// One of each kind of kernel, for the chips that the corpus is not checked for: what their kernels are made of is the
/// same, but for the stages of copies.
TEST(Emulator, KindsOfKernelsForNewerChips) {
  constexpr std::pair<const char *, const char *> kinds[] = {{"structured", "matmul_bias_relu"},
                                                             {"structured", "matmul_f16"},
                                                             {"structured", "matmul_bf16"},
                                                             {"structured", "matmul_i8"},
                                                             {"structured", "batch_matmul"},
                                                             {"structured", "conv_pad"},
                                                             {"structured", "softmax_op"},
                                                             {"structured", "column_max"},
                                                             {"structured", "argmax"},
                                                             {"structured", "layernorm"},
                                                             {"structured", "transpose2"},
                                                             {"structured", "gather"},
                                                             {"structured", "i4_dequant"},
                                                             {"structured", "cumulative"},
                                                             {"structured", "scatter_forall"},
                                                             {"elementwise_floats", "add_mul_bf16"},
                                                             {"math_f32", "erf_f32"}};
  for (auto [file, name] : kinds) {
    Session session(allDialects());
    auto module = llvm::cantFail(session.open(place("tests/core/codegen/corpus/" + std::string(file) + ".mlir")));
    ASSERT_TRUE(bool(module->lookupSymbol<mlir::func::FuncOp>(name))) << name;
    for (const char *chip : {"sm_90", "sm_120"}) {
      SCOPED_TRACE(std::string(name) + " for " + chip);
      expectOk(*module, name, {.form = KernelForm::Ptx, .chip = chip}, dispatchesOf(name));
    }
  }
}

TEST(Emulator, SamplesForDevices) {
  constexpr std::tuple<const char *, const char *, size_t> cases[] = {{"softmax", "a100.json", 2},
                                                                      {"batch_matmul", "rtx4090.json", 1},
                                                                      {"int4_dequant_matmul_small", "rdna3.json", 1},
                                                                      {"softmax", "lavapipe.json", 2},
                                                                      {"batch_matmul", "lavapipe.json", 1}};
  for (auto [sample, device, dispatches] : cases) {
    Session session(allDialects());
    auto module = llvm::cantFail(session.open(place("samples/" + std::string(sample) + ".mlir")));
    SCOPED_TRACE(std::string(sample) + " for " + device);
    expectOk(*module, "", forDevice(device), dispatches);
  }
}

TEST(Emulator, ContractionsOfAnyShape) {
  std::mt19937 random(7);
  for (int round = 0; round < 6; ++round) {
    auto size = [&] { return int64_t(random() % 150 + 1); };
    int64_t m = size(), n = size(), k = size();
    SCOPED_TRACE(llvm::formatv("{0} x {1} x {2}", m, n, k).str());
    Session session(allDialects());
    auto module = llvm::cantFail(session.parse(contraction(m, n, k), "mm.mlir"));
    expectOk(*module, "mm", {.form = KernelForm::Ptx, .chip = round % 2 ? "sm_90" : "sm_120"});
  }
}

/// The right operand of bytes lies with its columns next to each other: words of four rows are transposed on their way.
TEST(Emulator, BytesWhoseColumnsAreNeighbours) {
  for (auto [m, n, k] : {std::tuple(128, 128, 128), {64, 96, 64}, {197, 256, 96}, {32, 1000, 160}}) {
    SCOPED_TRACE(llvm::formatv("{0} x {1} x {2}", m, n, k).str());
    Session session(allDialects());
    auto module = llvm::cantFail(session.parse(contraction(m, n, k, "i8", "i32", "0"), "mm.mlir"));
    expectOk(*module, "mm", {.form = KernelForm::Ptx, .chip = "sm_80"});
  }
}

TEST(Emulator, DepthsThatWorkgroupsShare) {
  constexpr int64_t sizes[][3] = {{64, 96, 1024}, {33, 50, 2048}, {5, 70, 2560}, {128, 40, 1155}};
  for (auto [m, n, k] : sizes)
    for (const char *device : {"h100.json", "xe.json"}) {
      SCOPED_TRACE(llvm::formatv("{0} x {1} x {2} for {3}", m, n, k, device).str());
      Session session(allDialects());
      auto module = llvm::cantFail(session.parse(contraction(m, n, k), "mm.mlir"));
      std::vector<Diagnostic> remarks;
      auto program = llvm::cantFail(formKernelProgram(*module, "mm", {}, remarks));
      auto compiled = llvm::cantFail(compileDispatch(program.dispatches.front(), *forDevice(device).target));
      EXPECT_EQ(compiled.kernels.size(), 2u);
      expectOk(*module, "mm", forDevice(device));
    }
}

/// A softmax, and a sum of squares after what is elementwise.
std::string rowsOf(int64_t rows, int64_t length, llvm::StringRef type) {
  return llvm::formatv(R"(
func.func @rows(%x: tensor<{0}x{1}x{2}>) -> (tensor<{0}x{1}x{2}>, tensor<{0}x{2}>) {{
  %e = tensor.empty() : tensor<{0}x{1}x{2}>
  %r = tensor.empty() : tensor<{0}x{2}>
  %zero = arith.constant 0.0 : {2}
  %s = linalg.softmax dimension(1) ins(%x : tensor<{0}x{1}x{2}>) outs(%e : tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}x{2}>
  %q = linalg.mul ins(%x, %x : tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>) outs(%e : tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}x{2}>
  %z = linalg.fill ins(%zero : {2}) outs(%r : tensor<{0}x{2}>) -> tensor<{0}x{2}>
  %t = linalg.reduce ins(%q : tensor<{0}x{1}x{2}>) outs(%z : tensor<{0}x{2}>) dimensions = [1] (%a: {2}, %acc: {2}) {{
    %sum = arith.addf %acc, %a : {2}
    linalg.yield %sum : {2}
  }
  return %s, %t : tensor<{0}x{1}x{2}>, tensor<{0}x{2}>
}
)",
                       rows, length, type);
}

TEST(Emulator, RowsOfAnyLength) {
  Session session(allDialects());
  for (llvm::StringRef device : {"h100.json", "rtx4090.json"})
    for (auto [rows, length, type] : {std::tuple(1, 100000, "f32"),
                                      {2, 50001, "f32"},
                                      {4, 65536, "f16"},
                                      {3, 64, "f32"},
                                      {33, 197, "f32"},
                                      {130, 1009, "f32"},
                                      {200, 768, "f16"},
                                      {70, 130, "f32"},
                                      {5, 63, "f32"}}) {
      SCOPED_TRACE(llvm::formatv("{0} rows of {1} {2} for {3}", rows, length, type, device).str());
      auto module = llvm::cantFail(session.parse(rowsOf(rows, length, type), "rows.mlir"));
      expectOk(*module, "rows", forDevice(device), /*dispatches=*/2);
    }
}

/// A sum of columns, after what is elementwise, and a maximum.
std::string columnsOf(int64_t rows, int64_t columns, llvm::StringRef type) {
  return llvm::formatv(R"(
func.func @columns(%x: tensor<{0}x{1}x{2}>) -> (tensor<{1}x{2}>, tensor<{1}x{2}>) {{
  %e = tensor.empty() : tensor<{0}x{1}x{2}>
  %r = tensor.empty() : tensor<{1}x{2}>
  %zero = arith.constant 0.0 : {2}
  %least = arith.constant -60000.0 : {2}
  %q = linalg.mul ins(%x, %x : tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>) outs(%e : tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}x{2}>
  %z = linalg.fill ins(%zero : {2}) outs(%r : tensor<{1}x{2}>) -> tensor<{1}x{2}>
  %t = linalg.reduce ins(%q : tensor<{0}x{1}x{2}>) outs(%z : tensor<{1}x{2}>) dimensions = [0] (%a: {2}, %acc: {2}) {{
    %sum = arith.addf %acc, %a : {2}
    linalg.yield %sum : {2}
  }
  %l = linalg.fill ins(%least : {2}) outs(%r : tensor<{1}x{2}>) -> tensor<{1}x{2}>
  %m = linalg.reduce ins(%x : tensor<{0}x{1}x{2}>) outs(%l : tensor<{1}x{2}>) dimensions = [0] (%a: {2}, %acc: {2}) {{
    %most = arith.maximumf %acc, %a : {2}
    linalg.yield %most : {2}
  }
  return %t, %m : tensor<{1}x{2}>, tensor<{1}x{2}>
}
)",
                       rows, columns, type);
}

/// A sum of columns by a factor that is one number.
std::string scaledColumns() {
  return R"(
func.func @scaled(%x: tensor<512x64xf32>, %s: f32) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> ()>, affine_map<(j, i) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %s : tensor<512x64xf32>, f32) outs(%zero : tensor<64xf32>) {
  ^bb0(%a: f32, %f: f32, %o: f32):
    %p = arith.mulf %a, %f : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
)";
}

TEST(Emulator, ColumnsByOneNumber) {
  Session session(allDialects());
  auto module = llvm::cantFail(session.parse(scaledColumns(), "scaled.mlir"));
  expectOk(*module, "scaled", forDevice("h100.json"));
}

TEST(Emulator, ColumnsOfAnyLength) {
  Session session(allDialects());
  for (llvm::StringRef device : {"h100.json", "rtx4090.json"})
    for (auto [rows, columns, type] : {std::tuple(4096, 40, "f32"),
                                       {20000, 4, "f32"},
                                       {1000, 512, "f16"},
                                       {64, 1000, "f32"},
                                       {1009, 33, "f32"},
                                       {130, 7, "f32"},
                                       {999, 264, "f16"},
                                       {63, 128, "f32"}}) {
      SCOPED_TRACE(llvm::formatv("{0} rows of {1} {2} for {3}", rows, columns, type, device).str());
      auto module = llvm::cantFail(session.parse(columnsOf(rows, columns, type), "columns.mlir"));
      expectOk(*module, "columns", forDevice(device), /*dispatches=*/2);
    }
}

/// A product of few rows whose weights lie with the depth inside, and a bias and a ReLU after it.
std::string thinProduct(int64_t m, int64_t n, int64_t k, llvm::StringRef type) {
  return llvm::formatv(R"(
func.func @thin(%a: tensor<{0}x{2}x{3}>, %b: tensor<{1}x{2}x{3}>, %bias: tensor<{1}xf32>) -> tensor<{0}x{1}xf32> {{
  %e = tensor.empty() : tensor<{0}x{1}xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<{0}x{2}x{3}>, tensor<{1}x{2}x{3}>) outs(%z : tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<{0}x{1}xf32>, tensor<{1}xf32>) outs(%e : tensor<{0}x{1}xf32>) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<{0}x{1}xf32>
  return %r : tensor<{0}x{1}xf32>
}
)",
                       m, n, k, type);
}

TEST(Emulator, ProductsOfFewRows) {
  Session session(allDialects());
  for (llvm::StringRef device : {"h100.json", "rtx4090.json"})
    for (auto [m, n, k, type] : {std::tuple(1, 64, 1024, "f16"),
                                 {1, 40, 1000, "f32"},
                                 {2, 33, 777, "f32"},
                                 {4, 40, 512, "f16"},
                                 {3, 8, 16384, "f32"},
                                 {1, 130, 64, "f16"},
                                 {4, 1, 4096, "f32"},
                                 {1, 1, 100000, "f16"},
                                 {8, 24, 1024, "f16"},
                                 {7, 36, 300, "f32"}}) {
      SCOPED_TRACE(llvm::formatv("{0} x {1} x {2} of {3} for {4}", m, n, k, type, device).str());
      auto module = llvm::cantFail(session.parse(thinProduct(m, n, k, type), "thin.mlir"));
      expectOk(*module, "thin", forDevice(device));
      auto plain = llvm::cantFail(session.parse(contraction(m, n, k, type, "f32"), "mm.mlir"));
      expectOk(*plain, "mm", forDevice(device));
    }
}

TEST_F(Defects, NoneIsFoundWhereThereIsNone) {
  emulator::Emulation emulation = run();
  EXPECT_TRUE(emulation.findings.empty());
  EXPECT_TRUE(emulation.isWhole);
}

TEST_F(Defects, EachBarrierIsMissed) {
  std::vector<mlir::gpu::BarrierOp> barriers = all<mlir::gpu::BarrierOp>();
  ASSERT_FALSE(barriers.empty());
  for (size_t i = 0; i < barriers.size(); ++i) {
    mlir::gpu::BarrierOp barrier = barriers[i];
    mlir::Operation *next = barrier->getNextNode();
    barrier->remove();
    emulator::Emulation emulation = run();
    EXPECT_TRUE(has(emulation, emulator::FindingKind::ReadWrite) || has(emulation, emulator::FindingKind::WriteWrite))
        << "barrier " << i;
    next->getBlock()->getOperations().insert(next->getIterator(), barrier);
  }
}

TEST_F(Defects, OneElementTooFar) {
  auto store = all<mlir::memref::StoreOp>();
  auto vectorStores = all<mlir::vector::StoreOp>();
  mlir::Operation *op = !vectorStores.empty() ? vectorStores.back().getOperation() : store.back().getOperation();
  mlir::OpBuilder builder(op);
  unsigned last = op->getNumOperands() - 1;
  mlir::Value one = mlir::arith::ConstantIndexOp::create(builder, op->getLoc(), 1);
  op->setOperand(last, mlir::arith::AddIOp::create(builder, op->getLoc(), op->getOperand(last), one));
  emulator::Emulation emulation = run();
  EXPECT_TRUE(has(emulation, emulator::FindingKind::OutOfBounds) || has(emulation, emulator::FindingKind::OutOfView));
}

TEST_F(Defects, AnIdThatIsTheSameForAll) {
  auto launch = all<mlir::gpu::LaunchOp>().front();
  mlir::OpBuilder builder(&launch.getBody().front(), launch.getBody().front().begin());
  mlir::Value zero = mlir::arith::ConstantIndexOp::create(builder, launch.getLoc(), 0);
  launch.getBlockIds().x.replaceAllUsesWith(zero);
  EXPECT_TRUE(has(run(), emulator::FindingKind::WriteWrite)) << "workgroups write the same tile";
}

TEST_F(Defects, SomeWorkgroupsStandForAll) {
  mlir::func::FuncOp function = mapped();
  std::vector<uint8_t> memory(1 << 20);
  std::vector<emulator::EmulatedArgument> arguments(function.getNumArguments(), {"", memory.data(), 48 * 96 * 4, true});
  for (auto [argument, type] : llvm::zip_equal(arguments, function.getArgumentTypes()))
    argument.bytes = uint64_t(llvm::cast<mlir::MemRefType>(type).getNumElements()) * 4;
  emulator::EmulationOptions options;
  options.budget = 1'000;
  auto done = emulator::emulate(function, arguments, options);
  ASSERT_TRUE(bool(done)) << llvm::toString(done.takeError());
  EXPECT_FALSE(done->isWhole);
  EXPECT_LT(done->launches.back().workgroupsRun, done->launches.back().workgroups);
}
