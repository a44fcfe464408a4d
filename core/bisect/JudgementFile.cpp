#include "core/bisect/JudgementFile.h"
#include "core/support/JsonText.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

namespace fuselage {

static constexpr llvm::StringLiteral kKind = "fuselage bisect";
static constexpr llvm::StringLiteral kVerdicts[] = {"good", "bad", "unknown"};

std::string JudgementFile::keyOf(llvm::ArrayRef<std::string> texts) {
  llvm::SHA256 hash;
  for (const std::string &text : texts) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

llvm::Expected<JudgementFile> JudgementFile::open(std::string path, std::string key) {
  JudgementFile file;
  file.path_ = std::move(path);
  file.key_ = std::move(key);
  if (llvm::Error error = checkOutputFile(file.path_))
    return std::move(error);
  auto buffer = llvm::MemoryBuffer::getFile(file.path_);
  if (!buffer || (*buffer)->getBuffer().empty())
    return std::move(file);
  auto json = llvm::json::parse((*buffer)->getBuffer());
  const llvm::json::Object *object = json ? json->getAsObject() : nullptr;
  if (!json)
    llvm::consumeError(json.takeError());
  if (!object || object->getString("kind") != llvm::StringRef(kKind))
    return fail("'" + file.path_ + "' is no state of a bisection; name another file for --state");
  const llvm::json::Array *all = object->getArray("judgements");
  if (object->getString("key") != llvm::StringRef(file.key_) || !all)
    return std::move(file); // of another input, pipeline or version
  for (const llvm::json::Value &value : *all) {
    const llvm::json::Object *one = value.getAsObject();
    auto place = one ? one->getString("place") : std::nullopt;
    auto verdict = one ? one->getString("verdict") : std::nullopt;
    const auto *known = verdict ? llvm::find(kVerdicts, *verdict) : std::end(kVerdicts);
    if (!place || known == std::end(kVerdicts))
      continue;
    file.judgements_[place->str()] = {IrVerdict(known - kVerdicts), one->getString("why").value_or("").str(),
                                      one->getString("gap").value_or("").str()};
  }
  return std::move(file);
}

std::optional<Judgement> JudgementFile::find(llvm::StringRef place) const {
  auto known = judgements_.find(place.str());
  return known == judgements_.end() ? std::nullopt : std::optional(known->second);
}

llvm::Error JudgementFile::add(llvm::StringRef place, const Judgement &judgement) {
  judgements_[place.str()] = judgement;
  return write();
}

llvm::Error JudgementFile::write() const {
  llvm::json::Array all;
  for (const auto &[place, judgement] : judgements_)
    all.push_back(llvm::json::Object{{"place", place},
                                     {"verdict", kVerdicts[unsigned(judgement.verdict)]},
                                     {"why", judgement.why},
                                     {"gap", judgement.gap}});
  return writeOutputFile(path_,
                         jsonText(llvm::json::Object{{"kind", kKind}, {"key", key_}, {"judgements", std::move(all)}}));
}

void JudgementFile::remove() const { llvm::sys::fs::remove(path_); }

} // namespace fuselage
