// An op is found again in a file that was edited, and no other op is taken for it.
#include "core/ir/Session.h"
#include "core/notes/NotedOps.h"
#include "core/registration/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

using message::NoteState;

const std::string kBefore =
    R"(func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %init: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %filled = linalg.fill ins(%zero : f32) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %q_mm = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%filled : tensor<8x32xf32>) -> tensor<8x32xf32>
  %act = linalg.exp ins(%q_mm : tensor<8x32xf32>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %act : tensor<8x32xf32>
}
)";

std::string replaced(std::string text, const std::string &what, const std::string &with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

class FindOp : public testing::Test {
protected:
  mlir::ModuleOp read(const std::string &text) {
    auto result = session_.readText(text, "model.mlir");
    EXPECT_TRUE(bool(result)) << (result ? "" : llvm::toString(result.takeError()));
    modules_.push_back(std::move(result->module));
    return *modules_.back();
  }
  /// The number `nth` of the ops of this name.
  static OpId opOf(const NotedOps &ops, llvm::StringRef name, int nth = 0) {
    for (OpId id = 0; id < ops.count(); ++id)
      if (ops.op(id)->getName().getStringRef() == name && nth-- == 0)
        return id;
    ADD_FAILURE() << "no " << name.str();
    return 0;
  }
  /// Where the op of `before` is in `after`.
  ResolvedOp find(const std::string &before, llvm::StringRef name, int nth, const std::string &after) {
    NotedOps old(read(before));
    message::OpAnchor<> anchor = old.describe({opOf(old, name, nth), -1});
    now_ = std::make_unique<NotedOps>(read(after));
    return now_->find(anchor);
  }
  std::string nameOf(const ResolvedOp &found) {
    return found.op.op < 0 ? "" : now_->describe(found.op).name + ":" + now_->describe(found.op).op;
  }

  Session session_{allDialects()};
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules_;
  std::unique_ptr<NotedOps> now_;
};

TEST_F(FindOp, SaysWhatItIs) {
  NotedOps ops(read(kBefore));
  message::OpAnchor<> anchor = ops.describe({opOf(ops, "linalg.matmul"), -1});
  EXPECT_EQ(anchor.function, "@main");
  EXPECT_EQ(anchor.op, "linalg.matmul");
  EXPECT_EQ(anchor.name, "q_mm");
  EXPECT_EQ(anchor.types, "tensor<8x32xf32>");
  EXPECT_EQ(llvm::join(anchor.operands, " "), "%x %w %filled");
  EXPECT_EQ(llvm::join(anchor.users, " "), "linalg.exp");
  EXPECT_EQ(anchor.above, "linalg.fill");
  EXPECT_EQ(anchor.line, 4);
  EXPECT_EQ(anchor.alike, 1);
}

TEST_F(FindOp, InTheSameFile) {
  ResolvedOp found = find(kBefore, "linalg.matmul", 0, kBefore);
  EXPECT_EQ(found.state, NoteState::Found);
  EXPECT_EQ(nameOf(found), "q_mm:linalg.matmul");
  EXPECT_EQ(found.how, "");
}

TEST_F(FindOp, BelowInsertedLines) {
  ResolvedOp found =
      find(kBefore, "linalg.matmul", 0,
           "// one\n// two\n\n" + replaced(kBefore, "  %zero", "\n  %other = arith.constant 1 : i32\n  %zero"));
  EXPECT_EQ(found.state, NoteState::Moved);
  EXPECT_EQ(nameOf(found), "q_mm:linalg.matmul");
  EXPECT_EQ(found.how, "it was in line 4");
}

TEST_F(FindOp, OfAnotherSizeFunctionAndKind) {
  EXPECT_EQ(nameOf(find(kBefore, "linalg.matmul", 0, replaced(kBefore, "8x", "4x"))), "q_mm:linalg.matmul");
  ResolvedOp elsewhere = find(kBefore, "linalg.matmul", 0, replaced(kBefore, "@main", "@attention"));
  EXPECT_EQ(elsewhere.state, NoteState::Moved);
  EXPECT_EQ(elsewhere.how, "it is in @attention now");
  ResolvedOp other = find(kBefore, "linalg.exp", 0, replaced(kBefore, "linalg.exp", "linalg.tanh"));
  EXPECT_EQ(nameOf(other), "act:linalg.tanh");
  EXPECT_EQ(other.how, "it is a linalg.tanh now");
}

TEST_F(FindOp, Renamed) {
  ResolvedOp found = find(kBefore, "linalg.matmul", 0, replaced(kBefore, "%q_mm", "%query"));
  EXPECT_EQ(found.state, NoteState::Moved);
  EXPECT_EQ(nameOf(found), "query:linalg.matmul");
  EXPECT_EQ(found.how, "it is called query now");
}

TEST_F(FindOp, NotWhereItWasDeleted) {
  std::string deleted = replaced(kBefore,
                                 "  %q_mm = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) "
                                 "outs(%filled : tensor<8x32xf32>) -> tensor<8x32xf32>\n",
                                 "");
  ResolvedOp found = find(kBefore, "linalg.matmul", 0, replaced(deleted, "%q_mm", "%filled"));
  EXPECT_EQ(found.state, NoteState::Lost);
  EXPECT_EQ(found.how, "no op here is like it");
}

/// Two matmuls with names of their own; the noted one is deleted.
TEST_F(FindOp, NotASiblingWithAnotherName) {
  std::string k = "  %k_mm = linalg.matmul ins(%x, %v : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : "
                  "tensor<8x32xf32>) -> tensor<8x32xf32>\n";
  std::string both =
      replaced(replaced(kBefore, "%init: tensor", "%v: tensor<16x32xf32>, %init: tensor"), "  %act", k + "  %act");
  std::string q = "  %q_mm = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%filled : "
                  "tensor<8x32xf32>) -> tensor<8x32xf32>\n";
  std::string one = replaced(replaced(both, q, ""), "ins(%q_mm", "ins(%filled");
  EXPECT_EQ(find(both, "linalg.matmul", 0, one).state, NoteState::Lost);
  EXPECT_EQ(nameOf(find(both, "linalg.matmul", 1, one)), "k_mm:linalg.matmul");
}

/// Moved behind another one of its kind.
TEST_F(FindOp, InAnotherOrder) {
  std::string a = "  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>\n";
  std::string b = "  %b = linalg.exp ins(%y : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>\n";
  std::string head = "func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {\n";
  std::string tail = "  return %a, %b : tensor<8xf32>, tensor<8xf32>\n}\n";
  ResolvedOp found = find(head + a + b + tail, "linalg.exp", 0, head + b + a + tail);
  EXPECT_EQ(nameOf(found), "a:linalg.exp");
  EXPECT_EQ(found.state, NoteState::Moved);
}

std::string chain(int length) {
  std::string text = "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n";
  for (int i = 0; i < length; ++i)
    text += "  %" + std::to_string(i) + " = linalg.exp ins(" + (i ? "%" + std::to_string(i - 1) : std::string("%x")) +
            " : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>\n";
  return text + "  return %" + std::to_string(length - 1) + " : tensor<8xf32>\n}\n";
}

/// Layers of a model look the same: the number among them tells, as long as there are as many.
TEST_F(FindOp, AmongThoseThatLookTheSame) {
  ResolvedOp same = find(chain(12), "linalg.exp", 5, "// a line\n" + chain(12));
  EXPECT_EQ(same.state, NoteState::Moved);
  EXPECT_EQ(now_->describe(same.op).ordinal, 5);
  ResolvedOp fewer = find(chain(12), "linalg.exp", 5, chain(9));
  EXPECT_EQ(fewer.state, NoteState::Unsure);
  EXPECT_NE(fewer.how.find("look the same"), std::string::npos) << fewer.how;
}

TEST_F(FindOp, Argument) {
  NotedOps old(read(kBefore));
  message::OpAnchor<> anchor = old.describe({opOf(old, "func.func"), 1});
  EXPECT_EQ(anchor.op, "argument");
  EXPECT_EQ(anchor.name, "w");
  EXPECT_EQ(anchor.function, "@main");
  NotedOps now(read(
      replaced(kBefore, "%x: tensor<8x16xf32>, %w: tensor<16x32xf32>", "%w: tensor<16x32xf32>, %x: tensor<8x16xf32>")));
  ResolvedOp found = now.find(anchor);
  EXPECT_EQ(found.op.argument, 0);
  anchor.name = "gone";
  anchor.types = "f32";
  anchor.function = "@other";
  EXPECT_EQ(now.find(anchor).state, NoteState::Lost);
}

/// What others wrote into a file of notes finds nothing, and does no harm.
TEST_F(FindOp, OfNonsense) {
  NotedOps ops(read(kBefore));
  message::OpAnchor<> anchor;
  EXPECT_EQ(ops.find(anchor).state, NoteState::Lost);
  anchor.op = "argument";
  EXPECT_EQ(ops.find(anchor).state, NoteState::Lost);
  anchor.op = "linalg.matmul";
  anchor.ordinal = INT_MAX;
  anchor.alike = -1;
  anchor.operands.assign(16, "%x");
  EXPECT_EQ(ops.find(anchor).state, NoteState::Lost);
}

TEST_F(FindOp, ThousandsThatAreGoneAreComparedWithFew) {
  std::string text = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n  %v0 = math.exp %x : tensor<8xf32>\n";
  constexpr int ops = 20'000;
  for (int i = 1; i < ops; ++i)
    text += "  %v" + std::to_string(i) + " = math.exp %v" + std::to_string(i - 1) + " : tensor<8xf32>\n";
  NotedOps all(read(text + "  return %v" + std::to_string(ops - 1) + " : tensor<8xf32>\n}\n"));
  message::OpAnchor<> wanted = all.describe({opOf(all, "math.exp", 100), -1});
  wanted.types = "tensor<9xf32>";
  wanted.line = 7;
  message::OpAnchor<> lost = wanted;
  lost.function = "@gone";
  lost.name = "gone";
  lost.operands = {"%nothing"};
  lost.users = {"nobody"};
  lost.above = lost.below = "none";
  constexpr size_t notes = 5000;
  for (size_t i = 0; i < notes; ++i)
    EXPECT_EQ(all.find(lost).state, NoteState::Lost);
  // All with all would be 100 million.
  EXPECT_GE(all.compared(), size_t(ops));
  EXPECT_LE(all.compared(), NotedOps::mostComparisons + 300 * notes);
  // One that is near its place is found all the same.
  ResolvedOp found = all.find(wanted);
  EXPECT_EQ(all.describe(found.op).name, "v100");
}

} // namespace
} // namespace fuselage
