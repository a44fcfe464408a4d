#include "core/run/bundles/ResultsFile.h"
#include "core/bundle/Sha256.h"
#include "core/protocol/json/JsonReader.h"
#include "core/support/JsonDepth.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using llvm::StringRef;

namespace fuselage {
namespace {

/// Looks into JSON as message::LlvmJson does, and keeps the first value that is of another type than its member. Null
/// stands for a member that is missing.
class StrictJson {
public:
  using Text = std::string;
  using Element = message::LlvmJson::Element;
  using Object = message::LlvmJson::Object;
  using Value = message::LlvmJson::Value;

  Value find(Object object, std::string_view key) {
    key_ = key;
    Value value = message::LlvmJson::find(object, key);
    return value && value->getAsNull() ? nullptr : value;
  }
  static bool isEqual(const Text &text, std::string_view name) { return text == name; }
  std::optional<bool> boolean(Value value) {
    return checked(value, message::LlvmJson::boolean(value), "true or false");
  }
  std::optional<int64_t> integer(Value value) {
    return checked(value, message::LlvmJson::integer(value), "a whole number of 64 bits");
  }
  std::optional<double> real(Value value) { return checked(value, message::LlvmJson::real(value), "a number"); }
  std::optional<Element> element(Value value) {
    return checked(value, message::LlvmJson::element(value), "a number or a text");
  }
  std::optional<Object> object(Value value) { return checked(value, message::LlvmJson::object(value), "an object"); }
  std::optional<Text> text(Value value) {
    constexpr size_t longest = 1 << 16;
    std::optional<Text> text = message::LlvmJson::text(value);
    if (text && text->size() > longest)
      text.reset();
    return checked(value, std::move(text), "a text of at most 65536 bytes");
  }
  template <class See> bool eachElement(Value value, const See &see) {
    constexpr size_t most = 1 << 20;
    const llvm::json::Array *array = value ? value->getAsArray() : nullptr;
    if (array && array->size() > most)
      array = nullptr;
    checked(value, array ? std::optional(true) : std::nullopt, "a list of at most 1048576 entries");
    if (!array)
      return false;
    const std::string key = key_, outer = path_;
    for (size_t i = 0; i < array->size() && error_.empty(); ++i) {
      path_ = outer + key + "[" + std::to_string(i) + "]";
      key_.clear(); // of an entry that is no object
      if (const llvm::json::Value &entry = (*array)[i]; entry.kind() == llvm::json::Value::Object)
        path_ += ".";
      see(&(*array)[i]);
    }
    path_ = outer;
    return true;
  }
  template <class See> bool eachMember(Value, const See &) { return false; } // results have no maps

  /// "kernels[2].median_us must be a number"; empty: everything was right so far.
  const std::string &error() const { return error_; }

private:
  template <class T> std::optional<T> checked(Value value, std::optional<T> read, const char *expected) {
    if (value && !read && error_.empty())
      error_ = path_ + key_ + " must be " + expected;
    return read;
  }

  std::string path_, key_, error_;
};

/// Checks what the types of JSON do not say. Only the first error is kept.
class Checker {
public:
  explicit Checker(const llvm::json::Object &json) : json_(json) {}
  std::string check(const message::Results<> &results);

private:
  void require(bool holds, const llvm::Twine &path, const char *expected) {
    if (!holds && error_.empty())
      error_ = (path + " must be " + expected).str();
  }
  /// A name that the reader does not know would keep the default.
  template <size_t count>
  void requireName(const llvm::json::Object &object, const char *key, const std::string &path,
                   const char *const (&names)[count]) {
    const llvm::json::Value *value = object.get(key);
    auto name = value ? value->getAsString() : std::nullopt;
    bool isKnown = false;
    std::string list;
    for (const char *each : names) {
      isKnown |= name == StringRef(each);
      list += (list.empty() ? "\"" : ", \"") + std::string(each) + "\"";
    }
    require(isKnown, path + key, list.insert(0, "one of ").c_str());
  }
  void requireKeys(const llvm::json::Object &object, const std::string &path, llvm::ArrayRef<const char *> keys) {
    for (const char *key : keys)
      require(object.get(key) != nullptr, path + key, "there");
  }
  void requireTime(double us, const std::string &path) {
    require(std::isfinite(us), path, "a finite number, or negative if it is unknown");
  }
  void checkRow(const llvm::json::Object &json, const message::Kernel<> &row, const std::string &path);
  void checkTimes(const message::Kernel<> &row, const std::string &path);
  void checkErrors(const message::Comparison<> &check, const std::string &path);

  const llvm::json::Object &json_;
  std::string error_;
};

void Checker::checkTimes(const message::Kernel<> &row, const std::string &path) {
  requireTime(row.minUs, path + "min_us");
  requireTime(row.medianUs, path + "median_us");
  requireTime(row.p95Us, path + "p95_us");
  require(row.minUs < 0 || row.medianUs < 0 || row.minUs <= row.medianUs, path + "min_us", "at most median_us");
  require(row.medianUs < 0 || row.p95Us < 0 || row.medianUs <= row.p95Us, path + "median_us", "at most p95_us");
  for (auto [index, us] : llvm::enumerate(row.samples))
    require(std::isfinite(us) && us >= 0, path + "samples[" + llvm::Twine(index) + "]",
            "a finite number that is not negative");
  require(row.launches >= -1, path + "launches", "-1 or more");
  constexpr int64_t mostCalls = UINT32_MAX;
  require(row.calls >= 1 && row.calls <= mostCalls, path + "calls", "from 1 to 4294967295");
}

void Checker::checkErrors(const message::Comparison<> &check, const std::string &path) {
  require(!(check.maxAbsError < 0), path + "max_abs_error", "a number that is not negative");
  require(!(check.maxRelError < 0), path + "max_rel_error", "a number that is not negative");
  require(check.elements >= -1, path + "elements", "-1 or more");
}

void Checker::checkRow(const llvm::json::Object &json, const message::Kernel<> &row, const std::string &path) {
  requireKeys(json, path, {"kind", "dispatch", "dispatch_index", "loc", "device", "min_us", "median_us"});
  requireName(json, "kind", path, message::Kernel<>::kindNames);
  require(!row.dispatch.empty(), path + "dispatch", "a name");
  constexpr int64_t mostDispatches = 1 << 24;
  require(row.dispatchIndex >= -1 && row.dispatchIndex <= mostDispatches, path + "dispatch_index",
          "from -1 to 16777216");
  checkTimes(row, path);
  if (row.onHost)
    return;
  requireName(json, "verdict", path, message::runVerdictNames);
  checkErrors(row, path);
  for (const auto *sizes : {&row.grid, &row.block})
    for (int size : *sizes)
      require(size >= 1, path + (sizes == &row.grid ? "grid" : "block"), "a list of sizes from 1 to 2147483647");
  for (auto [index, baseline] : llvm::enumerate(row.baselines))
    requireTime(baseline.us, (path + "baselines[" + llvm::Twine(index) + "].us").str());
  require(std::isfinite(row.flops) && std::isfinite(row.bytes), path + "flops and bytes", "finite numbers");
}

std::string Checker::check(const message::Results<> &results) {
  requireKeys(json_, "", {"version", "device", "function", "verdict", "kernels"});
  require(results.version == 1, "version",
          "1; another version of fuselage wrote the file, which is the one to read it");
  requireName(json_, "verdict", "", message::runVerdictNames);
  requireTime(results.sumUs, "sum_us");
  requireTime(results.onceUs, "once_us");
  requireTime(results.wallUs, "wall_us");
  const llvm::json::Array *rows = json_.getArray("kernels");
  for (size_t i = 0; rows && i < results.kernels.size() && error_.empty(); ++i)
    if (const llvm::json::Object *row = (*rows)[i].getAsObject())
      checkRow(*row, results.kernels[i], "kernels[" + std::to_string(i) + "].");
  if (results.bundle) {
    const std::string &sum = results.bundle->sourceSha256;
    require(sum.empty() ||
                (sum.size() == 64 && StringRef(sum).find_first_not_of("0123456789abcdef") == StringRef::npos),
            "bundle.source_sha256", "64 digits of 0 to 9 and a to f");
  }
  return error_;
}

llvm::Error refuse(StringRef name, const llvm::Twine &why) {
  return fail(("'" + name + "' holds no results of a run: " + why +
               "; give what 'fuselage run --format json' or 'fuselage-launch --format json' wrote")
                  .str());
}

} // namespace

llvm::Expected<message::Results<>> readResults(StringRef text, StringRef name) {
  constexpr int deepest = 64;
  if (jsonDepth(text) > deepest)
    return refuse(name, "it is nested too deeply");
  auto json = llvm::json::parse(text);
  if (!json)
    return refuse(name, takeFailure(json.takeError()).message);
  const llvm::json::Object *object = json->getAsObject();
  if (!object || !object->getArray("kernels"))
    return refuse(name, "it has no list of kernels");
  message::Results<> results;
  StrictJson strict;
  message::Reader<StrictJson> reader(strict, object);
  results.fields(reader);
  std::string error = strict.error();
  if (error.empty())
    error = Checker(*object).check(results);
  if (!error.empty())
    return refuse(name, error);
  return results;
}

/// A file that is there, with what is wrong with it otherwise.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readPlainFile(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return fail("cannot read '" + path.str() + "': " + error.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file) // reading a pipe could take forever
    return fail("cannot read '" + path.str() + "': it is no plain file");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail("cannot read '" + path.str() + "': " + buffer.getError().message());
  return std::move(*buffer);
}

llvm::Expected<message::Results<>> readResultsFile(StringRef path) {
  uint64_t bytes = 0;
  if (!llvm::sys::fs::file_size(path, bytes) && bytes > kMostResultsBytes)
    return refuse(path, "it has more than " + llvm::Twine(kMostResultsBytes >> 20) + " MiB");
  auto buffer = readPlainFile(path);
  if (!buffer)
    return buffer.takeError();
  return readResults((*buffer)->getBuffer(), path);
}

std::string checksumOfFile(StringRef path) {
  auto buffer = readPlainFile(path);
  if (buffer)
    return sha256((*buffer)->getBuffer());
  llvm::consumeError(buffer.takeError());
  return "";
}

} // namespace fuselage
