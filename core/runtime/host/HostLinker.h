// Makes an object of the host callable. The engine links with LLVM's linker (OrcLinker.cpp), fuselage-launch with one
// of its own (ElfLinker.h).
#pragma once
#include "core/support/Result.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace fuselage {

/// Keeps the code of one object in memory.
class HostLinker {
public:
  virtual ~HostLinker() = default;
  /// The address of a function of the object. Failure: there is none, or the object needs a symbol that it may not.
  virtual Result<void *> lookUp(const std::string &symbol) = 0;
};

/// An object finds nothing but hostRuntimeFunctions() and what isLibraryFunction() (HostSymbols.h) allows. Failure: it
/// is no object of this machine.
Result<std::unique_ptr<HostLinker>> linkHostObject(std::string_view object);

/// The functions that HostSymbols.h names beside libraries, by name.
const std::map<std::string_view, void *> &hostRuntimeFunctions();

} // namespace fuselage
