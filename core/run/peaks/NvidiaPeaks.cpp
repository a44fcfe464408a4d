#include "core/run/peaks/NvidiaPeaks.h"
#include "core/device/NvidiaChips.h"
#include "core/run/peaks/PeakNames.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace fuselage {
namespace {

/// One instruction of a chain: registers of the chain stand where it says {0}.
struct Instruction {
  const char *text;
  unsigned registers;   ///< that a chain has
  double flops;         ///< of a thread
  bool isHalves;        ///< a register holds two f16
  uint32_t operands[2]; ///< what it reads from the input
};

// The latency of an FMA is four clocks, that of a matrix instruction some thirty.
constexpr unsigned chains = 8, unrolled = 16, groupThreads = 256, launches = 9;

std::optional<Instruction> instructionOf(llvm::StringRef name) {
  // m16n8k16 is 4096 operations of a warp's 32 threads, m16n8k8 half of that. All elements of the operands are 1.
  if (name == "f16 matrix")
    return Instruction{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 128, false, {0x3C003C00, 0x3C003C00}};
  if (name == "bf16 matrix")
    return Instruction{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 128, false, {0x3F803F80, 0x3F803F80}};
  if (name == "tf32")
    return Instruction{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 64, false, {0x3F800000, 0x3F800000}};
  // x * 1 + 1, of which the assembler knows neither.
  if (name == "f32")
    return Instruction{"fma.rn.f32", 1, 2, false, {0x3F800000, 0x3F800000}};
  // x * 0.5 + 0.5, which goes to 1: f16 cannot count far.
  if (name == "f16")
    return Instruction{"fma.rn.f16x2", 1, 4, true, {0x38003800, 0x38003800}};
  return std::nullopt;
}

bool isMatrix(const Instruction &instruction) { return instruction.registers == 4; }

/// What a step adds to an element of a chain.
double addedByStep(const Instruction &instruction) {
  return isMatrix(instruction) ? instruction.flops / 8 : 1; // the matrix's columns: 16 or 8
}

void writeStep(llvm::raw_ostream &os, const Instruction &instruction, unsigned chain) {
  if (!isMatrix(instruction)) {
    os << llvm::formatv("  {0} %c{1}, %c{1}, %a, %b;\n", instruction.text, chain);
    return;
  }
  unsigned first = chain * instruction.registers;
  std::string sums = llvm::formatv("{{%c{0}, %c{1}, %c{2}, %c{3}}", first, first + 1, first + 2, first + 3);
  os << llvm::formatv("  {0} {1}, {{%a, %a, %a, %a}, {{%b, %b}, {1};\n", instruction.text, sums);
}

/// The address of the 32 bits that a thread writes, in %to, and its number in %thread.
constexpr const char *threadAddress = "  mov.u32 %thread, %tid.x;\n  mov.u32 %block, %ctaid.x;\n"
                                      "  mov.u32 %size, %ntid.x;\n"
                                      "  mad.lo.u32 %thread, %block, %size, %thread;\n"
                                      "  mul.wide.u32 %offset, %thread, 4;\n"
                                      "  ld.param.u64 %from, [in];\n  cvta.to.global.u64 %from, %from;\n"
                                      "  ld.param.u64 %to, [out];\n  cvta.to.global.u64 %to, %to;\n"
                                      "  add.u64 %to, %to, %offset;\n";

void beginKernel(llvm::raw_ostream &os, const char *entry) {
  os << ".version 7.0\n.target sm_80\n.address_size 64\n\n.visible .entry " << entry
     << "(.param .u64 in, .param .u64 out) {\n"
     << "  .reg .pred %more;\n  .reg .b32 %a, %b, %round, %thread, %block, %size;\n  .reg .b64 %from, %to, %offset;\n";
}

/// Launches it some times. The least microseconds, and what the first and the last thread have written.
struct Launched {
  double least = 0;
  uint32_t first = 0, last = 0;
};

llvm::Expected<Launched> launch(Device &device, llvm::StringRef entry, std::string ptx, unsigned groups,
                                llvm::ArrayRef<uint8_t> input, const std::atomic<bool> *cancelled) {
  CompiledKernel kernel{.entry = entry.str(),
                        .binary = std::move(ptx),
                        .grid = {groups, 1, 1},
                        .block = {groupThreads, 1, 1},
                        .sharedBytes = 0,
                        .dynamicSharedBytes = 0,
                        .arguments = {0, 1}};
  auto loaded = device.load(kernel);
  if (!loaded)
    return loaded.takeError();
  auto in = device.allocate(input.size());
  if (!in)
    return in.takeError();
  if (llvm::Error error = device.upload(**in, input))
    return error;
  std::vector<uint32_t> written(size_t(groups) * groupThreads);
  auto out = device.allocate(written.size() * sizeof(uint32_t));
  if (!out)
    return out.takeError();
  Launched result;
  const Launch launch{.kernel = loaded->get(), .buffers = {in->get(), out->get()}};
  for (unsigned i = 0; i < launches; ++i) {
    auto times = device.run({&launch, 1}, {.timeoutSeconds = 30, .cancelled = cancelled});
    if (!times)
      return times.takeError();
    result.least = i == 0 ? times->front() : std::min(result.least, times->front());
  }
  if (llvm::Error error =
          device.download(**out, {reinterpret_cast<uint8_t *>(written.data()), written.size() * sizeof(uint32_t)}))
    return error;
  if (!(result.least > 0))
    return fail("the clock of " + device.info().id + " does not tell how long a kernel for measuring takes");
  result.first = written.front();
  result.last = written.back();
  return result;
}

/// Workgroups that fill the device some times over.
unsigned groupsFor(const Device &device, unsigned each) {
  constexpr unsigned assumed = 128;
  int64_t units = device.info().model.computeUnits.value;
  return (units > 0 ? unsigned(units) : assumed) * each;
}

double numberOf(uint32_t bits, bool isHalves) {
  if (isHalves)
    return bits == 0x48004800u ? chains : -1; // 8 in both
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

} // namespace

std::string peakPtx(llvm::StringRef name, unsigned rounds) {
  std::optional<Instruction> instruction = instructionOf(name);
  if (!instruction)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  beginKernel(os, "peak");
  unsigned registers = chains * instruction->registers;
  os << "  .reg .b32 %sum, %c<" << registers << ">;\n" << threadAddress;
  os << "  ld.global.b32 %a, [%from];\n  ld.global.b32 %b, [%from+4];\n";
  for (unsigned i = 0; i < registers; ++i)
    if (instruction->isHalves)
      // From 1 to 8, in both halves.
      os << llvm::formatv("  cvt.rn.f16.s32 %h, {0};\n  mov.b32 %c{1}, {{%h, %h};\n", i + 1, i);
    else
      os << llvm::formatv("  cvt.rn.f32.s32 %c{0}, {1};\n", i, i / instruction->registers);
  if (instruction->isHalves)
    text.insert(text.find("  .reg .b32 %sum"), "  .reg .b16 %h;\n");
  os << "  mov.u32 %round, " << rounds << ";\nAGAIN:\n";
  for (unsigned step = 0; step < unrolled; ++step)
    for (unsigned chain = 0; chain < chains; ++chain)
      writeStep(os, *instruction, chain);
  os << "  sub.u32 %round, %round, 1;\n  setp.ne.u32 %more, %round, 0;\n  @%more bra AGAIN;\n  mov.b32 %sum, %c0;\n";
  for (unsigned i = 1; i < registers; ++i)
    os << "  add.rn." << (instruction->isHalves ? "f16x2" : "f32") << " %sum, %sum, %c" << i << ";\n";
  os << "  st.global.b32 [%to], %sum;\n  ret;\n}\n";
  return text;
}

unsigned peakRegisters(llvm::StringRef name) {
  std::optional<Instruction> instruction = instructionOf(name);
  return instruction ? chains * instruction->registers : 0;
}

double peakFlops(llvm::StringRef name, unsigned rounds) {
  std::optional<Instruction> instruction = instructionOf(name);
  return instruction ? instruction->flops * chains * unrolled * rounds : 0;
}

double peakResult(llvm::StringRef name, unsigned rounds) {
  std::optional<Instruction> instruction = instructionOf(name);
  if (!instruction)
    return 0;
  if (instruction->isHalves)
    return chains;
  double begin = 0, steps = double(unrolled) * rounds;
  for (unsigned chain = 0; chain < chains; ++chain)
    begin += double(chain) * instruction->registers;
  return begin + addedByStep(*instruction) * steps * chains * instruction->registers;
}

std::string cacheReadPtx(uint64_t bytes, unsigned threads, unsigned rounds) {
  std::string text;
  llvm::raw_string_ostream os(text);
  beginKernel(os, "cache_read");
  os << "  .reg .b32 %sum, %x<4>;\n  .reg .b64 %at, %place;\n"
     << threadAddress << "  mov.u32 %sum, 0;\n  mul.wide.u32 %at, %thread, 16;\n  mov.u32 %round, " << rounds
     << ";\nAGAIN:\n";
  for (unsigned step = 0; step < unrolled; ++step)
    os << llvm::formatv("  and.b64 %at, %at, {0};\n  add.u64 %place, %from, %at;\n"
                        "  ld.global.cg.v4.u32 {{%x0, %x1, %x2, %x3}, [%place];\n"
                        "  add.u32 %x0, %x0, %x1;\n  add.u32 %x2, %x2, %x3;\n  add.u32 %sum, %sum, %x0;\n"
                        "  add.u32 %sum, %sum, %x2;\n  add.u64 %at, %at, {1};\n",
                        bytes - 1, uint64_t(threads) * 16);
  os << "  sub.u32 %round, %round, 1;\n  setp.ne.u32 %more, %round, 0;\n  @%more bra AGAIN;\n"
     << "  st.global.b32 [%to], %sum;\n  ret;\n}\n";
  return text;
}

bool hasNvidiaPeaks(const Device &device) { return device.cudaContext() && capabilityOf(device.info().target) >= 80; }

llvm::Expected<message::Peak<>> measureNvidiaPeak(Device &device, llvm::StringRef name,
                                                  const std::atomic<bool> *cancelled) {
  std::optional<Instruction> instruction = instructionOf(name);
  if (!instruction)
    return fail("there is no kernel that measures a peak of " + name.str());
  // Sums stay whole numbers below 2^24; two workgroups of 8 warps each fill a multiprocessor.
  const unsigned rounds = isMatrix(*instruction) ? 256 : 2048, groups = groupsFor(device, 8);
  std::vector<uint8_t> input(sizeof instruction->operands);
  std::memcpy(input.data(), instruction->operands, input.size());
  auto launched = launch(device, "peak", peakPtx(name, rounds), groups, input, cancelled);
  if (!launched)
    return launched.takeError();
  double expected = peakResult(name, rounds);
  for (uint32_t bits : {launched->first, launched->last})
    if (double sum = numberOf(bits, instruction->isHalves); !(std::abs(sum - expected) <= 1e-3 * expected))
      return fail(llvm::formatv("a kernel for measuring gives {0} instead of {1}", sum, expected).str());
  return message::Peak<>{.kind = message::PeakKind::Compute,
                         .name = name.str(),
                         .rate = peakFlops(name, rounds) * groups * groupThreads / launched->least * 1e-3,
                         .workingSet = 0,
                         .how = llvm::formatv("{0} on registers, the fastest of {1} launches",
                                              isMatrix(*instruction) ? "mma.sync" : instruction->text, launches)};
}

llvm::Expected<message::Peak<>> measureCacheRead(Device &device, uint64_t bytes, const std::atomic<bool> *cancelled) {
  constexpr unsigned rounds = 32;
  const unsigned groups = groupsFor(device, 8), threads = groups * groupThreads;
  std::vector<uint32_t> ones(bytes / sizeof(uint32_t), 1);
  auto launched = launch(device, "cache_read", cacheReadPtx(bytes, threads, rounds), groups,
                         {reinterpret_cast<const uint8_t *>(ones.data()), bytes}, cancelled);
  if (!launched)
    return launched.takeError();
  constexpr uint32_t reads = rounds * unrolled;
  for (uint32_t sum : {launched->first, launched->last})
    if (sum != reads * 4)
      return fail(llvm::formatv("a kernel for measuring gives {0} instead of {1}", sum, reads * 4).str());
  return message::Peak<>{.kind = message::PeakKind::Bandwidth,
                         .name = kCachePeak,
                         .rate = double(threads) * reads * 16 / launched->least * 1e-3,
                         .workingSet = int64_t(bytes),
                         .how = llvm::formatv("{0} read {1} times past the first cache, the fastest of {2} launches",
                                              formatBytes(bytes), uint64_t(threads) * reads * 16 / bytes, launches)};
}

} // namespace fuselage
