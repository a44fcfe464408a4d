#include "core/emulator/Emulator.h"
#include "core/emulator/Launches.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

class Emulator {
public:
  Emulator(func::FuncOp function, ArrayRef<EmulatedArgument> arguments, const EmulationOptions &options)
      : function_(function), arguments_(arguments), options_(options), memory_(options.memoryLimit),
        races_(findings_, sites_), decoder_(program_, sites_, nullptr, std::max(options.subgroupSize, 1u)) {}

  llvm::Expected<Emulation> run() {
    if (llvm::Error error = bindArguments())
      return error;
    Code &entry = decoder_.newCode();
    if (llvm::Error error = decoder_.decode(function_.getBody().front(), entry))
      return error;
    unsigned launches = 0;
    function_.walk([&](Operation *op) { launches += isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op); });
    if (launches == 0)
      return fail("@" + function_.getName().str() +
                  " launches no kernel: there is no gpu.launch and no gpu.launch_func in it");
    Budget budget{.left = options_.budget, .cancelled = options_.cancelled};
    Machine host(program_, memory_, races_, budget, 1, decoder_.subgroupSize);
    RunState state{options_, launches, emulation_};
    host.isHost = true;
    host.state = &state;
    if (!host.allocate() || !allocateSites(host, program_, 0))
      return fail("the buffers of @" + function_.getName().str() + " take more memory than the emulator may use");
    fillConstants(host, program_);
    Mask all;
    all.setAll(1);
    host.run(entry, all);
    if (options_.cancelled && options_.cancelled->load())
      return fail("cancelled");
    if (!state.failure.empty())
      return fail(state.failure);
    emulation_.isWhole &= !budget.isSpent;
    finish();
    return std::move(emulation_);
  }

private:
  llvm::Error bindArguments() {
    std::string name = "@" + function_.getName().str();
    if (function_.isExternal() || !function_.getBody().hasOneBlock())
      return fail(name + " has no body of a single block");
    if (function_.getNumArguments() != arguments_.size())
      return fail(name + " takes " + std::to_string(function_.getNumArguments()) + " arguments");
    for (auto [parameter, argument] : llvm::zip_equal(function_.getArguments(), arguments_)) {
      auto type = dyn_cast<MemRefType>(parameter.getType());
      auto form = formOf(type ? type.getElementType() : parameter.getType());
      auto count = elementCount(type ? type.getElementType() : parameter.getType());
      if (!form || !count || (!type && (*count != 1 || argument.bytes < form->bytes)))
        return fail("the emulator has no form of a parameter of " + name);
      if (!type) {
        bindScalar(parameter, *form, argument);
        continue;
      }
      numberOf_.push_back(memory_.count());
      Buffer *buffer = memory_.create(Buffer::Kind::Global, argument.name, type, argument.bytes, form->bytes * *count,
                                      form->bytes, 1, argument.data);
      if (!buffer)
        return fail("the buffers of " + name + " take more memory than the emulator may use");
      buffer->isInitialised = argument.isInitialised;
      if (llvm::Error error = decoder_.defineRoot(parameter, type, decoder_.constant(numberOf_.back())))
        return error;
    }
    return llvm::Error::success();
  }

  /// Scalars are constants of the host.
  void bindScalar(Value parameter, const ElementForm &form, const EmulatedArgument &argument) {
    numberOf_.push_back(~uint64_t(0));
    decoder_.alias(parameter, {decoder_.constantFromMemory(form, argument.data)});
  }

  void finish() {
    emulation_.findings = findings_.take();
    emulation_.droppedFindings = findings_.dropped();
    emulation_.accesses = races_.accesses();
    emulation_.barriers = races_.epochs();
    emulation_.dependsOnSkipped = races_.dependsOnSkipped();
    for (uint64_t number : numberOf_) {
      std::vector<bool> &written = emulation_.written.emplace_back();
      if (number == ~uint64_t(0))
        continue;
      Buffer &buffer = memory_.at(number);
      written.resize(buffer.bytes / buffer.elementBytes);
      for (uint64_t i = 0; i < written.size(); ++i) {
        const ShadowEntry *entry = buffer.shadow->find(buffer.shadow->placeOf(i * buffer.elementBytes));
        written[i] = entry && buffer.isKnown(*entry);
      }
    }
  }

  func::FuncOp function_;
  ArrayRef<EmulatedArgument> arguments_;
  const EmulationOptions &options_;
  SiteTable sites_;
  Findings findings_;
  Memory memory_;
  RaceDetector races_;
  Program program_;
  Decoder decoder_;
  std::vector<uint64_t> numberOf_;
  Emulation emulation_;
};

} // namespace

llvm::Expected<Emulation> emulate(func::FuncOp function, ArrayRef<EmulatedArgument> arguments,
                                  const EmulationOptions &options) {
  return Emulator(function, arguments, options).run();
}

} // namespace fuselage::emulator
