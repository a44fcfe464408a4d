// The near side of a session: the client on one side, the link on the other.
#pragma once
#include "core/remote/near/FileSender.h"
#include "core/remote/near/LinkClient.h"
#include "core/remote/near/LocalAnswers.h"
#include "core/remote/near/OutputReceiver.h"
#include "core/remote/near/RemoteOptions.h"
#include "core/remote/near/RequestWorker.h"
#include "core/support/rpc/Framing.h"
#include "core/support/rpc/JsonRpc.h"

namespace fuselage::remote {

class NearSession {
public:
  NearSession(int in, int out, RemoteOptions options);
  /// The exit status.
  int run();

private:
  using Clock = std::chrono::steady_clock;

  bool isOver();
  void wait();
  void readClient();
  void receive(const std::string &frame);
  void request(const RpcMessage &message, const std::string &frame);
  void notification(const RpcMessage &message, const std::string &frame);
  void sendPrepared();
  void sendRequest(const NearRequest &request);
  void endNow();
  void noteClientEnd();
  void takeSignals();

  void handle(const LinkMessage &message);
  void reply(const LinkMessage &message);
  void takeWish(const llvm::json::Object &wish);
  void takeOutput(const LinkNote &note);
  void noteEngineEnd(const LinkNote &note);
  void answer(const std::string &id, const std::string &text);
  void log(llvm::StringRef text);

  void tellState();
  void noteLinkEnd();
  void refuseAll(const std::string &why);
  int finish();

  RemoteOptions options_;
  OwnedFd in_, out_, wake_, signals_;
  FrameParser frames_;
  ByteQueue clientOutput_;
  LinkClient link_;
  PathMap paths_;
  RequestMapper mapper_;
  FileSender sender_;
  OutputReceiver receiver_;
  LocalAnswers local_;
  std::set<std::string> waiting_; ///< ids of requests that have no reply yet
  std::optional<LinkPhase> told_;
  std::string toldText_;
  size_t toldWaiting_ = 0;
  Clock::time_point toldAt_{};
  std::optional<Clock::time_point> deadline_; ///< by when it has to be over
  std::optional<int> exitCode_;
  int signal_ = 0; ///< that the engine died of
  bool hasInput_ = true, isEnding_ = false, isKilled_ = false;
  RequestWorker worker_; ///< last: its thread ends first
};

} // namespace fuselage::remote
