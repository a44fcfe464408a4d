// Loads and stores.
#pragma once
#include "core/emulator/AddressPlan.h"

namespace fuselage::emulator {

/// Whether there is a form of a buffer's elements.
bool canAddress(mlir::Value buffer);

class Load : public Instruction {
public:
  Load(AddressPlan plan, ElementIds result) : plan_(std::move(plan)), result_(std::move(result)) {
    bytes_ = unsigned(result_.size()) * plan_.form().bytes;
    weight = unsigned(result_.size()) + 8;
  }
  void run(Machine &machine) const override;

private:
  AddressPlan plan_;
  ElementIds result_;
  unsigned bytes_;
};

class Store : public Instruction {
public:
  Store(AddressPlan plan, ElementIds value) : plan_(std::move(plan)), value_(std::move(value)) {
    bytes_ = unsigned(value_.size()) * plan_.form().bytes;
    weight = 2 * unsigned(value_.size()) + 8;
  }
  void run(Machine &machine) const override;

private:
  AddressPlan plan_;
  ElementIds value_;
  unsigned bytes_;
};

} // namespace fuselage::emulator
