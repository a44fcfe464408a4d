// remarks/*: remarks of other compilers on the ops of a snapshot.
#include "core/protocol/methods/RemarkMethods.h"
#include "core/engine/MethodTable.h"
#include "core/remarks/PlaceRemarks.h"
#include "core/remarks/RemarkFile.h"

namespace fuselage {
namespace {

llvm::Expected<message::Remarks<>> read(Engine &engine, Document &document,
                                        const method::ReadRemarks::Request<> &request) {
  if (request.path == "-")
    return fail("the engine's stdin is the protocol; open a file");
  auto module = document.module(request.snapshot);
  if (!module)
    return module.takeError();
  auto remarks = readRemarkFile(request.path, &engine.cancelled);
  if (!remarks)
    return remarks.takeError();
  const PrintedModule &lines = document.lines(request.snapshot);
  placeRemarks(
      *module, [&](int64_t op) { return op < lines.opCount() ? int(lines.linesOf(op).first) + 1 : 0; }, *remarks);
  return std::move(*remarks);
}

} // namespace

void addRemarkMethods(MethodTable &table) { addMethod<method::ReadRemarks, read>(table); }

} // namespace fuselage
