// A shared library that is loaded when it is first needed. Loading takes milliseconds of every start, and most
// processes draw no picture and compare no texts.
#pragma once
#include <dlfcn.h>

namespace fuselage {

/// Stays loaded: it may have threads and state of its own.
class LazyLibrary {
public:
  explicit LazyLibrary(const char *soname) : handle_(dlopen(soname, RTLD_NOW | RTLD_LOCAL)) {}

  /// Sets `function` to the one of that name, in the library or in one that it needs; false if there is none.
  template <class Function> bool find(const char *name, Function *&function) const {
    function = handle_ ? reinterpret_cast<Function *>(dlsym(handle_, name)) : nullptr;
    return function;
  }

private:
  void *handle_;
};

} // namespace fuselage
