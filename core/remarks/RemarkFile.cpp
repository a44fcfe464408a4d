#include "core/remarks/RemarkFile.h"
#include "core/protocol/json/JsonReader.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/support/Confine.h"
#include "core/support/Error.h"
#include "core/support/ForkedCopy.h"
#include "core/support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

using message::RemarkKind;
using RemarkList = message::Remarks<>;

static std::string asUtf8(llvm::StringRef text) {
  constexpr size_t longest = 4000;
  text = text.take_front(longest);
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

static RemarkKind kindOf(llvm::remarks::Type type) {
  switch (type) {
  case llvm::remarks::Type::Passed:
    return RemarkKind::Passed;
  case llvm::remarks::Type::Missed:
    return RemarkKind::Missed;
  case llvm::remarks::Type::Analysis:
  case llvm::remarks::Type::AnalysisFPCommute:
  case llvm::remarks::Type::AnalysisAliasing:
    return RemarkKind::Analysis;
  case llvm::remarks::Type::Failure:
    return RemarkKind::Failure;
  case llvm::remarks::Type::Unknown:
    break;
  }
  return RemarkKind::Unknown;
}

/// MLIR's remarks are made of arguments alone, such as "Reason"; a text between those of LLVM has the key "String".
static std::string textOf(const llvm::remarks::Remark &remark) {
  std::string text;
  bool isText = llvm::any_of(remark.Args, [](const auto &argument) { return argument.Key == "String"; });
  if (isText)
    return asUtf8(remark.getArgsAsMsg());
  for (const llvm::remarks::Argument &argument : remark.Args)
    text += (text.empty() ? "" : ", ") + argument.Key.str() + "=" + argument.Val.str();
  return asUtf8(text);
}

/// LLVM's parser of YAML hands on what stands between single quotes as it is, doubled quotes included.
static void unquote(std::string &text) {
  for (size_t at = text.find("''"); at != std::string::npos; at = text.find("''", at + 1))
    text.erase(at, 1);
}

static message::Remark<> convert(const llvm::remarks::Remark &remark, bool isYaml) {
  message::Remark<> result{.kind = kindOf(remark.RemarkType),
                           .pass = asUtf8(remark.PassName),
                           .name = asUtf8(remark.RemarkName),
                           .function = asUtf8(remark.FunctionName),
                           .message = textOf(remark),
                           .file = {},
                           .opName = {},
                           .why = {}};
  if (isYaml)
    for (std::string *text : {&result.message, &result.name, &result.pass, &result.function})
      unquote(*text);
  // MLIR writes a remark at an op of no place so.
  if (remark.Loc && remark.Loc->SourceLine > 0) {
    result.file = asUtf8(remark.Loc->SourceFilePath);
    result.line = static_cast<int>(std::min(remark.Loc->SourceLine, 1u << 30));
    result.column = static_cast<int>(std::min(remark.Loc->SourceColumn, 1u << 30));
  }
  if (remark.Hotness)
    result.hotness = static_cast<int64_t>(std::min<uint64_t>(*remark.Hotness, INT64_MAX));
  return result;
}

/// All that can be read, up to an error.
static RemarkList parse(llvm::StringRef bytes) {
  RemarkList list;
  bool isBitstream = bytes.starts_with("RMRK");
  list.format = isBitstream ? "bitstream" : "yaml";
  if (bytes.trim().empty()) // a compiler that had nothing to say
    return list;
  auto parser = llvm::remarks::createRemarkParser(
      isBitstream ? llvm::remarks::Format::Bitstream : llvm::remarks::Format::YAML, bytes);
  if (!parser) {
    list.problem = asUtf8(llvm::StringRef(llvm::toString(parser.takeError())).trim());
    return list;
  }
  while (true) {
    auto remark = (*parser)->next();
    if (!remark) {
      llvm::Error error = remark.takeError();
      if (!error.isA<llvm::remarks::EndOfFileError>()) {
        list.problem = asUtf8(llvm::StringRef(llvm::toString(std::move(error))).trim());
        if (list.problem.empty())
          list.problem = "it is damaged";
      } else {
        llvm::consumeError(std::move(error));
      }
      return list;
    }
    if (!*remark) {
      list.problem = "it is damaged";
      return list;
    }
    if (list.remarks.size() < kMostRemarks)
      list.remarks.push_back(convert(**remark, !isBitstream));
    else
      ++list.leftOut;
  }
}

/// What a copy of the process has read. Failure: it died, and how.
static llvm::Expected<RemarkList> parseInCopy(llvm::StringRef bytes, llvm::StringRef name,
                                              const std::atomic<bool> *cancelled) {
  constexpr uint64_t most = uint64_t(2) << 30;
  auto trial = runForked({.seconds = 60, .bytes = most, .cancelled = cancelled}, [&](int pipe) {
    int writable[] = {pipe};
    confineToComputing(writable);
    std::string text;
    message::appendMessage<message::JsonForm::Compact>(text, parse(bytes));
    llvm::raw_fd_ostream(pipe, /*shouldClose=*/false) << text;
  });
  if (!trial)
    return fail("there is no memory to read '" + name.str() + "'");
  if (trial->death)
    return fail("'" + name.str() + "' is damaged: reading it " + *trial->death);
  auto json = llvm::json::parse(trial->output);
  if (!json)
    return fail("'" + name.str() + "' is damaged: " + takeFailure(json.takeError()).message);
  RemarkList list;
  if (const llvm::json::Object *object = json->getAsObject())
    message::decode(*object, list);
  return list;
}

llvm::Expected<RemarkList> readRemarks(llvm::StringRef bytes, llvm::StringRef name,
                                       const std::atomic<bool> *cancelled) {
  auto list = parseInCopy(bytes, name, cancelled);
  if (!list)
    return list.takeError();
  list->path = name.str();
  if (list->remarks.empty() && !list->problem.empty())
    return fail("'" + name.str() + "' is no file of remarks, neither YAML nor bitstream: " + list->problem);
  if (list->remarks.empty() && !bytes.trim().empty() && list->format == "yaml" && !bytes.contains("---"))
    return fail("'" + name.str() + "' is no file of remarks: it has no document that begins with '---'");
  return list;
}

llvm::Expected<RemarkList> readRemarkFile(llvm::StringRef path, const std::atomic<bool> *cancelled) {
  const std::string name = shortPath(path);
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return fail("cannot read '" + name + "': " + error.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return fail("'" + name + "' is no plain file");
  if (status.getSize() > kMostRemarkBytes)
    return fail("'" + name + "' has more than 256 MiB: filter the remarks when they are written");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return fail("cannot read '" + name + "': " + buffer.getError().message());
  return readRemarks((*buffer)->getBuffer(), name, cancelled);
}

} // namespace fuselage
