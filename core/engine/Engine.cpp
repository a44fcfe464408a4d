#include "core/engine/Engine.h"

namespace fuselage {

llvm::Expected<Document *> Engine::document() {
  if (!current)
    return fail("no document is open; send document/open first");
  return current.get();
}

} // namespace fuselage
