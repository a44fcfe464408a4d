// Requests that are answered where the client is: lessons, and the notes beside a document.
#pragma once
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>

namespace fuselage::remote {

/// The near side of what stays with the user: `lesson/list` and `lesson/open` are answered here. `notes/load` and
/// `notes/save` ask the engine first whether a document is open, and then read and write the local files.
class LocalAnswers {
public:
  /// The reply to a request that needs no engine; nullopt: it needs one.
  static std::optional<std::string> answer(const std::string &id, llvm::StringRef method, llvm::json::Value &params);

  /// Remembers what the request means here, and changes it to what the engine gets.
  void note(const std::string &id, std::string &method, llvm::json::Value &params);
  /// The reply that the client gets; `isError`: the request failed.
  std::string reply(const std::string &id, std::string text, bool isError);

private:
  enum class Meaning { Opens, LoadsNotes, SavesNotes };
  struct Noted {
    Meaning meaning;
    std::string path; ///< that it opens
    llvm::json::Value params = nullptr;
  };
  std::string loadedNotes(const std::string &id) const;
  std::string savedNotes(const std::string &id, const llvm::json::Value &params) const;

  std::map<std::string, Noted> noted_;
  std::string document_; ///< that is open
};

/// An error reply.
std::string errorReply(const std::string &id, int code, llvm::StringRef message);

} // namespace fuselage::remote
