#include "core/device/DeviceFile.h"
#include "core/support/JsonDepth.h"
#include "core/support/Paths.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <optional>

using llvm::StringRef;

namespace fuselage {
namespace {

constexpr uint64_t largestFile = 1 << 20;

llvm::json::Value encode(DeviceKind kind) { return deviceKindNames[int(kind)]; }
llvm::json::Value encode(const std::vector<std::string> &values) { return llvm::json::Array(values); }
template <class T> llvm::json::Value encode(const T &value) { return value; }

/// Each returns what a value must be, or nothing where it is that and was taken.
std::string decode(const llvm::json::Value &json, DeviceKind &out) {
  for (int kind = 0; kind < 3; ++kind)
    if (json.getAsString() == StringRef(deviceKindNames[kind]))
      return out = DeviceKind(kind), "";
  return "'discrete', 'integrated' or 'software'";
}
std::string decode(const llvm::json::Value &json, std::string &out) {
  auto text = json.getAsString();
  // Chips and languages become parts of pipelines.
  if (!text || text->empty() || !llvm::all_of(*text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; }))
    return "a text of letters, digits, '_' and '-'";
  return out = text->str(), "";
}
std::string decode(const llvm::json::Value &json, bool &out) {
  auto value = json.getAsBoolean();
  return value ? (out = *value, "") : "true or false";
}
std::string decode(const llvm::json::Value &json, int64_t &out) {
  auto value = json.getAsInteger();
  if (!value || *value < 0 || *value > (int64_t(1) << 50))
    return "a whole number from 0 to 2^50";
  return out = *value, "";
}
std::string decode(const llvm::json::Value &json, double &out) {
  auto value = json.getAsNumber();
  if (!value || !std::isfinite(*value) || *value < 0 || *value > 1e12)
    return "a number from 0 to 10^12";
  return out = *value, "";
}
std::string decode(const llvm::json::Value &json, std::vector<std::string> &out) {
  const llvm::json::Array *array = json.getAsArray();
  bool isTexts =
      array && llvm::all_of(*array, [](const llvm::json::Value &each) { return each.getAsString().has_value(); });
  if (!isTexts)
    return "a list of texts";
  for (const llvm::json::Value &each : *array)
    out.push_back(each.getAsString()->str());
  return "";
}

/// What is wrong with {"value": .., "source": ".."} at `key`; empty if nothing is.
template <class T> std::string decodeStated(StringRef key, const llvm::json::Value &json, Stated<T> &out) {
  const llvm::json::Object *object = json.getAsObject();
  std::string where = "'" + key.str() + "'";
  if (!object)
    return where + " is no object; write {\"value\": .., \"source\": \"where it is from\"}";
  for (const auto &[name, member] : *object)
    if (StringRef(name) != "value" && StringRef(name) != "source")
      return where + " has an unknown key '" + StringRef(name).str() + "'; it takes 'value' and 'source'";
  const llvm::json::Value *value = object->get("value");
  auto source = object->getString("source");
  if (!value)
    return where + " has no 'value'";
  if (!source || source->trim().empty())
    return where + " has no 'source': say where its value is from";
  if (std::string wanted = decode(*value, out.value); !wanted.empty())
    return "the value of " + where + " must be " + wanted;
  out.source = source->str();
  return "";
}

} // namespace

llvm::json::Object encodeDeviceModel(const DeviceModel &model) {
  llvm::json::Object object{{"name", model.name}};
  DeviceModel::fields(model, [&](const char *key, const auto &stated, StringRef) {
    if (stated.isKnown())
      object[key] = llvm::json::Object{{"value", encode(stated.value)}, {"source", stated.source}};
  });
  return object;
}

llvm::Expected<DeviceModel> decodeDeviceModel(StringRef json, StringRef file) {
  auto refuse = [&](const std::string &why) {
    return fail("the device file " + shortPath(file) + " cannot be used: " + why);
  };
  constexpr int mostNested = 100;
  if (jsonDepth(json) > mostNested)
    return refuse("it is nested too deeply");
  auto parsed = llvm::json::parse(json);
  if (!parsed)
    return refuse("it is no JSON: " + llvm::toString(parsed.takeError()));
  const llvm::json::Object *object = parsed->getAsObject();
  if (!object)
    return refuse("it holds no object");
  if (object->getInteger("version") != 1)
    return refuse("it has no '\"version\": 1'");
  DeviceModel model;
  if (auto name = object->getString("name"))
    model.name = name->str();
  else
    return refuse("it has no 'name'");
  llvm::StringSet<> known{"version", "name"};
  std::string wrong;
  DeviceModel::fields(model, [&](const char *key, auto &stated, StringRef) {
    known.insert(key);
    if (const llvm::json::Value *value = object->get(key); value && wrong.empty())
      wrong = decodeStated(key, *value, stated);
  });
  if (!wrong.empty())
    return refuse(wrong);
  std::vector<std::string> unknown;
  for (const auto &[key, value] : *object)
    if (!known.contains(StringRef(key)))
      unknown.push_back(StringRef(key).str());
  if (!unknown.empty())
    return refuse("it has an unknown key '" + *std::min_element(unknown.begin(), unknown.end()) +
                  "'; see the files of resources/devices for those that there are");
  if (!model.kind.isKnown())
    return refuse("it has no 'kind'");
  if (std::string why = contradictionIn(model); !why.empty())
    return refuse(why);
  return model;
}

std::string contradictionIn(const DeviceModel &model) {
  const std::string &language = model.language.value;
  if (language != "spirv" && language != "ptx" && language != "host")
    return "the value of 'language' must be 'spirv', 'ptx' or 'host'";
  if (language == "ptx" && !StringRef(model.chip.value).starts_with("sm_"))
    return "a device whose language is ptx needs a 'chip' such as \"sm_90\"";
  auto isPowerOfTwo = [](int64_t value) { return value > 0 && (value & (value - 1)) == 0; };
  if (!isPowerOfTwo(model.subgroupSize.value) || model.subgroupSize.value > 128)
    return "the value of 'subgroup_size' must be a power of two up to 128";
  if (model.maxThreads.value < model.subgroupSize.value || model.maxThreads.value > 4096)
    return "the value of 'max_threads' must be from one subgroup to 4096";
  return "";
}

llvm::Expected<DeviceModel> readDeviceFile(StringRef path) {
  auto cannotRead = [&](const std::string &why) {
    return fail("the device file " + shortPath(path) + " cannot be read: " + why);
  };
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return cannotRead(error.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return cannotRead("it is no file");
  if (status.getSize() > largestFile)
    return cannotRead("it has more than 1 MiB; a device takes a page");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return cannotRead(buffer.getError().message());
  return decodeDeviceModel((*buffer)->getBuffer(), path);
}

} // namespace fuselage
