#include "core/engine/MethodTable.h"

namespace fuselage {

llvm::Expected<IndexedSnapshot> opsOf(Document &document, unsigned snapshot) {
  auto index = document.index(snapshot);
  if (!index)
    return index.takeError();
  return IndexedSnapshot{document, snapshot, *index};
}

} // namespace fuselage
