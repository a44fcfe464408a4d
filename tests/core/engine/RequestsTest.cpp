// What clients write of a request is what the engine reads, and what is wrong with it is said by its name.
#include "core/engine/MethodTable.h"
#include "core/protocol/json/RequestWriter.h"
#include "tests/core/protocol/AllMessages.h"
#include "tests/core/protocol/AllRequests.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

class Requests : public ::testing::Test {
protected:
  std::unique_ptr<Document> document = llvm::cantFail(Document::open(FUSELAGE_SOURCE_DIR "/samples/softmax.mlir"));

  /// What the engine reads of the parameters, written again; or the error.
  template <class M> llvm::Expected<llvm::json::Object> read(const llvm::json::Object &parameters) {
    llvm::json::Value json = llvm::json::Object(parameters);
    Params params(json);
    method::RequestOf<M> request;
    RequestReader reader(params, document.get());
    request.fields(reader);
    if (llvm::Error error = params.check())
      return error;
    return message::encodeRequest(request);
  }
};

TEST_F(Requests, AreReadAsTheyAreWritten) {
  method::AllMethods::forEach([&]<class M>() {
    SCOPED_TRACE(M::name);
    llvm::json::Object filled = message::encodeRequest(method::test::filledRequest<M, message::StdTypes>());
    auto back = read<M>(filled);
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(llvm::json::Value(std::move(*back)), llvm::json::Value(std::move(filled)));
  });
}

TEST_F(Requests, RefuseWhatIsMissing) {
  method::AllMethods::forEach([&]<class M>() {
    SCOPED_TRACE(M::name);
    llvm::json::Object filled = message::encodeRequest(method::test::filledRequest<M, message::StdTypes>());
    llvm::json::Object unset = message::encodeRequest(method::RequestOf<M>());
    // What is written of a request without anything set has to be there.
    for (const auto &[key, value] : unset) {
      llvm::json::Object less = filled;
      less.erase(key);
      auto refused = read<M>(less);
      ASSERT_FALSE(bool(refused)) << key.str();
      EXPECT_EQ(llvm::toString(refused.takeError()).find("parameter '" + key.str() + "' is missing"), 0u);
    }
    for (const auto &[key, value] : filled)
      if (!unset.get(key)) {
        llvm::json::Object less = filled;
        less.erase(key);
        auto taken = read<M>(less);
        EXPECT_TRUE(bool(taken)) << llvm::toString(taken.takeError());
      }
  });
}

TEST_F(Requests, NameWhatIsWrong) {
  method::AllMethods::forEach([&]<class M>() {
    SCOPED_TRACE(M::name);
    llvm::json::Object filled = message::encodeRequest(method::test::filledRequest<M, message::StdTypes>());
    for (const auto &[key, value] : filled) {
      int refusals = 0;
      for (const char *strange : message::test::strangeValues) {
        llvm::json::Object other = filled;
        other[key] = llvm::cantFail(llvm::json::parse(strange));
        auto taken = read<M>(other);
        if (taken)
          continue;
        ++refusals;
        std::string said = llvm::toString(taken.takeError());
        EXPECT_EQ(said.find("parameter '" + key.str() + "'"), 0u) << strange << ": " << said;
      }
      EXPECT_GT(refusals, 0) << key.str();
    }
  });
}

} // namespace
