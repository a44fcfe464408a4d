#include "core/inductor/Provenance.h"
#include "core/support/JsonDepth.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <tuple>

using llvm::StringRef;

namespace fuselage::inductor {
namespace {

/// With the number that the file gives it, by which kernels of one name are told apart.
struct NumberedKernel {
  unsigned number = ~0u;
  InductorKernel kernel;
};

NumberedKernel readKernel(StringRef key, const llvm::json::Value &nodes) {
  NumberedKernel numbered;
  auto [name, number] = key.rsplit(':');
  bool isNumbered = !number.empty() && !number.getAsInteger(10, numbered.number);
  numbered.kernel.name = (isNumbered ? name : key).str();
  if (const llvm::json::Array *array = nodes.getAsArray())
    for (const llvm::json::Value &node : *array)
      if (std::optional<StringRef> text = node.getAsString())
        numbered.kernel.nodes.push_back(text->str());
  return numbered;
}

} // namespace

bool InductorKernel::isGenerated() const {
  StringRef text = name;
  return text.starts_with("cpp_") || text.starts_with("triton_") || text.starts_with("mps_") ||
         text.starts_with("pallas_") || text.contains("_fused_");
}

llvm::Expected<std::vector<InductorKernel>> readProvenance(StringRef text) {
  constexpr int deepest = 20;
  if (jsonDepth(text) > deepest)
    return fail("it is nested too deeply to be a mapping of nodes to kernels");
  auto json = llvm::json::parse(text);
  if (!json)
    return fail("it is no JSON: " + takeFailure(json.takeError()).message);
  const llvm::json::Object *mappings = json->getAsObject();
  const llvm::json::Object *kernels = mappings ? mappings->getObject("cppCodeToPost") : nullptr;
  if (!kernels)
    return fail(
        "it has no 'cppCodeToPost', which tells the FX nodes of each kernel; another version of torch wrote it");
  std::vector<NumberedKernel> numbered;
  for (const auto &[key, nodes] : *kernels)
    numbered.push_back(readKernel(StringRef(key), nodes));
  llvm::sort(numbered, [](const NumberedKernel &a, const NumberedKernel &b) {
    return std::tie(a.number, a.kernel.name) < std::tie(b.number, b.kernel.name);
  });
  std::vector<InductorKernel> inOrder;
  for (NumberedKernel &kernel : numbered)
    inOrder.push_back(std::move(kernel.kernel));
  return inOrder;
}

} // namespace fuselage::inductor
