#include "core/remote/files/RequestFiles.h"
#include "core/remote/files/FileUses.h"
#include "core/remote/files/PipelineFiles.h"
#include "core/support/Error.h"
#include "core/support/OutputFile.h"
#include "core/support/Paths.h"
#include "llvm/Support/FileSystem.h"

namespace fuselage::remote {

namespace json = llvm::json;
namespace fs = llvm::sys::fs;
using llvm::StringRef;
using method::FileUse;

/// Of one request.
class RequestMapper::Mapping {
public:
  Mapping(RequestMapper &mapper, json::Object &params, const std::atomic<bool> *cancelled)
      : mapper_(mapper), params_(params), cancelled_(cancelled) {}

  llvm::Error mapParameter(const FileParameter &parameter);
  RequestFiles take() { return std::move(files_); }

private:
  llvm::Error mapEach(json::Value &value, llvm::function_ref<llvm::Error(std::string &path)> map);
  llvm::Error read(std::string &path);
  llvm::Error readFolder(const std::string &path, const std::string &at, StringRef ending);
  llvm::Error readFile(const std::string &path, const std::string &at, bool isCopy = false);
  llvm::Error readArrays(std::string &path);
  llvm::Error readDevice(std::string &device);
  llvm::Error readLibrary(json::Value &value);
  llvm::Error write(std::string &path);
  llvm::Error update(std::string &path);
  llvm::Error mapInputs(json::Object &inputs);
  llvm::Error mapWeights(json::Object &weights);

  RequestMapper &mapper_;
  json::Object &params_;
  const std::atomic<bool> *cancelled_;
  RequestFiles files_;
};

/// Calls `map` for a text, or for each of a list. Values of other types are the engine's to refuse.
llvm::Error RequestMapper::Mapping::mapEach(json::Value &value, llvm::function_ref<llvm::Error(std::string &)> map) {
  if (json::Array *list = value.getAsArray()) {
    for (json::Value &each : *list)
      if (llvm::Error error = mapEach(each, map))
        return error;
    return llvm::Error::success();
  }
  auto text = value.getAsString();
  if (!text || text->empty())
    return llvm::Error::success();
  std::string mapped = text->str();
  if (llvm::Error error = map(mapped))
    return error;
  value = std::move(mapped);
  return llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::readFile(const std::string &path, const std::string &at, bool isCopy) {
  auto hash = mapper_.hashes_.hashOf(path, cancelled_);
  if (!hash)
    return hash.takeError();
  uint64_t size = 0;
  if (std::error_code error = fs::file_size(path, size))
    return fail("cannot read '" + path + "': " + error.message());
  files_.files.push_back({.at = at, .path = path, .hash = std::move(*hash), .size = size, .isCopy = isCopy});
  return llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::readFolder(const std::string &path, const std::string &at, StringRef ending) {
  constexpr size_t mostFiles = 20'000;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, error), end; entry != end && !error; entry.increment(error)) {
    auto status = entry->status();
    if (!status || status->type() != fs::file_type::regular_file || !StringRef(entry->path()).ends_with(ending))
      continue;
    if (files_.files.size() >= mostFiles)
      return fail("the folder '" + path + "' has more than " + std::to_string(mostFiles) +
                  " files, which are too many to send to another machine");
    StringRef inner = StringRef(entry->path()).drop_front(path.size()).ltrim('/');
    if (llvm::Error problem = readFile(entry->path(), at + "/" + inner.str()))
      return problem;
  }
  return error ? fail("cannot read the folder '" + path + "': " + error.message()) : llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::read(std::string &path) {
  const std::string local = std::exchange(path, {});
  const FarPlace place = mapper_.paths_.placeOf(local);
  path = place.path;
  if (mapper_.updated_.count(place.at))
    return llvm::Error::success();
  if (fs::is_directory(local))
    return readFolder(StringRef(local).rtrim('/').str(), place.at, "");
  if (fs::exists(local))
    return readFile(local, place.at);
  files_.absent.push_back(place.at);
  return llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::readArrays(std::string &path) {
  if (!fs::is_directory(path))
    return read(path);
  const std::string local = StringRef(path).rtrim('/').str();
  const FarPlace place = mapper_.paths_.placeOf(path);
  path = place.path;
  return readFolder(local, place.at, ".npy");
}

llvm::Error RequestMapper::Mapping::readDevice(std::string &device) {
  StringRef text = device;
  const bool isFile =
      text.contains('/') || text.ends_with(".json") || (!text.contains(':') && fs::is_regular_file(text));
  return isFile ? read(device) : llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::write(std::string &path) {
  if (llvm::Error error = checkOutputFile(path))
    return error;
  const FarPlace place = mapper_.paths_.placeOf(path);
  files_.outputs.push_back({.at = place.at, .path = std::exchange(path, place.path), .isUpdated = false});
  return llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::update(std::string &path) {
  const std::string local = path;
  const FarPlace place = mapper_.paths_.placeOf(local);
  path = place.path;
  if (!mapper_.updated_.count(place.at) && fs::exists(local))
    if (llvm::Error error = readFile(local, place.at, /*isCopy=*/true))
      return error;
  mapper_.updated_.insert(place.at);
  files_.outputs.push_back({.at = place.at, .path = local, .isUpdated = true});
  return llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::mapInputs(json::Object &inputs) {
  for (auto &[name, value] : inputs) {
    auto text = value.getAsString();
    if (!text || !text->starts_with("@"))
      continue;
    std::string path = text->drop_front().str();
    if (llvm::Error error = read(path))
      return error;
    value = "@" + path;
  }
  return llvm::Error::success();
}

llvm::Error RequestMapper::Mapping::mapWeights(json::Object &weights) {
  json::Object mapped;
  for (auto &weight : weights) {
    std::string path = llvm::StringRef(weight.first).str();
    if (llvm::Error error = read(path))
      return error;
    mapped[path] = std::move(weight.second);
  }
  weights = std::move(mapped);
  return llvm::Error::success();
}

/// Those of the user are where the client is.
static std::string ownDataFile(StringRef name) {
  std::string folder = userDataFolder();
  return folder.empty() ? "" : folder + "/" + name.str();
}

llvm::Error RequestMapper::Mapping::readLibrary(json::Value &value) {
  if (value.kind() == json::Value::Null) {
    std::string own = ownDataFile("tuned.json");
    value = fs::exists(own) ? own : "none";
  }
  if (value.getAsString() == StringRef("none"))
    return llvm::Error::success();
  return mapEach(value, [&](std::string &path) { return read(path); });
}

llvm::Error RequestMapper::Mapping::mapParameter(const FileParameter &parameter) {
  json::Value *value = params_.get(parameter.key);
  const bool hasDefault = parameter.use == FileUse::Library || parameter.key == "journal";
  if (!value && hasDefault)
    value = &params_.try_emplace(parameter.key, nullptr).first->second;
  if (!value)
    return llvm::Error::success();
  if (parameter.key == "journal" && value->kind() == json::Value::Null) {
    fs::create_directories(userDataFolder());
    *value = ownDataFile("tuning.jsonl");
  }
  switch (parameter.use) {
  case FileUse::None:
  case FileUse::Lessons:
    return llvm::Error::success();
  case FileUse::ReadsAlone:
    if (const json::Value *text = params_.get("text"); text && text->kind() != json::Value::Null)
      return llvm::Error::success();
    [[fallthrough]];
  case FileUse::Reads:
    return mapEach(*value, [&](std::string &path) { return read(path); });
  case FileUse::Writes:
    return mapEach(*value, [&](std::string &path) { return write(path); });
  case FileUse::Updates:
    return mapEach(*value, [&](std::string &path) { return update(path); });
  case FileUse::Arrays:
    return mapEach(*value, [&](std::string &path) { return readArrays(path); });
  case FileUse::Device:
    return mapEach(*value, [&](std::string &device) { return readDevice(device); });
  case FileUse::Library:
    return readLibrary(*value);
  case FileUse::Pipeline:
    return mapEach(*value, [&](std::string &pipeline) {
      return mapPipelineFiles(pipeline, [&](std::string &path) { return read(path); });
    });
  case FileUse::Inputs:
    return value->getAsObject() ? mapInputs(*value->getAsObject()) : llvm::Error::success();
  case FileUse::Weights:
    return value->getAsObject() ? mapWeights(*value->getAsObject()) : llvm::Error::success();
  }
  return llvm::Error::success();
}

llvm::Expected<RequestFiles> RequestMapper::map(StringRef method, json::Value &params,
                                                const std::atomic<bool> *cancelled) {
  auto marked = fileParametersOf(method);
  if (marked.empty())
    return RequestFiles();
  if (params.kind() == json::Value::Null)
    params = json::Object();
  json::Object *object = params.getAsObject();
  if (!object)
    return RequestFiles(); // the engine says that it is no object
  Mapping mapping(*this, *object, cancelled);
  for (const FileParameter &parameter : marked)
    if (llvm::Error error = mapping.mapParameter(parameter))
      return error;
  return mapping.take();
}

} // namespace fuselage::remote
