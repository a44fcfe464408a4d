#include "core/emulator/Launches.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <cstring>
#include <random>
#include <set>

namespace fuselage::emulator {

void fillConstants(Machine &machine, const Program &program) {
  for (const Constant &constant : program.constants)
    machine.fill(constant.element, constant.bits);
}

bool allocateSites(Machine &machine, const Program &program, uint64_t dynamicBytes) {
  for (const AllocationSite &site : program.allocations) {
    uint64_t bytes = site.isDynamic ? dynamicBytes : site.bytes;
    uint64_t number = machine.memory.count();
    Buffer *buffer = machine.memory.create(site.kind, site.name, site.isDynamic ? mlir::MemRefType() : site.type, bytes,
                                           site.elementBytes, site.granule,
                                           site.kind == Buffer::Kind::Private ? machine.lanes() : 1);
    if (!buffer)
      return false;
    if (!site.initial.empty()) {
      for (uint64_t at = 0; at + site.initial.size() <= bytes; at += site.initial.size())
        std::memcpy(buffer->data + at, site.initial.data(), site.initial.size());
      buffer->isInitialised = true;
    }
    machine.fill(site.number, number);
  }
  return true;
}

/// Which workgroups stand for all: the first, the last, their neighbours, and pairs of neighbours by the seed.
static std::vector<int64_t> chooseWorkgroups(int64_t all, int64_t some, uint64_t seed) {
  some = std::min<int64_t>(some, 1 << 16);
  std::set<int64_t> chosen{0, 1, all - 2, all - 1};
  std::mt19937_64 random(seed);
  for (int64_t tries = 0; int64_t(chosen.size()) < some && tries < 4 * some; ++tries) {
    auto first = int64_t(random() % uint64_t(all - 1));
    chosen.insert({first, first + 1});
  }
  return {chosen.begin(), chosen.end()};
}

void Launch::setInput(Machine &kernel, const LaunchInput &input, const std::array<int64_t, 3> &id) const {
  const auto &block = kernel.block;
  auto threadId = [&](uint64_t lane) {
    return input.dimension == 0   ? lane % block[0]
           : input.dimension == 1 ? lane / block[0] % block[1]
                                  : lane / (block[0] * block[1]);
  };
  uint64_t *lanes = kernel.word(input.element);
  for (unsigned lane = 0; lane < kernel.lanes(); ++lane) {
    switch (input.value) {
    case LaunchValue::BlockId:
      lanes[lane] = id[input.dimension];
      break;
    case LaunchValue::ThreadId:
      lanes[lane] = threadId(lane);
      break;
    case LaunchValue::GridDim:
      lanes[lane] = kernel.grid[input.dimension];
      break;
    case LaunchValue::BlockDim:
      lanes[lane] = block[input.dimension];
      break;
    case LaunchValue::GlobalId:
      lanes[lane] = id[input.dimension] * block[input.dimension] + threadId(lane);
      break;
    case LaunchValue::LaneId:
      lanes[lane] = lane % kernel.subgroupSize();
      break;
    case LaunchValue::SubgroupId:
      lanes[lane] = lane / kernel.subgroupSize();
      break;
    case LaunchValue::SubgroupCount:
      lanes[lane] = (kernel.lanes() + kernel.subgroupSize() - 1) / kernel.subgroupSize();
      break;
    case LaunchValue::SubgroupSize:
      lanes[lane] = kernel.subgroupSize();
      break;
    case LaunchValue::DynamicBytes:
      lanes[lane] = kernel.dynamicBytes;
      break;
    }
  }
}

void Launch::runWorkgroup(Machine &kernel, int64_t workgroup) const {
  const auto &grid = kernel.grid;
  std::array<int64_t, 3> id{workgroup % grid[0], workgroup / grid[0] % grid[1], workgroup / (grid[0] * grid[1])};
  kernel.races.beginWorkgroup(workgroup);
  for (const LaunchInput &input : program_->inputs)
    if (workgroup == 0 || input.value == LaunchValue::BlockId || input.value == LaunchValue::GlobalId)
      setInput(kernel, input, id);
  Mask &all = kernel.pushMask();
  all.setAll(kernel.lanes());
  kernel.run(*program_->entry, all);
  kernel.popMask();
  kernel.copies.clear();
}

void Launch::runWorkgroups(Machine &kernel, EmulatedLaunch &launch, RunState &state) const {
  uint64_t before = kernel.budget.left;
  runWorkgroup(kernel, 0);
  uint64_t cost = std::max<uint64_t>(before - kernel.budget.left, 1);
  launch.workgroupsRun = kernel.stops() ? 0 : 1;
  int64_t affordable = int64_t(std::min<uint64_t>(before / cost, INT64_MAX));
  auto report = [&](int64_t all) {
    if (state.options.progress && (launch.workgroupsRun % 16 == 0 || launch.workgroupsRun == all))
      state.options.progress(unsigned(launch.workgroupsRun), unsigned(all));
  };
  if (launch.workgroups <= affordable || launch.workgroups <= 4) {
    for (int64_t workgroup = 1; workgroup < launch.workgroups && !kernel.stops(); ++workgroup) {
      runWorkgroup(kernel, workgroup);
      launch.workgroupsRun += !kernel.stops();
      report(launch.workgroups);
    }
  } else {
    std::vector<int64_t> chosen = chooseWorkgroups(launch.workgroups, affordable, state.options.seed);
    for (int64_t workgroup : chosen) {
      if (workgroup == 0 || kernel.stops())
        continue;
      runWorkgroup(kernel, workgroup);
      launch.workgroupsRun += !kernel.stops();
      report(int64_t(chosen.size()));
    }
  }
  // A sample that came to its end with what was there is no accident; one workgroup that did not is.
  launch.isStopped = launch.workgroupsRun == 0;
}

void Launch::markWritten(Machine &host) const {
  for (uint64_t number = 0; number < host.memory.count(); ++number)
    host.memory.at(number).isWritten = program_->writesAnything;
  for (ElementId number : written_)
    host.memory.at(host.uniform(number)).isWritten = true;
}

bool Launch::prepare(Machine &host, Machine &kernel) const {
  if (!kernel.allocate())
    return false;
  fillConstants(kernel, *program_);
  for (auto [outside, inside] : program_->imports)
    kernel.fill(inside, outside.isWide ? host.uniform(outside) : llvm::bit_cast<uint32_t>(host.single(outside)[0]));
  return allocateSites(kernel, *program_, kernel.dynamicBytes);
}

void Launch::run(Machine &host) const {
  RunState &state = *host.state;
  EmulatedLaunch launch{.name = name_, .op = op};
  constexpr int64_t mostThreads = 1024, mostWorkgroups = int64_t(1) << 40;
  int64_t threads = 1, workgroups = 1;
  bool isTooMany = false;
  for (size_t i = 0; i < 3; ++i) {
    launch.grid[i] = int64_t(host.uniform(operands_.grid[i]));
    launch.block[i] = int64_t(host.uniform(operands_.block[i]));
    isTooMany |=
        launch.grid[i] < 0 || launch.block[i] <= 0 || launch.grid[i] > INT32_MAX || launch.block[i] > mostThreads;
    threads *= isTooMany ? 1 : launch.block[i];
    workgroups = isTooMany ? 1 : workgroups * launch.grid[i];
    isTooMany |= workgroups > mostWorkgroups;
  }
  auto stop = [&](const llvm::Twine &why) {
    state.failure = takeFailure(Decoder::refuse(op, why)).message;
    host.budget.isSpent = true;
  };
  if (isTooMany || threads > mostThreads)
    return stop(
        "it launches a number of workgroups or threads (more than 1,024 a workgroup, or none) that no device takes");
  launch.workgroups = workgroups;
  if (state.emulation.launches.size() >= 10'000)
    return stop("it is launched more than 10,000 times");
  // What is left is shared with the launches to come.
  Budget share{.left = host.budget.left / std::max(state.launchesLeft, 1u), .cancelled = host.budget.cancelled};
  state.launchesLeft = std::max(state.launchesLeft, 3u) - 1;
  uint64_t granted = share.left, buffers = host.memory.count();
  Machine kernel(*program_, host.memory, host.races, share, unsigned(threads), host.subgroupSize());
  kernel.grid = launch.grid;
  kernel.block = launch.block;
  kernel.dynamicBytes = host.uniform(operands_.dynamicBytes);
  markWritten(host);
  if (!prepare(host, kernel)) {
    host.memory.shrink(buffers);
    return stop("the values or the memory of its threads take more than the emulator may use");
  }
  host.races.beginLaunch(launch.grid, launch.block);
  if (workgroups != 0)
    runWorkgroups(kernel, launch, state);
  host.budget.spend(granted - share.left);
  host.memory.shrink(buffers);
  if (launch.workgroupsRun != workgroups)
    for (uint64_t number = 0; number < host.memory.count(); ++number)
      if (Buffer &buffer = host.memory.at(number); buffer.isWritten) {
        buffer.hasSkippedWrites = true;
        buffer.leastStamp = host.races.firstStampOfLaunch();
      }
  state.emulation.isWhole &= launch.workgroupsRun == workgroups;
  state.emulation.launches.push_back(std::move(launch));
}

} // namespace fuselage::emulator
