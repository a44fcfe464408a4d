// Foreign files: graphs, mappings and logs that are cut and changed anywhere are read, or are an error.
#include "core/inductor/ModuleText.h"
#include "core/inductor/TraceArtifacts.h"
#include <gtest/gtest.h>
#include <random>

namespace fuselage::inductor {
namespace {

const std::string kGraph = R"py(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 8]", w: "f32[8, s0]", s0: "Sym(s0)"):
        # File: m.py:1 in forward, code: y
        permute: "f32[8, 8]" = torch.ops.aten.permute.default(w, [1, 0]);  w = None
        mm: "f32[4, 8]" = torch.ops.aten.mm.default(x, permute);  permute = None
        var_mean = torch.ops.aten.var_mean.correction(mm, [1], correction = 0)
        getitem: "f32[4]" = var_mean[0]
        getitem_1: "f32[4]" = var_mean[1];  var_mean = None
        add: "f32[4]" = torch.ops.aten.add.Tensor(getitem, getitem_1)
        return (add, mm, s0)
)py";
const std::string kKernels =
    R"({"cppCodeToPost": {"extern_kernels.mm:1": ["mm"], "cpp_fused_add_0:2": ["var_mean", "add", "mm"]}})";
const std::string kLog = "[__fusion] attempting fusion (1/10): 2\n"
                         "[__fusion] SchedulerNode(name='op1'), P(['origins=OrderedSet([add, var_mean])'])\n"
                         "[__fusion] ExternKernelSchedulerNode(name='op0')\n"
                         "[__fusion] cannot fuse op0 with op1: no shared data\n";

const std::string kTrace = "V0101 1] {\"artifact\": {\"name\": \"inductor_post_grad_graph\"}, \"frame_id\": 0}\n"
                           "\tclass <lambda>(torch.nn.Module):\n\t    def forward(self, x: \"f32[4]\"):\n"
                           "V0101 1] {\"artifact\": {\"name\": \"inductor_provenance_tracking_node_mappings\"}}\n\t{}\n"
                           "V0101 1] {\"artifact\": {\"name\": \"torch_version\"}}\n\t{\"pytorch_version\": \"2\"}\n";

/// Reads all three, and writes the module.
void exercise(const std::string &graphText, const std::string &kernelsText, const std::string &logText) {
  auto graph = readFxGraph(graphText);
  auto kernels = readProvenance(kernelsText);
  std::vector<FusionRound> rounds = readFusionLog(logText);
  if (!kernels)
    llvm::consumeError(kernels.takeError());
  if (!graph) {
    llvm::consumeError(graph.takeError());
    return;
  }
  CompiledGraph compiled{.name = "g", .file = "g.py", .graph = std::move(*graph), .kernels = {}};
  if (kernels)
    compiled.kernels = std::move(*kernels);
  compiled.log = rounds.empty() ? nullptr : &rounds.front();
  ModuleText text("a test");
  if (llvm::Error error = text.add(compiled))
    llvm::consumeError(std::move(error));
  EXPECT_FALSE(text.take().empty());
}

TEST(InductorMutationTest, everyCutIsReadOrAnError) {
  for (size_t length = 0; length <= kGraph.size(); ++length)
    exercise(kGraph.substr(0, length), kKernels, kLog);
  for (size_t length = 0; length <= kKernels.size(); ++length)
    exercise(kGraph, kKernels.substr(0, length), kLog);
  for (size_t length = 0; length <= kLog.size(); ++length)
    exercise(kGraph, kKernels, kLog.substr(0, length));
}

std::string changed(std::string text, std::mt19937 &random) {
  const std::string letters = "{}[]()\"',:;=\\-+.#0123456789abcxmw_ \n\x01\xff";
  const std::vector<std::string> words{"var_mean[",    "[99999999999]", "class a(torch.nn.Module):\n",
                                       "def forward(", "return (mm",    "mm = mm(mm)\n",
                                       "[[[[",         "permute",       "f32[",
                                       "origins=",     "cannot fuse ",  "(name='"};
  for (unsigned change = 0, changes = 1 + random() % 4; change < changes; ++change) {
    const size_t at = random() % text.size();
    switch (random() % 4) {
    case 0:
      text[at] = letters[random() % letters.size()];
      break;
    case 1:
      text.erase(at, 1 + random() % 8);
      break;
    case 2:
      text.insert(at, words[random() % words.size()]);
      break;
    default:
      text.insert(at, text.substr(random() % text.size(), random() % 40));
    }
    if (text.empty())
      text = " ";
  }
  return text;
}

TEST(InductorMutationTest, changesAreReadOrAnError) {
  std::mt19937 random(36);
  for (int round = 0; round < 10'000; ++round) {
    exercise(changed(kGraph, random), kKernels, kLog);
    for (const TracedGraph &graph : readTorchTrace(changed(kTrace, random)).graphs)
      exercise(graph.text, graph.mappings, kLog);
    exercise(changed(kGraph, random), changed(kKernels, random), changed(kLog, random));
  }
}

} // namespace
} // namespace fuselage::inductor
