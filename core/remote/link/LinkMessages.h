// What the two sides of the link tell each other: a kind, a header of JSON in one line, and bytes after it.
#pragma once
#include "core/remote/link/LinkChannel.h"
#include "llvm/Support/JSON.h"

namespace fuselage::remote {

/// From `fuselage remote` to the keeper.
namespace toKeeper {
inline constexpr MessageKind request = 'R'; ///< {files, outputs}, and a message of the client
inline constexpr MessageKind notify = 'N';  ///< {cancel?}, and a notification, which overtakes requests that wait
inline constexpr MessageKind put = 'P';     ///< {hash, offset, size}, and bytes of a file
inline constexpr MessageKind unread = 'U';  ///< {hash, why}: the file cannot be read any more
inline constexpr MessageKind end = 'E';     ///< the client has sent all
inline constexpr MessageKind kill = 'K';    ///< the engine is ended at once
} // namespace toKeeper

/// From the keeper.
namespace fromKeeper {
inline constexpr MessageKind session = 'S'; ///< {folder}: where the files of the session are
inline constexpr MessageKind message = 'M'; ///< a message of the engine
inline constexpr MessageKind log = 'L';     ///< what the engine said on stderr
inline constexpr MessageKind lacks =
    'Q'; ///< {hash, offset}: a file that a request needs, from there on; {hash, stop}: no more
inline constexpr MessageKind output = 'O'; ///< {id, offset, isLast}, and bytes of a file that the engine wrote
inline constexpr MessageKind exit = 'X';   ///< {code, signal}: how the engine ended
} // namespace fromKeeper

/// A message with its header.
struct LinkNote {
  llvm::json::Object header{};
  llvm::StringRef body{}; ///< in the message that was read
};
/// Nullopt: there is no header.
std::optional<LinkNote> readNote(llvm::StringRef text);
std::string noteText(llvm::json::Object header, llvm::StringRef body = {});

/// The id of a reply, as its text ("7", "\"a\""); empty: the message is none. Long replies are not parsed.
std::string idOfReply(llvm::StringRef message);

} // namespace fuselage::remote
