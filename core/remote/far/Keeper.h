// Keeps an engine while its link is down.
#pragma once
#include "core/remote/far/EngineChild.h"
#include "core/remote/far/FarOptions.h"
#include "core/remote/far/FarSession.h"
#include "core/remote/link/LinkMessages.h"
#include "core/support/rpc/Framing.h"
#include <chrono>
#include <map>

namespace fuselage::remote {

/// Between the engine, by pipes, and the near side, by a socket to which each connection of the link comes anew. Files
/// that a request needs are there before the engine gets it.
class Keeper {
public:
  Keeper(const FarSession &session, EngineChild engine, OwnedFd listener, const FarOptions &options);
  /// Until the engine has ended and the near side knows, or there was no link for too long.
  void run();

private:
  using Clock = std::chrono::steady_clock;
  struct FarFile {
    std::string at, hash;
    bool isCopy = false;
  };
  struct FarOutput {
    int64_t id = 0;
    std::string at;
    bool isUpdated = false;
    std::string before{}; ///< what the file was when the request began; see stampText()
  };
  struct HeldRequest {
    std::string text, id;
    std::vector<FarFile> files;
    size_t there = 0; ///< of the files, so many from the first are known to be in the store
    std::vector<std::string> absent;
    std::vector<FarOutput> outputs;
  };
  /// A message, or a file that goes out in pieces.
  struct Outgoing {
    MessageKind kind = 0;
    std::string text{};
    OwnedFd file{};
    int64_t id = 0;
    uint64_t offset = 0;
  };

  bool isOver();
  void wait();
  void acceptLink();
  void readLink();
  void dropLink();
  void reclaimFiles();
  void writeLink();
  void handle(const LinkMessage &message);
  void hold(LinkNote note);
  void notify(const LinkNote &note);
  void put(const LinkNote &note);
  void takeWhole(const std::string &hash, llvm::StringRef content);
  void finishFile(const std::string &hash, llvm::Error error);
  void stopUnwanted(const HeldRequest &cancelled);
  void giveUp(const LinkNote &note);
  void advance();
  bool isReady(HeldRequest &request);
  void ask(const std::string &hash);
  void startRequest(HeldRequest request);
  llvm::Error placeFiles(const HeldRequest &request);
  void refuse(const HeldRequest &request, llvm::Error error, int code);
  std::string withPaths(std::string text) const;

  void readEngine();
  void takeReply(std::string text);
  void watchFiles();
  void sendFile(const FarOutput &output);
  void sendNote(MessageKind kind, std::string text);
  void moveOutgoing();
  void noteEnd();
  std::string stampText(const std::string &at) const;

  const FarSession &session_;
  EngineChild engine_;
  OwnedFd listener_, link_;
  FarOptions options_;
  LinkChannel channel_;
  ByteQueue linkOutput_;
  FrameParser frames_;
  std::deque<HeldRequest> held_;
  std::deque<Outgoing> outgoing_;
  std::map<std::string, std::unique_ptr<IncomingFile>> incoming_; ///< by hash
  std::map<std::string, bool> isAsked_;                           ///< hashes that are catching up or were asked for
  std::map<std::string, std::string> refused_;                    ///< hashes, with the reason
  std::map<std::string, std::vector<FarOutput>> outputs_;         ///< by the id of the request
  std::vector<FarOutput> watched_;
  Clock::time_point lastLink_ = Clock::now(), lastBytes_ = Clock::now(), lastWatch_ = Clock::now();
  bool isFull_ = false; ///< files have come since the last eviction
  bool isFirstLink_ = true, wasLinked_ = false, isClosing_ = false, hasEnded_ = false;
};

} // namespace fuselage::remote
