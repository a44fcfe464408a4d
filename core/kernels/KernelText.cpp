#include "core/kernels/KernelText.h"
#include "core/kernels/KernelCode.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace fuselage {

static std::string shape(const std::vector<int> &sizes) {
  std::string text;
  for (int size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::string formatKernelFacts(const message::KernelCode<> &code) {
  std::string text = "@" + code.dispatch + (code.loc.empty() ? "" : " (" + code.loc + ")") + " for " + code.target +
                     (code.chip.empty() ? "" : " " + code.chip) + "\n";
  for (const message::KernelUnit<> &kernel : code.kernels) {
    text += "\nkernel @" + kernel.entry + ": " + shape(kernel.grid) + " workgroups of " + shape(kernel.block) +
            " threads\n";
    for (const message::KernelFact<> &fact : kernel.facts)
      text += llvm::formatv("  {0,-34} {1,-44}  {2}", fact.label, fact.value, fact.how).str() + "\n";
  }
  if (!code.missing.empty())
    text += "\n";
  for (const std::string &each : code.missing)
    text += "not shown: " + each + "\n";
  return text;
}

/// Puts the place of each line before it, in a column.
static std::string withPlaceColumn(const message::KernelListing<> &listing) {
  std::vector<std::string> places;
  size_t width = 0;
  for (const message::ListingPlace<> &place : listing.places) {
    std::string text = llvm::sys::path::filename(place.file).str() + ":" + std::to_string(place.line) + ":" +
                       std::to_string(place.column);
    width = std::max(width, text.size());
    places.resize(std::max<size_t>(places.size(), place.last + 1));
    std::fill(places.begin() + place.first, places.begin() + place.last + 1, text);
  }
  std::string text;
  StringRef rest = listing.text;
  for (size_t line = 1; !rest.empty(); ++line) {
    auto [first, behind] = rest.split('\n');
    std::string place = line < places.size() ? places[line] : "";
    text += place + std::string(width - place.size(), ' ') + " | " + first.str() + "\n";
    rest = behind;
  }
  return text;
}

std::string formatListings(const message::KernelCode<> &code, StringRef stage, bool withPlaces) {
  std::string text;
  for (const message::KernelListing<> &listing : code.listings) {
    if (stage != "all" && stage != listing.stage)
      continue;
    text += "\n---- " + listing.title + (listing.kernel.empty() ? "" : " of @" + listing.kernel) + ", by " +
            listing.madeBy + "\n";
    text += withPlaces ? withPlaceColumn(listing) : listing.text;
    if (listing.cut)
      text += "(cut: it is longer than can be shown)\n";
  }
  return text;
}

std::string bareListings(const message::KernelCode<> &code, StringRef stage) {
  std::string text;
  for (const message::KernelListing<> &listing : code.listings)
    if (stage == "all" || stage == listing.stage)
      text += listing.text;
  return text;
}

std::vector<KernelFile> kernelFiles(const message::KernelCode<> &code) {
  std::string name = code.dispatch;
  for (char &each : name)
    if (!llvm::isAlnum(each) && !StringRef("_.-").contains(each))
      each = '_';
  constexpr size_t longest = 120; // of a name, with room for what follows
  std::string number = std::to_string(std::max<int64_t>(code.index, 0));
  std::string start = std::string(3 - std::min<size_t>(3, number.size()), '0') + number + "-" + name.substr(0, longest);
  std::vector<KernelFile> files = {{start + ".facts.txt", formatKernelFacts(code)}};
  for (const message::KernelListing<> &listing : code.listings) {
    size_t ofStage = 0, own = 0;
    for (const message::KernelListing<> &other : code.listings) {
      own = &other == &listing ? ofStage : own;
      ofStage += other.stage == listing.stage;
    }
    std::string which = ofStage > 1 ? std::to_string(own) : "";
    files.push_back({start + "." + listing.stage + which + stageExtension(listing.stage).str(), listing.text});
  }
  return files;
}

} // namespace fuselage
