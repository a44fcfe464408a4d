// Kernels that the host launches.
#pragma once
#include "core/emulator/Decoder.h"
#include "core/emulator/Emulation.h"
#include "core/emulator/Machine.h"

namespace fuselage::emulator {

/// What launches of a run share.
struct RunState {
  const EmulationOptions &options;
  unsigned launchesLeft; ///< as they stand in the function
  Emulation &emulation;
  std::string failure{}; ///< why the run cannot go on
};

class Launch : public Instruction {
public:
  struct Operands {
    ElementIds grid, block;
    ElementId dynamicBytes;
  };
  Launch(std::unique_ptr<Program> program, Operands operands, ElementIds written, std::string name)
      : program_(std::move(program)), operands_(std::move(operands)), written_(std::move(written)),
        name_(std::move(name)) {}
  void run(Machine &host) const override;

private:
  bool prepare(Machine &host, Machine &kernel) const;
  void markWritten(Machine &host) const;
  void runWorkgroups(Machine &kernel, EmulatedLaunch &launch, RunState &state) const;
  void runWorkgroup(Machine &kernel, int64_t workgroup) const;
  void setInput(Machine &kernel, const LaunchInput &input, const std::array<int64_t, 3> &id) const;

  std::unique_ptr<Program> program_;
  Operands operands_;
  ElementIds written_; ///< numbers of buffers that the kernel writes
  std::string name_;
};

/// Memory that a program declares.
bool allocateSites(Machine &machine, const Program &program, uint64_t dynamicBytes);
void fillConstants(Machine &machine, const Program &program);

} // namespace fuselage::emulator
