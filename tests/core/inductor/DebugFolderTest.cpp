// Folders of torch.compile as users hand them over: whole, in part, and made up.
#include "core/inductor/DebugFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace fuselage::inductor {
namespace {

const char *const kGraph = R"py(class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 8]", w: "f32[8, 8]"):
        mm: "f32[4, 8]" = torch.ops.aten.mm.default(x, w)
        relu: "f32[4, 8]" = torch.ops.aten.relu.default(mm)
        return (relu,)
)py";
const char *const kKernels = R"({"cppCodeToPost": {"extern_kernels.mm:1": ["mm"], "cpp_fused_relu_0:2": ["relu"]}})";

class DebugFolderTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("inductor", root_)); }
  void TearDown() override { llvm::sys::fs::remove_directories(root_); }

  std::string path(const std::string &name) const { return (root_ + "/" + name).str(); }
  void write(const std::string &name, const std::string &text) const {
    ASSERT_FALSE(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path(name))));
    std::error_code problem;
    llvm::raw_fd_ostream(path(name), problem) << text;
    ASSERT_FALSE(problem);
  }
  void writeGraph(const std::string &folder, const std::string &version = "2.9.1") const {
    write(folder + "/fx_graph_transformed.py", kGraph);
    write(folder + "/inductor_provenance_tracking_node_mappings.json", kKernels);
    write(folder + "/fx_graph_runnable.py", "import torch\n# torch version: " + version + "\n");
  }
  DebugModule read(const std::string &name) const {
    EXPECT_TRUE(isDebugPath(path(name)));
    auto module = readDebugPath(path(name));
    if (module)
      return std::move(*module);
    ADD_FAILURE() << takeFailure(module.takeError()).message;
    return {};
  }
  static size_t count(const std::string &text, const std::string &part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }

  llvm::SmallString<128> root_;
};

TEST_F(DebugFolderTest, foldersOfOthersAreNotSearched) {
  writeGraph("home/work/torch_compile_debug/run_1/torchinductor/model__0_inference_0.0");
  EXPECT_TRUE(isDebugPath(path("home/work")));
  EXPECT_FALSE(isDebugPath(path("home")));
}

TEST_F(DebugFolderTest, folderFileAndRunAreTheSameGraph) {
  const std::string graph = "torch_compile_debug/run_2/torchinductor/model__0_inference_0.0";
  writeGraph(graph);
  for (const std::string &opened :
       {std::string("torch_compile_debug"), std::string("torch_compile_debug/run_2"), graph,
        graph + "/fx_graph_transformed.py", graph + "/inductor_provenance_tracking_node_mappings.json"}) {
    DebugModule module = read(opened);
    EXPECT_TRUE(module.notes.empty()) << module.notes.front().message;
    EXPECT_EQ(count(module.text, "flow.dispatch.region"), 2u) << module.text;
    EXPECT_NE(module.text.find("TorchInductor of torch 2.9.1"), std::string::npos);
    EXPECT_NE(module.text.find("@\"model__0_inference_0.0\""), std::string::npos);
    EXPECT_EQ(module.files.size(), 1u);
  }
}

TEST_F(DebugFolderTest, ofSeveralRunsTheLastIsRead) {
  writeGraph("debug/run_1/torchinductor/model__9");
  writeGraph("debug/run_2/torchinductor/model__2");
  writeGraph("debug/run_2/torchinductor/model__10");
  DebugModule module = read("debug");
  EXPECT_EQ(module.files.size(), 2u);
  EXPECT_LT(module.text.find("model__2"), module.text.find("model__10"));
  EXPECT_EQ(module.text.find("model__9\""), std::string::npos);
  ASSERT_EQ(module.notes.size(), 1u);
  EXPECT_NE(module.notes.front().message.find("1 earlier runs"), std::string::npos);
}

TEST_F(DebugFolderTest, unknownVersionsSaySo) {
  writeGraph("new", "3.1.0");
  DebugModule module = read("new");
  ASSERT_EQ(module.notes.size(), 1u);
  EXPECT_NE(module.notes.front().message.find("torch 3.1.0 wrote these files; the versions that are known are 2.9 to"),
            std::string::npos);
  writeGraph("of other keys");
  write("of other keys/inductor_provenance_tracking_node_mappings.json", R"({"version": 9})");
  EXPECT_NE(read("of other keys").notes.front().message.find("another version of torch"), std::string::npos);
}

TEST_F(DebugFolderTest, aGraphAloneHasNoKernels) {
  write("mine.py", kGraph);
  DebugModule module = read("mine.py");
  EXPECT_EQ(count(module.text, "flow.dispatch.region"), 0u);
  EXPECT_NE(module.notes.front().message.find("which kernels compute these ops is not known"), std::string::npos);
  write("other.py", "import torch\nprint(torch)\n");
  EXPECT_FALSE(isDebugPath(path("other.py")));
  EXPECT_FALSE(isDebugPath(path("no such folder")));
}

TEST_F(DebugFolderTest, theLogIsFoundAboveTheGraph) {
  writeGraph("torch_compile_debug/run_1/torchinductor/model__0");
  const std::string line = "V0101 1 scheduler.py:1] [__fusion] ";
  write("torch_compile_debug/fusion.log", line + "attempting fusion (1/10): 2 nodes\n" + line +
                                              "  ExternKernelSchedulerNode(name='op0')\n" + line +
                                              "  SchedulerNode(name='op1'), Pointwise(['origins={relu}'])\n" + line +
                                              "cannot fuse op0 with op1: node1 is extern or nop\n");
  DebugModule module = read("torch_compile_debug/run_1");
  EXPECT_NE(module.text.find("operand0 = \"its log says: node1 is extern or nop\""), std::string::npos) << module.text;
  EXPECT_NE(module.text.find("cannot_fuse = [\"with extern_kernels.mm: node1 is extern or nop\"]"), std::string::npos);
}

TEST_F(DebugFolderTest, tracesHoldTheSame) {
  const std::string mark = "V0101 10:00:00.000000 1 torch/x.py:1] ";
  auto payload = [](const std::string &text) {
    std::string lines = "\t";
    for (size_t i = 0; i + 1 < text.size(); ++i)
      lines += text[i] == '\n' ? std::string("\n\t") : std::string(1, text[i]);
    return lines + text.back() + "\n";
  };
  const std::string frame = R"(, "frame_id": 3, "frame_compile_id": 1})";
  std::string log = mark + "{\"artifact\": {\"name\": \"torch_version\"}}\n" + "\t{\"pytorch_version\": \"2.15.0\"}\n" +
                    mark + "{\"chromium_event\": {}}\n\t[[[[\n" + mark +
                    "{\"artifact\": {\"name\": \"inductor_post_grad_graph\"}" + frame + "\n" + payload(kGraph) + mark +
                    "{\"inductor_post_grad_graph\": {}" + frame + "\n" + payload(kGraph) + mark +
                    "{\"artifact\": {\"name\": \"inductor_provenance_tracking_node_mappings\"}" + frame + "\n" +
                    payload(std::string(kKernels) + "\n");
  write("debug/tlparse/dedicated_log_torch_trace_x.log", log);
  write("pages/raw.log", log);
  for (const char *opened : {"debug", "debug/tlparse", "debug/tlparse/dedicated_log_torch_trace_x.log", "pages"}) {
    DebugModule module = read(opened);
    EXPECT_NE(module.text.find("TorchInductor of torch 2.15.0"), std::string::npos);
    EXPECT_NE(module.text.find("@\"frame 3/1\""), std::string::npos);
    EXPECT_NE(module.text.find("@\"frame 3/1.1\""), std::string::npos);
    EXPECT_EQ(count(module.text, "flow.dispatch.region"), 2u) << module.text;    // of the second graph
    EXPECT_NE(module.text.find(".log\":8:1"), std::string::npos) << module.text; // where the log has `mm`
  }
}

TEST_F(DebugFolderTest, linksLeadNowhere) {
  writeGraph("outside/model__1");
  write("inside/note.md", "");
  ASSERT_FALSE(llvm::sys::fs::create_link(path("outside"), path("inside/model__0")));
  EXPECT_FALSE(isDebugPath(path("inside")));
  write("graph/fx_graph_transformed.py", kGraph);
  ASSERT_FALSE(llvm::sys::fs::create_link(path("outside/model__1/inductor_provenance_tracking_node_mappings.json"),
                                          path("graph/inductor_provenance_tracking_node_mappings.json")));
  EXPECT_EQ(count(read("graph").text, "flow.dispatch.region"), 0u);
}

} // namespace
} // namespace fuselage::inductor
