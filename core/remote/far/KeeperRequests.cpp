// Requests that wait for their files.
#include "core/remote/far/Keeper.h"
#include "core/support/JsonText.h"
#include "core/support/rpc/Framing.h"
#include "llvm/ADT/STLExtras.h"
#include <unistd.h>

namespace fuselage::remote {

namespace json = llvm::json;
using llvm::StringRef;

static constexpr int kFailedCode = -32000, kCancelledCode = -32800;

static std::string textIn(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

template <class Take> static void forEachObject(const json::Object &object, StringRef key, const Take &take) {
  if (const json::Array *list = object.getArray(key))
    for (const json::Value &each : *list)
      if (const json::Object *inner = each.getAsObject())
        take(*inner);
}

void Keeper::hold(LinkNote note) {
  HeldRequest &request = held_.emplace_back();
  request.text = note.body.str();
  request.id = textIn(note.header, "id");
  forEachObject(note.header, "files", [&](const json::Object &file) {
    request.files.push_back(
        {.at = textIn(file, "at"), .hash = textIn(file, "hash"), .isCopy = file.getBoolean("copy").value_or(false)});
  });
  forEachObject(note.header, "outputs", [&](const json::Object &output) {
    request.outputs.push_back({.id = output.getInteger("id").value_or(-1),
                               .at = textIn(output, "at"),
                               .isUpdated = output.getBoolean("updated").value_or(false)});
  });
  if (const json::Array *absent = note.header.getArray("absent"))
    for (const json::Value &each : *absent)
      request.absent.push_back(each.getAsString().value_or("").str());
}

void Keeper::notify(const LinkNote &note) {
  const std::string cancelled = textIn(note.header, "cancel");
  auto waiting =
      llvm::find_if(held_, [&](const HeldRequest &each) { return !cancelled.empty() && each.id == cancelled; });
  if (waiting == held_.end())
    return engine_.send(frameOf(note.body));
  refuse(*waiting, fail("superseded or cancelled"), kCancelledCode);
  stopUnwanted(*waiting);
  held_.erase(waiting);
}

/// The reply that the engine would send.
void Keeper::refuse(const HeldRequest &request, llvm::Error error, int code) {
  json::Value id = nullptr;
  if (auto parsed = json::parse(request.id))
    id = std::move(*parsed);
  else
    llvm::consumeError(parsed.takeError());
  json::Object problem{{"code", code},
                       {"message", takeFailure(std::move(error)).message},
                       {"data", json::Object{{"diagnostics", json::Array()}}}};
  sendNote(fromKeeper::message,
           compactJson(json::Object{{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(problem)}}));
}

void Keeper::ask(const std::string &hash) {
  if (!isAsked_.try_emplace(hash, false).second)
    return;
  auto file = session_.store().begin(hash);
  if (file)
    incoming_[hash] = std::move(*file);
  else
    refused_[hash] = takeFailure(file.takeError()).message;
}

/// A small file comes whole and unasked; some of it may be there from an earlier session.
void Keeper::takeWhole(const std::string &hash, StringRef content) {
  ask(hash);
  auto file = incoming_.find(hash);
  if (file == incoming_.end())
    return;
  while (!file->second->catchUp())
    ;
  const uint64_t there = file->second->size();
  finishFile(hash,
             there < content.size() ? file->second->append(there, content.drop_front(there)) : llvm::Error::success());
}

void Keeper::put(const LinkNote &note) {
  const std::string hash = textIn(note.header, "hash");
  const uint64_t offset = static_cast<uint64_t>(note.header.getInteger("offset").value_or(0));
  const uint64_t size = static_cast<uint64_t>(note.header.getInteger("size").value_or(0));
  auto file = incoming_.find(hash);
  if (session_.store().has(hash))
    return;
  if (offset == 0 && note.body.size() == size && file == incoming_.end())
    return takeWhole(hash, note.body);
  // Pieces of a file that was given up, and is sent anew, may be on their way yet.
  if (file == incoming_.end() || !isAsked_[hash] || offset != file->second->size())
    return;
  llvm::Error error = file->second->append(offset, note.body);
  if (error || file->second->size() >= size)
    finishFile(hash, std::move(error));
}

/// All has come, or something is wrong.
void Keeper::finishFile(const std::string &hash, llvm::Error error) {
  if (!error)
    error = session_.store().finish(*incoming_[hash]);
  if (error)
    refused_[hash] = takeFailure(std::move(error)).message;
  incoming_.erase(hash);
  isAsked_.erase(hash);
  isFull_ = true;
}

/// What came of files that nobody waits for any more stays for later.
void Keeper::stopUnwanted(const HeldRequest &cancelled) {
  for (const FarFile &file : cancelled.files) {
    const bool isWanted = llvm::any_of(held_, [&](const HeldRequest &request) {
      return &request != &cancelled &&
             llvm::any_of(request.files, [&](const FarFile &each) { return each.hash == file.hash; });
    });
    if (isWanted || incoming_.erase(file.hash) == 0)
      continue;
    isAsked_.erase(file.hash);
    sendNote(fromKeeper::lacks, noteText(json::Object{{"hash", file.hash}, {"stop", true}}));
  }
}

/// The near side cannot read it any more.
void Keeper::giveUp(const LinkNote &note) {
  const std::string hash = textIn(note.header, "hash");
  refused_[hash] = textIn(note.header, "why");
  incoming_.erase(hash);
  isAsked_.erase(hash);
}

void Keeper::advance() {
  for (auto &[hash, isAsked] : isAsked_) {
    auto file = incoming_.find(hash);
    if (isAsked || file == incoming_.end() || !file->second->catchUp())
      continue;
    isAsked = true;
    sendNote(fromKeeper::lacks, noteText(llvm::json::Object{{"hash", hash}, {"offset", file->second->size()}}));
  }
  while (!held_.empty() && isReady(held_.front())) {
    HeldRequest request = std::move(held_.front());
    held_.pop_front();
    startRequest(std::move(request));
  }
  if (!held_.empty())
    return;
  // Not of files that a request waits for.
  if (std::exchange(isFull_, false))
    session_.store().evict(options_.cacheBytes);
  if (isClosing_)
    engine_.closeInput();
}

/// Whether all files are there, or will not come.
bool Keeper::isReady(HeldRequest &request) {
  // Each that is on its way is an open file.
  constexpr size_t mostIncoming = 200;
  const auto isThere = [&](const FarFile &file) { return session_.store().has(file.hash); };
  while (request.there < request.files.size() && isThere(request.files[request.there]))
    ++request.there;
  for (const FarFile &file : llvm::ArrayRef(request.files).drop_front(request.there)) {
    if (refused_.count(file.hash))
      return true;
    if (incoming_.size() >= mostIncoming)
      break;
    if (!incoming_.count(file.hash) && !isThere(file))
      ask(file.hash);
  }
  return request.there == request.files.size();
}

llvm::Error Keeper::placeFiles(const HeldRequest &request) {
  for (const FarFile &file : request.files)
    if (auto refused = refused_.find(file.hash); refused != refused_.end()) {
      std::string why = refused->second;
      refused_.erase(refused); // it may be sent again
      return fail("cannot get the file for '" + file.at + "': " + why);
    }
  for (const FarFile &file : request.files)
    if (llvm::Error error = session_.place(file.hash, file.at, file.isCopy))
      return error;
  for (const std::string &at : request.absent)
    if (llvm::Error error = session_.clear(at))
      return error;
  // Their folders are made.
  for (const FarOutput &output : request.outputs)
    if (stampText(output.at).empty())
      if (llvm::Error error = session_.clear(output.at))
        return error;
  return llvm::Error::success();
}

void Keeper::startRequest(HeldRequest request) {
  if (llvm::Error error = placeFiles(request))
    return refuse(request, std::move(error), kFailedCode);
  for (FarOutput &output : request.outputs)
    output.before = stampText(output.at);
  if (!request.outputs.empty())
    outputs_[request.id] = std::move(request.outputs);
  engine_.send(frameOf(withPaths(std::move(request.text))));
}

/// The session's token in a request stands for its folder.
std::string Keeper::withPaths(std::string text) const {
  const std::string token = "fuselage-session-" + options_.session, quoted = compactJson(session_.filesPath());
  const StringRef path = StringRef(quoted).drop_front().drop_back();
  for (size_t found = 0; (found = text.find(token, found)) != std::string::npos; found += path.size())
    text.replace(found, token.size(), path.data(), path.size());
  return text;
}

} // namespace fuselage::remote
