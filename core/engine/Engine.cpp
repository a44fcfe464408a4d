#include "core/engine/Engine.h"
#include "core/protocol/Document.h"

namespace fuselage {

llvm::Expected<Document *> Engine::document() {
  if (!current)
    return fail("no document is open; send document/open first");
  return current.get();
}

llvm::json::Value writtenFile(const std::string &path) { return message::encode(message::WrittenFile<>{.path = path}); }

unsigned snapshotParam(Params &params, const Document &document, std::optional<unsigned> fallback) {
  int64_t number =
      fallback ? params.integer("snapshot", 0, UINT32_MAX, *fallback) : params.integer("snapshot", 0, UINT32_MAX);
  if (document.hasSnapshot(number))
    return number;
  if (number >= Document::kFirstPlace)
    params.complain("snapshot", "is a place of a schedule that is not held any more");
  else
    params.complain("snapshot", "is " + llvm::Twine(number) + ", but must be from 0 to " +
                                    llvm::Twine(int64_t(document.snapshotCount()) - 1));
  return 0;
}

llvm::Expected<IndexedSnapshot> indexedSnapshotParam(Engine &engine, Params &params) {
  auto document = engine.document();
  if (!document)
    return document.takeError();
  unsigned snapshot = snapshotParam(params, **document);
  if (llvm::Error error = params.check())
    return error;
  auto index = (*document)->index(snapshot);
  if (!index)
    return index.takeError();
  return IndexedSnapshot{*document, snapshot, *index};
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
