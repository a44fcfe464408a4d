// Links an object of x86-64 without LLVM: for fuselage-launch.
#pragma once
#include "core/runtime/host/HostLinker.h"

namespace fuselage {

/// Reads a relocatable ELF object as LLVM's code generator makes them. Nothing of the object is believed: every offset
/// and size is checked. Failure: it is no such object, or it has what our objects do not have (thread-local data,
/// common symbols, other kinds of relocations, symbols that it may not call); the text says which.
Result<std::unique_ptr<HostLinker>> linkElfObject(std::string_view object);

} // namespace fuselage
