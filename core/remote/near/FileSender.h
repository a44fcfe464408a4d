// Files on their way to the other side.
#pragma once
#include "core/remote/files/RequestFiles.h"
#include "core/remote/link/LinkMessages.h"
#include "core/remote/store/SafeFolder.h"
#include <deque>

namespace fuselage::remote {

/// Sends files in pieces, as the link takes them. Small ones go along with the request that needs them, which saves the
/// way back and forth; others are sent when the other side says that it lacks them, from where it lacks them.
class FileSender {
public:
  explicit FileSender(LinkChannel &channel) : channel_(channel) {}

  /// What a request is about to need.
  void announce(const std::vector<WantedFile> &files);
  /// The other side lacks a file from `offset` on. One that was not announced is not sent.
  void lacks(const std::string &hash, uint64_t offset);
  /// Nobody waits for it any more.
  void stop(const std::string &hash);
  /// Sends what goes now.
  void move();

private:
  struct Known {
    std::string path;
    uint64_t size = 0;
    bool isSent = false; ///< with a request
  };
  struct Sending {
    std::string hash;
    uint64_t offset = 0;
    OwnedFd file{};
  };
  bool sendPiece(Sending &sending);
  void giveUp(const Sending &sending, const std::string &why);

  LinkChannel &channel_;
  std::map<std::string, Known> known_; ///< by hash
  std::deque<Sending> sending_;
};

} // namespace fuselage::remote
