#include "core/run/roofs/MatrixPeak.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace fuselage {
namespace {

/// An instruction on m16n8: of how many columns of the left matrix, and how a register full of ones looks.
struct Instruction {
  const char *name;
  unsigned k;
  const char *ones;
};

constexpr unsigned chains = 8, sumsEach = 4, warpThreads = 32;

} // namespace

static std::optional<Instruction> instructionFor(llvm::StringRef type) {
  if (type == "f16")
    return Instruction{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, "0x3C003C00"};
  if (type == "bf16")
    return Instruction{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, "0x3F803F80"};
  if (type == "tf32")
    return Instruction{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, "0x3F800000"};
  return std::nullopt;
}

std::string matrixPeakPtx(llvm::StringRef type, unsigned steps) {
  std::optional<Instruction> instruction = instructionFor(type);
  if (!instruction)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << ".version 7.0\n.target sm_80\n.address_size 64\n\n.visible .entry matrix_peak(.param .u64 out) {\n"
     << "  .reg .pred %more;\n  .reg .b32 %a<4>, %b<2>, %step, %thread, %block, %size;\n  .reg .b64 %to, %offset;\n"
     << "  .reg .f32 %sum, %c<" << chains * sumsEach << ">;\n";
  for (const char *name : {"%a0", "%a1", "%a2", "%a3", "%b0", "%b1"})
    os << "  mov.b32 " << name << ", " << instruction->ones << ";\n";
  for (unsigned i = 0; i < chains * sumsEach; ++i)
    os << "  mov.f32 %c" << i << ", 0f00000000;\n";
  os << "  mov.u32 %step, " << steps << ";\nAGAIN:\n";
  for (unsigned chain = 0; chain < chains; ++chain) {
    unsigned first = chain * sumsEach;
    std::string sums = llvm::formatv("{{%c{0}, %c{1}, %c{2}, %c{3}}", first, first + 1, first + 2, first + 3);
    os << "  " << instruction->name << " " << sums << ", {%a0, %a1, %a2, %a3}, {%b0, %b1}, " << sums << ";\n";
  }
  os << "  sub.u32 %step, %step, 1;\n  setp.ne.u32 %more, %step, 0;\n  @%more bra AGAIN;\n  mov.f32 %sum, %c0;\n";
  for (unsigned i = 1; i < chains * sumsEach; ++i)
    os << "  add.f32 %sum, %sum, %c" << i << ";\n";
  os << "  mov.u32 %thread, %tid.x;\n  mov.u32 %block, %ctaid.x;\n  mov.u32 %size, %ntid.x;\n"
     << "  mad.lo.u32 %thread, %block, %size, %thread;\n  mul.wide.u32 %offset, %thread, 4;\n  ld.param.u64 %to, "
        "[out];\n"
     << "  cvta.to.global.u64 %to, %to;\n  add.u64 %to, %to, %offset;\n  st.global.f32 [%to], %sum;\n  ret;\n}\n";
  return text;
}

double matrixPeakFlops(llvm::StringRef type, unsigned steps) {
  std::optional<Instruction> instruction = instructionFor(type);
  return instruction ? 2.0 * 16 * 8 * instruction->k * chains * steps : 0;
}

double matrixPeakResult(llvm::StringRef type, unsigned steps) {
  std::optional<Instruction> instruction = instructionFor(type);
  return instruction ? double(instruction->k) * chains * sumsEach * steps : 0;
}

bool hasMatrixPeak(const Device &device) {
  llvm::StringRef chip = device.info().target;
  unsigned capability = 0;
  return device.cudaContext() && chip.consume_front("sm_") && !chip.consumeInteger(10, capability) && capability >= 80;
}

llvm::Expected<message::Roof<>> measureMatrixPeak(Device &device, llvm::StringRef type,
                                                  const std::atomic<bool> *cancelled) {
  // Sums stay whole numbers below 2^24; two groups of 8 warps each fill a multiprocessor.
  constexpr unsigned steps = 4096, threads = 256, groupsEach = 4, launches = 9, assumedUnits = 128;
  unsigned units =
      device.info().model.computeUnits.value > 0 ? unsigned(device.info().model.computeUnits.value) : assumedUnits;
  CompiledKernel kernel{.entry = "matrix_peak",
                        .binary = matrixPeakPtx(type, steps),
                        .grid = {units * groupsEach, 1, 1},
                        .block = {threads, 1, 1},
                        .sharedBytes = 0,
                        .dynamicSharedBytes = 0,
                        .arguments = {0}};
  if (kernel.binary.empty())
    return fail("there are no matrix instructions for " + type.str());
  auto loaded = device.load(kernel);
  if (!loaded)
    return loaded.takeError();
  size_t elements = size_t(units) * groupsEach * threads;
  auto result = device.allocate(elements * sizeof(float));
  if (!result)
    return result.takeError();
  double least = 0;
  for (unsigned i = 0; i < launches; ++i) {
    auto times = device.run(Launch{.kernel = loaded->get(), .buffers = {result->get()}},
                            {.timeoutSeconds = 30, .cancelled = cancelled});
    if (!times)
      return times.takeError();
    least = i == 0 ? times->front() : std::min(least, times->front());
  }
  std::vector<float> sums(elements);
  if (llvm::Error error =
          device.download(**result, {reinterpret_cast<uint8_t *>(sums.data()), elements * sizeof(float)}))
    return error;
  double expected = matrixPeakResult(type, steps);
  for (float sum : {sums.front(), sums.back()})
    if (!(std::abs(sum - expected) <= 1e-3 * expected))
      return fail(llvm::formatv("a kernel for measuring gives {0} instead of {1}", sum, expected).str());
  if (!(least > 0))
    return fail("the clock of " + device.info().id + " does not tell how long a kernel for measuring takes");
  double flops = matrixPeakFlops(type, steps) * double(elements) / warpThreads;
  return message::Roof<>{.kind = message::RoofKind::Compute,
                         .name = (type == "tf32" ? type.str() : type.str() + " matrix"),
                         .rate = flops / least * 1e-3,
                         .workingSet = 0,
                         .how = llvm::formatv("mma.sync on registers, the fastest of {0} launches", launches)};
}

} // namespace fuselage
