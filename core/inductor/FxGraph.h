// The FX graph of a torch.compile debug folder: Python that torch prints with a statement a line. Nothing of it is run.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace fuselage::inductor {

/// One assignment: `add_1: "f32[2, 16, 64]" = torch.ops.aten.add.Tensor(mul_1, arg2_1)`.
struct FxNode {
  std::string name;
  std::string target;             ///< "aten.add.Tensor"; "aten.relu" of aten.relu.default
  std::string annotation;         ///< "f32[2, 16, 64]"; empty: none is printed
  std::string arguments;          ///< "(mul_1, arg2_1)", as printed
  std::vector<unsigned> operands; ///< values of the function in the order of the text, as FxFunction numbers them
  std::optional<unsigned> item;   ///< set: it is `base[item]` of a node with several results, its one operand
  unsigned line = 0;              ///< in the file, from 1
  std::string userFile;           ///< of the comment above: where the model's author wrote it; empty: not known
  unsigned userLine = 0;
};

/// Values are numbered: inputs first, then nodes.
struct FxFunction {
  std::string name; ///< of the class; empty: "<lambda>"
  std::vector<FxNode> inputs, nodes;
  std::vector<unsigned> returns;

  const FxNode &valueOf(unsigned number) const {
    return number < inputs.size() ? inputs[number] : nodes[number - inputs.size()];
  }
};

struct FxGraph {
  std::vector<FxFunction> functions;
  std::vector<Diagnostic> notes; ///< lines that are no statement of a graph; the file is left out
};

/// Whether a text begins like one: `class <lambda>(torch.nn.Module):`, after comments and imports.
bool isFxGraph(llvm::StringRef text);

/// Reads a graph in one pass. A line that is not understood becomes a note, and values that only it defines are unknown
/// from there on. Failure: there is no graph in it, or more than `kMostNodes` statements.
llvm::Expected<FxGraph> readFxGraph(llvm::StringRef text);
constexpr size_t kMostNodes = 200'000;

} // namespace fuselage::inductor
