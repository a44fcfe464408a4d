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
  addCompareMethods(table);
  addTextMethods(table);
  addGraphMethods(table);
  addOpMethods(table);
  addStepMethods(table);
  addRunMethods(table);
  addKernelMethods(table);
  addArgumentMethods(table);
  addFusionMethods(table);
  addFuseMethod(table);
  addTileMethods(table);
  addScheduleMethods(table);
  addScheduleWriting(table);
  addToolMethods(table);
  addSearchMethods(table);
  addNoteMethods(table);
  addWrittenMethods(table);
  addTrialMethods(table);
  addTuneMethods(table);
  return table;
}

} // namespace fuselage
