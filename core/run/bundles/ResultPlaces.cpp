#include "core/run/bundles/ResultPlaces.h"
#include "core/ir/module/Diagnostics.h"
#include "core/run/DispatchRunner.h"
#include "core/run/RunProgram.h"
#include "core/run/Specialize.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace fuselage {

/// "f.mlir:3:5" of "/home/me/f.mlir:3:5".
static std::string withoutFolders(StringRef place) { return llvm::sys::path::filename(place).str(); }

static std::vector<std::string> withoutFolders(const std::vector<std::string> &places) {
  std::vector<std::string> names;
  for (const std::string &place : places)
    names.push_back(withoutFolders(place));
  llvm::sort(names);
  return names;
}

llvm::Expected<FormedFunction> FormedFunction::form(ModuleOp module, StringRef function, const ArgumentSizes &sizes) {
  std::vector<Diagnostic> remarks; // which sizes were chosen: a run says so
  auto picked = pickFunction(module, function);
  if (!picked)
    return picked.takeError();
  auto sized = specializeWithDefaults(*picked, sizes, remarks);
  if (!sized)
    return sized.takeError();
  auto program = formRunProgram(std::move(*sized), picked->getName(), remarks);
  if (!program)
    return program.takeError();
  FormedFunction formed;
  for (func::FuncOp each : program->dispatches) {
    func::FuncOp dispatch = each;
    Dispatch &entry = formed.dispatches_[dispatch.getName().str()];
    if (auto number = dispatch->getAttrOfType<IntegerAttr>(kDispatchAttr))
      entry.number = number.getInt();
    Operation *root = findDispatchRoot(dispatch);
    if (root) {
      entry.loc = formatPosition(positionOf(root->getLoc()));
      entry.ops.push_back(root->getLoc());
    }
    entry.parts = partsOf(dispatch);
    dispatch.walk([&](linalg::LinalgOp op) {
      if (op != root)
        entry.ops.push_back(op.getLoc());
    });
  }
  return formed;
}

ResultPlace FormedFunction::placeOf(const message::Kernel<> &row) const {
  ResultPlace place;
  if (row.onHost)
    return place;
  const std::string name = "@" + row.dispatch, from = withoutFolders(row.loc);
  auto found = dispatches_.find(row.dispatch);
  if (found == dispatches_.end()) {
    place.whyNot = "the module has no dispatch " + name;
    for (const auto &[other, dispatch] : dispatches_)
      if (!from.empty() && withoutFolders(dispatch.loc) == from)
        place.whyNot += "; what comes from " + from + " is @" + other + " here";
    return place;
  }
  const Dispatch &dispatch = found->second;
  const std::string here = withoutFolders(dispatch.loc);
  if (from != here) {
    auto text = [](const std::string &loc) { return loc.empty() ? std::string("an unknown place") : loc; };
    place.whyNot = name + " comes from " + text(here) + " here, and from " + text(from) + " where it was measured";
  } else if (withoutFolders(row.parts) != withoutFolders(dispatch.parts)) {
    place.whyNot = name + " has other ops here than where it was measured";
  } else {
    place.dispatch = dispatch.number;
    place.loc = dispatch.loc;
    place.ops = dispatch.ops;
  }
  return place;
}

static constexpr const char *kRemedy = "; open the file that the bundle was made of, or make a bundle of this one "
                                       "('fuselage bundle') and run it with 'fuselage-launch --format json' again";

static std::string nameOf(StringRef path) { return "'" + llvm::sys::path::filename(path).str() + "'"; }

llvm::Error checkSource(const message::Results<> &results, StringRef source, StringRef sha256) {
  const std::string measured = results.bundle ? results.bundle->sourceSha256 : "";
  if (measured.empty() || sha256.empty() || measured == sha256)
    return llvm::Error::success();
  constexpr size_t shown = 12;
  return fail("the results are of another file than " + nameOf(source) + ": of " + nameOf(results.bundle->source) +
              " with the checksum " + measured.substr(0, shown) + "..., while this one has " +
              sha256.take_front(shown).str() + "..." + kRemedy);
}

llvm::Expected<std::vector<ResultPlace>> placeResults(const message::Results<> &results,
                                                      llvm::Expected<const FormedFunction *> formed, StringRef source) {
  if (!formed)
    return fail("the results are of @" + results.function + ", whose dispatches cannot be formed in " + nameOf(source) +
                ": " + takeFailure(formed.takeError()).message + kRemedy);
  std::vector<ResultPlace> places;
  size_t dispatches = 0, placed = 0;
  std::string first;
  for (const message::Kernel<> &row : results.kernels) {
    places.push_back((*formed)->placeOf(row));
    dispatches += !row.onHost;
    placed += !row.onHost && places.back().whyNot.empty();
    if (first.empty())
      first = places.back().whyNot;
  }
  if (dispatches > 0 && placed == 0)
    return fail("none of the " + std::to_string(dispatches) + " rows of the results belongs to " + nameOf(source) +
                ": " + first + kRemedy);
  return places;
}

} // namespace fuselage
