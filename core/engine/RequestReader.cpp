#include "core/engine/RequestReader.h"
#include "core/engine/Document.h"
#include "core/protocol/json/JsonReader.h"

namespace fuselage {

bool RequestReader::isMissing(llvm::StringRef key, const Parameter &parameter, const char *what) {
  if (!parameter.isRequired || params_.has(key))
    return false;
  params_.complain(key, "is missing; it must be " + llvm::Twine(what));
  return true;
}

void RequestReader::operator()(llvm::StringRef key, bool &member, const Parameter &) {
  member = params_.boolean(key, member);
}

void RequestReader::operator()(llvm::StringRef key, int64_t &member, const Parameter &parameter) {
  member = parameter.isRequired ? params_.integer(key, parameter.min, parameter.max)
                                : params_.integer(key, parameter.min, parameter.max, member);
}

void RequestReader::operator()(llvm::StringRef key, double &member, const Parameter &parameter) {
  if (isMissing(key, parameter, "a number"))
    return;
  member = params_.real(key, parameter.least, parameter.most, member);
}

void RequestReader::operator()(llvm::StringRef key, std::string &member, const Parameter &parameter) {
  member = parameter.isRequired ? params_.string(key) : params_.string(key, member);
}

void RequestReader::operator()(llvm::StringRef key, std::vector<int64_t> &member, const Parameter &parameter) {
  if (isMissing(key, parameter, "an array"))
    return;
  member = params_.integers(key);
}

void RequestReader::operator()(llvm::StringRef key, std::vector<std::string> &member, const Parameter &parameter) {
  if (isMissing(key, parameter, "an array"))
    return;
  member = params_.strings(key);
}

void RequestReader::operator()(llvm::StringRef key, Map<int64_t> &member, const Parameter &parameter) {
  if (isMissing(key, parameter, "an object"))
    return;
  member = params_.sizes(key);
}

void RequestReader::operator()(llvm::StringRef key, Map<std::string> &member, const Parameter &parameter) {
  if (isMissing(key, parameter, "an object"))
    return;
  member = params_.texts(key);
}

void RequestReader::operator()(llvm::StringRef key, std::vector<message::Note<>> &member, const Parameter &parameter) {
  if (isMissing(key, parameter, "an array"))
    return;
  const llvm::json::Array *array = params_.array(key);
  if (!array)
    return;
  message::Notes<> notes;
  message::decode(llvm::json::Object{{"notes", llvm::json::Array(*array)}}, notes);
  member = std::move(notes.notes);
}

void RequestReader::operator()(llvm::StringRef key, method::SnapshotNumber &member, const Parameter &parameter) {
  int64_t number = member.number;
  (*this)(key, number, parameter.range(0, UINT32_MAX));
  member = 0;
  if (document_->hasSnapshot(number))
    member = static_cast<int>(number);
  else if (number >= Document::kFirstPlace)
    params_.complain(key, "is a place of a schedule that is not held any more");
  else
    params_.complain(key, "is " + llvm::Twine(number) + ", but must be from 0 to " +
                              llvm::Twine(int64_t(document_->snapshotCount()) - 1));
}

} // namespace fuselage
