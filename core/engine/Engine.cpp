#include "core/engine/Engine.h"
#include "core/protocol/Document.h"

namespace fuselage {

llvm::Expected<Document *> Engine::document() {
  if (!current)
    return fail("no document is open; send document/open first");
  return current.get();
}

llvm::json::Value writtenFile(const std::string &path) { return message::encode(message::WrittenFile<>{.path = path}); }

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
