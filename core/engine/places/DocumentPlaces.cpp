// Snapshots of a document that are no steps: places of a schedule, trials, the IR in the middle of a step.
#include "core/engine/Document.h"

namespace fuselage {

unsigned Document::addPlace(std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> payload) {
  for (auto &[number, place] : places_)
    if (place.payload == payload) {
      place.used = ++placesAsked_;
      return number;
    }
  auto snapshot = std::make_shared<const Snapshot>(payload);
  places_[nextPlace_] = {.payload = std::move(payload), .snapshot = std::move(snapshot), .used = ++placesAsked_};
  forgetOldPlaces();
  return nextPlace_++;
}

unsigned Document::addPlace(std::shared_ptr<const Snapshot> snapshot) {
  places_[nextPlace_] = {.payload = nullptr, .snapshot = std::move(snapshot), .used = ++placesAsked_};
  forgetOldPlaces();
  return nextPlace_++;
}

void Document::forgetOldPlaces() {
  constexpr size_t most = 64, kept = 32; // a client looks at one or two
  if (places_.size() <= most)
    return;
  std::vector<uint64_t> used;
  for (const auto &[number, place] : places_)
    used.push_back(place.used);
  std::nth_element(used.begin(), used.end() - kept, used.end());
  std::erase_if(places_, [oldest = used[used.size() - kept]](const auto &place) { return place.second.used < oldest; });
  forgetDerived(); // by snapshots that are gone
}

void Document::forgetPlaces() {
  if (places_.empty())
    return;
  places_.clear();
  forgetDerived(); // by snapshots that are gone
}

} // namespace fuselage
