// mesh/*: meshes of devices, and how values of a snapshot lie on them.
#include "core/protocol/methods/MeshMethods.h"
#include "core/analysis/meshes/MeshReport.h"
#include "core/engine/MethodTable.h"

namespace fuselage {
namespace {

llvm::Expected<message::MeshReport<>> report(Engine &, Document &document,
                                             const method::ReportMeshes::Request<> &request) {
  auto module = document.module(request.snapshot);
  if (!module)
    return module.takeError();
  const PrintedModule &lines = document.lines(request.snapshot);
  message::MeshReport<> result = reportMeshes(*module, [&](mlir::Operation *, int64_t op) {
    return op < lines.opCount() ? int(lines.linesOf(op).first) + 1 : 0;
  });
  result.snapshot = request.snapshot;
  return result;
}

} // namespace

void addMeshMethods(MethodTable &table) { addMethod<method::ReportMeshes, report>(table); }

} // namespace fuselage
