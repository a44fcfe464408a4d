#include "core/engine/MethodTable.h"
#include "core/dialects/decoders/OtherCompiler.h"

namespace fuselage {

llvm::Error refuseOnReadOnly(llvm::StringRef method, Document &document) {
  constexpr llvm::StringLiteral refused[] = {"fusion/fuse",  "run/start",      "kernel/code", "kernel/check",
                                             "tune/space",   "tune/step",      "tune/start",  "buffers/report",
                                             "tiles/domain", "schedule/trace", "op/patterns"};
  if (document.isLog() || !llvm::is_contained(refused, method))
    return llvm::Error::success();
  auto module = document.input();
  if (!module)
    return module.takeError();
  return refuseReadOnly(*module);
}

llvm::Expected<IndexedSnapshot> opsOf(Document &document, unsigned snapshot) {
  auto index = document.index(snapshot);
  if (!index)
    return index.takeError();
  return IndexedSnapshot{document, snapshot, *index};
}

} // namespace fuselage
