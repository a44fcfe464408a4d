#include "core/remote/files/FileUses.h"
#include "core/protocol/methods/AllMethods.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage::remote {
namespace {

/// A visitor of requests that collects marks.
struct MarkCollector {
  template <class T>
  void operator()(llvm::StringRef key, const T &, const method::Parameter &parameter = method::optional) {
    if (parameter.use != method::FileUse::None)
      marked.push_back({.key = key.str(), .use = parameter.use});
  }
  template <class... Arguments> void choice(const Arguments &...) {}

  std::vector<FileParameter> marked{};
};

using MarkTable = llvm::StringMap<std::vector<FileParameter>>;

MarkTable collectMarks() {
  MarkTable table;
  method::AllMethods::forEach([&]<class M>() {
    MarkCollector collector;
    method::RequestOf<M>().fields(collector);
    table[M::name] = std::move(collector.marked);
  });
  return table;
}

} // namespace

llvm::ArrayRef<FileParameter> fileParametersOf(llvm::StringRef method) {
  static const MarkTable table = collectMarks();
  auto found = table.find(method);
  return found == table.end() ? llvm::ArrayRef<FileParameter>() : llvm::ArrayRef(found->second);
}

} // namespace fuselage::remote
