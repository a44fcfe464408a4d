// run/results.
#include "core/protocol/methods/BundleMethods.h"
#include "core/engine/MethodTable.h"
#include "core/run/bundles/ResultPlaces.h"
#include "core/run/bundles/ResultsFile.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {
namespace {

/// The dispatches of the program that results were placed in last. Forming them takes longer than all else.
struct FormedProgram {
  std::weak_ptr<const Snapshot> of;
  std::string function;
  ArgumentSizes sizes;
  FormedFunction formed;
};

llvm::Expected<const FormedFunction *> formedFunction(Document &document, unsigned snapshot,
                                                      const std::string &function, const ArgumentSizes &sizes) {
  std::shared_ptr<FormedProgram> &held = document.extension<FormedProgram>();
  const std::shared_ptr<const Snapshot> &of = document.snapshot(snapshot);
  if (held && held->of.lock() == of && held->function == function && held->sizes == sizes)
    return &held->formed;
  auto module = document.program(snapshot);
  if (!module)
    return module.takeError();
  auto formed = FormedFunction::form(*module, function, sizes);
  if (!formed)
    return formed.takeError();
  held = std::make_shared<FormedProgram>(
      FormedProgram{.of = of, .function = function, .sizes = sizes, .formed = std::move(*formed)});
  return &held->formed;
}

/// Of the module's file. It is asked for with every step that is shown, and files of models are large.
struct SourceChecksum {
  std::string sha256;
};

const std::string &checksumOf(Document &document) {
  std::shared_ptr<SourceChecksum> &held = document.extension<SourceChecksum>();
  if (!held)
    held = std::make_shared<SourceChecksum>(
        SourceChecksum{document.isLog() ? std::string() : checksumOfFile(document.path())}); // bundles are of no log
  return held->sha256;
}

llvm::Expected<message::PlacedResults<>> results(Engine &, Document &document,
                                                 const method::RunResults::Request<> &request) {
  auto results = readResultsFile(request.path);
  if (!results)
    return results.takeError();
  if (llvm::Error error = checkSource(*results, document.path(), checksumOf(document)))
    return error;
  auto places =
      placeResults(*results, formedFunction(document, unsigned(request.snapshot), results->function, request.sizes),
                   document.path());
  if (!places)
    return places.takeError();
  auto index = document.index(unsigned(request.shown));
  if (!index)
    return index.takeError();
  message::PlacedResults<> answer{.results = std::move(*results), .places = {}};
  for (const ResultPlace &place : *places) {
    auto &message = answer.places.emplace_back(
        message::ResultPlace<>{.dispatch = place.dispatch, .loc = place.loc, .ops = {}, .whyNot = place.whyNot});
    for (mlir::Location location : place.ops)
      for (OpId op : (*index)->opsAt(location))
        if (!llvm::is_contained(message.ops, op))
          message.ops.push_back(op);
  }
  return answer;
}

} // namespace

void addBundleMethods(MethodTable &table) { addMethod<method::RunResults, results>(table); }

} // namespace fuselage
