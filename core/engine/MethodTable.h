// Registers the engine's methods by their descriptions (core/protocol/methods): what is the same for all is done here.
#pragma once
#include "core/engine/Engine.h"
#include "core/engine/RequestReader.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/support/ForkedCopy.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <variant>

namespace fuselage {

/// The ops of the snapshot that a request names.
struct IndexedSnapshot {
  Document &document;
  unsigned snapshot = 0;
  std::shared_ptr<OpIndex> index{};
};
/// Failure: the snapshot does not parse.
llvm::Expected<IndexedSnapshot> opsOf(Document &document, unsigned snapshot);

/// Failure: the document is a dump of XLA, and the method transforms or runs programs.
llvm::Error refuseOnReadOnly(llvm::StringRef method, Document &document);

/// A request that a copy of the engine answers: it ends as soon as the request is cancelled, whatever code of upstream
/// it is in, and alone if that crashes. What it keeps for later requests is lost, and it notifies nobody.
struct CopiedAnswer {
  TrialLimits limits;
  std::string doing;    ///< "bufferizing this module", which "crashes with signal 11"
  std::string advice{}; ///< "try it on a part of the module"
};

/// The answer of a copy, or of this process where there can be no copy. A copy that may die of a file comes first; one
/// that reads with more care comes after its death, and tells what is wrong with the file.
llvm::Expected<std::string> answerInCopy(Engine &engine, CopiedAnswer copied,
                                         llvm::function_ref<llvm::Expected<std::string>()> answer);

namespace detail {

template <class M> struct AnswerOf { using type = method::ReplyOf<M>; };
template <class M>
requires std::same_as<method::ReplyOf<M>, method::WrittenByHand>
struct AnswerOf<M> {
  using type = llvm::json::Value;
};
template <class M>
requires requires { typename M::template OtherReply<message::StdTypes>; }
struct AnswerOf<M> {
  using type = std::variant<method::ReplyOf<M>, typename M::template OtherReply<message::StdTypes>>;
};

template <class M, method::Needs needs> struct HandlerOf {
  using type = llvm::Expected<typename AnswerOf<M>::type> (*)(Engine &, const method::RequestOf<M> &);
};
template <class M> struct HandlerOf<M, method::Needs::Document> {
  using type = llvm::Expected<typename AnswerOf<M>::type> (*)(Engine &, Document &, const method::RequestOf<M> &);
};
template <class M> struct HandlerOf<M, method::Needs::Ops> {
  using type = llvm::Expected<typename AnswerOf<M>::type> (*)(Engine &, const IndexedSnapshot &,
                                                              const method::RequestOf<M> &);
};

inline std::string textOf(const llvm::json::Value &value) { return compactJson(value); }
/// Without a tree of values in between, which of large replies took half the time.
template <message::Message T> std::string textOf(const T &message) {
  std::string text;
  message::appendMessage<message::JsonForm::Compact>(text, message);
  return text;
}
template <class... Replies> std::string textOf(const std::variant<Replies...> &reply) {
  return std::visit([](const auto &one) { return textOf(one); }, reply);
}

/// Of a request that names one, itself or in a part of it.
template <class Request> unsigned snapshotOf(const Request &request) {
  if constexpr (requires { request.snapshot; })
    return static_cast<unsigned>(request.snapshot);
  else
    return static_cast<unsigned>(request.op.snapshot);
}

} // namespace detail

/// What a method does: Expected<Reply>(Engine &, const Request &). One that needs a document takes it, too, before the
/// request; one that needs ops takes an IndexedSnapshot there. Of a reply that is WrittenByHand, it answers the JSON.
template <class M> using Handler = typename detail::HandlerOf<M, M::needs>::type;

/// Whether a copy of the engine answers a request. Nullopt: the engine itself does.
template <class M> using WhichCopy = std::optional<CopiedAnswer> (*)(const method::RequestOf<M> &);

/// Reads the request, and sees to what the method needs, before `handler` is called.
template <class M, Handler<M> handler, WhichCopy<M> whichCopy = nullptr> void addMethod(MethodTable &table) {
  table[M::name] = [](Engine &engine, Params &params) -> llvm::Expected<std::string> {
    Document *document = nullptr;
    if constexpr (M::needs != method::Needs::Nothing) {
      auto open = engine.document();
      if (!open)
        return open.takeError();
      document = *open;
      if (llvm::Error error = refuseOnReadOnly(M::name, *document))
        return error;
    }
    method::RequestOf<M> request;
    RequestReader reader(params, document);
    request.fields(reader);
    if (llvm::Error error = params.check())
      return error;
    auto handle = [&]() -> llvm::Expected<typename detail::AnswerOf<M>::type> {
      if constexpr (M::needs == method::Needs::Nothing) {
        return handler(engine, request);
      } else if constexpr (M::needs == method::Needs::Document) {
        return handler(engine, *document, request);
      } else {
        auto ops = opsOf(*document, detail::snapshotOf(request));
        if (!ops)
          return ops.takeError();
        return handler(engine, *ops, request);
      }
    };
    auto answer = [&]() -> llvm::Expected<std::string> {
      auto reply = handle();
      if (!reply)
        return reply.takeError();
      return detail::textOf(*reply);
    };
    if constexpr (whichCopy != nullptr)
      if (std::optional<CopiedAnswer> copied = whichCopy(request))
        return answerInCopy(engine, std::move(*copied), answer);
    return answer();
  };
}

} // namespace fuselage
