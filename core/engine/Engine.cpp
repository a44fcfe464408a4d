#include "core/engine/Engine.h"

namespace fuselage {

llvm::Expected<Document *> Engine::document() {
  if (!current)
    return fail("no document is open; send document/open first");
  return current.get();
}

MethodTable allMethods() {
  MethodTable table;
  addDocumentMethods(table);
  addBufferMethods(table);
  addTextMethods(table);
  addGraphMethods(table);
  addOpMethods(table);
  addStepMethods(table);
  addRunMethods(table);
  addArgumentMethods(table);
  addFusionMethods(table);
  addTileMethods(table);
  return table;
}

} // namespace fuselage
