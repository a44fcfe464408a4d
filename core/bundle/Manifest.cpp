#include "core/bundle/Manifest.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

namespace fuselage::bundle {

using Json = nlohmann::json;

namespace {

/// A visitor that makes JSON of fields.
class Writer {
public:
  template <class T> void operator()(const char *key, const T &member) { object_[key] = valueOf(member); }
  void ifKnown(const char *key, const std::string &member) {
    if (!member.empty())
      object_[key] = member;
  }
  Json take() { return std::move(object_); }

private:
  template <class T> static Json valueOf(const T &member) {
    if constexpr (requires(T & each, Writer & visit) { each.fields(visit); }) {
      Writer inner;
      const_cast<T &>(member).fields(inner); // one fields() for readers and writers; these only look
      return inner.take();
    } else {
      return member;
    }
  }
  template <class T> static Json valueOf(const std::vector<T> &list) {
    Json array = Json::array();
    for (const T &each : list)
      array.push_back(valueOf(each));
    return array;
  }
  Json object_ = Json::object();
};

/// A visitor that fills fields, all of which must be there but those that may be unknown. Only the first error is kept.
class Reader {
public:
  Reader(const Json &object, std::string path, std::string &error)
      : object_(object), path_(std::move(path)), error_(error) {}

  template <class T> void operator()(const char *key, T &member) {
    if (!error_.empty())
      return;
    std::string path = path_.empty() ? key : path_ + "." + key;
    auto found = object_.find(key);
    if (found == object_.end())
      error_ = path + " is missing";
    else
      read(*found, path, member);
  }
  void ifKnown(const char *key, std::string &member) {
    if (object_.contains(key))
      (*this)(key, member);
  }

private:
  /// The most entries of a list: dispatches of a large model, and more.
  static constexpr size_t kMostEntries = 1 << 20;

  void wrong(const std::string &path, const char *expected) {
    if (error_.empty())
      error_ = path + " must be " + expected;
  }
  void read(const Json &value, const std::string &path, std::string &member) {
    const auto *text = value.get_ptr<const std::string *>();
    text ? void(member = *text) : wrong(path, "a text");
  }
  void read(const Json &value, const std::string &path, bool &member) {
    value.is_boolean() ? void(member = value.get<bool>()) : wrong(path, "true or false");
  }
  void read(const Json &value, const std::string &path, double &member) {
    if (!value.is_number())
      return wrong(path, "a number");
    member = value.get<double>();
    if (!std::isfinite(member))
      wrong(path, "a finite number");
  }
  template <class Integer>
  std::enable_if_t<std::is_integral_v<Integer>> read(const Json &value, const std::string &path, Integer &member) {
    if (value.is_number_unsigned()) {
      uint64_t number = value.get<uint64_t>();
      if (number > uint64_t(std::numeric_limits<Integer>::max()))
        return wrong(path, "a smaller number");
      member = Integer(number);
    } else if (value.is_number_integer() && std::is_signed_v<Integer>) {
      member = Integer(value.get<int64_t>());
    } else {
      wrong(path, std::is_signed_v<Integer> ? "a whole number" : "a whole number of at least 0");
    }
  }
  void read(const Json &value, const std::string &path, std::array<uint32_t, 3> &member) {
    if (!value.is_array() || value.size() != member.size())
      return wrong(path, "a list of 3 numbers");
    for (size_t i = 0; i < member.size(); ++i)
      read(value[i], path + "[" + std::to_string(i) + "]", member[i]);
  }
  template <class T> void read(const Json &value, const std::string &path, std::vector<T> &member) {
    if (!value.is_array() || value.size() > kMostEntries)
      return wrong(path, "a list of at most 1048576 entries");
    for (size_t i = 0; i < value.size() && error_.empty(); ++i)
      read(value[i], path + "[" + std::to_string(i) + "]", member.emplace_back());
  }
  template <class T> std::enable_if_t<std::is_class_v<T>> read(const Json &value, const std::string &path, T &member) {
    if (!value.is_object())
      return wrong(path, "an object");
    Reader inner(value, path, error_);
    member.fields(inner);
  }

  const Json &object_;
  std::string path_;
  std::string &error_;
};

/// Checks what the types of JSON do not say. Only the first error is kept.
class Checker {
public:
  explicit Checker(const Manifest &manifest) : manifest_(manifest), isHost_(manifest.language == "host") {}
  std::string check();

private:
  void require(bool holds, const std::string &path, const std::string &expected) {
    if (!holds && error_.empty())
      error_ = path + " must be " + expected;
  }
  void checkSum(const std::string &sum, const std::string &path);
  void checkFile(const File &file, const std::string &path);
  uint64_t checkValue(const Value &value, const std::string &path);
  void checkKernel(const Kernel &kernel, const Dispatch &dispatch, const std::string &path);
  void checkHost(const HostCall &call, const Dispatch &dispatch, const std::string &path);
  void checkForms(const std::vector<HostForm> &forms, const std::vector<const Value *> &values,
                  const std::string &path);
  void checkDispatch(const Dispatch &dispatch, const std::string &path);
  void addBytes(uint64_t bytes, const std::string &path);

  const Manifest &manifest_;
  bool isHost_;
  std::map<std::string, const File *> files_;
  uint64_t dispatchBytes_ = 0; ///< of the buffers of one dispatch
  std::string error_;
};

bool isPlainName(const std::string &name) {
  constexpr size_t longest = 128;
  auto isPlain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= longest && name[0] != '.' && std::all_of(name.begin(), name.end(), isPlain);
}

void Checker::checkSum(const std::string &sum, const std::string &path) {
  auto isDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  require(sum.size() == 64 && std::all_of(sum.begin(), sum.end(), isDigit), path, "64 digits of 0 to 9 and a to f");
}

void Checker::checkFile(const File &file, const std::string &path) {
  require(isPlainName(file.name) && file.name != kManifestName, path + ".file",
          "a name of letters, digits, '.', '_' and '-' that does not start with a dot");
  require(file.bytes <= kMostFileBytes, path + ".bytes", "at most " + std::to_string(kMostFileBytes));
  checkSum(file.sha256, path + ".sha256");
  auto [known, isNew] = files_.try_emplace(file.name, &file);
  require(isNew || (known->second->bytes == file.bytes && known->second->sha256 == file.sha256), path,
          "as elsewhere in the manifest, which names the file twice");
}

void Checker::addBytes(uint64_t bytes, const std::string &path) {
  constexpr uint64_t most = uint64_t(1) << 46;
  require(bytes <= most && dispatchBytes_ <= most - bytes, path, "smaller: the buffers of a dispatch exceed 64 TiB");
  dispatchBytes_ += std::min(bytes, most);
}

/// Returns the number of elements.
uint64_t Checker::checkValue(const Value &value, const std::string &path) {
  unsigned bits = elementBits(value.element, isHost_);
  require(bits != 0, path + ".element", "an element type that is known here, not '" + value.element + "'");
  require(value.shape.size() <= 64, path + ".shape", "a list of at most 64 sizes");
  uint64_t elements = 1, total = 0;
  bool fits = true;
  for (int64_t size : value.shape) {
    require(size >= 0, path + ".shape", "a list of sizes of at least 0");
    fits &= size >= 0 && !__builtin_mul_overflow(elements, uint64_t(size), &elements);
  }
  fits = fits && !__builtin_mul_overflow(elements, uint64_t(bits), &total) && total < UINT64_MAX - 7;
  require(fits, path + ".shape", "of fewer elements");
  require(!fits || value.content.bytes == (total + 7) / 8, path + ".content.bytes",
          std::to_string((total + 7) / 8) + ", by its shape and element");
  checkFile(value.content, path + ".content");
  addBytes(value.content.bytes, path + ".content.bytes");
  return elements;
}

void Checker::checkForms(const std::vector<HostForm> &forms, const std::vector<const Value *> &values,
                         const std::string &path) {
  require(forms.size() == values.size(), path, "a list of " + std::to_string(values.size()) + " values");
  for (size_t i = 0; i < forms.size() && error_.empty(); ++i) {
    const HostForm &form = forms[i];
    std::string at = path + "[" + std::to_string(i) + "]";
    require(form.kind == "scalar" || form.kind == "complex" || form.kind == "tensor", at + ".kind",
            "\"scalar\", \"complex\" or \"tensor\"");
    unsigned bits = elementBits(values[i]->element, true);
    require(form.elementBytes * 8 == bits, at + ".element_bytes", std::to_string(bits / 8) + ", by the element type");
    require((form.kind == "complex") == (values[i]->element.substr(0, 7) == "complex" && form.kind != "tensor"),
            at + ".kind", "as the element type says");
    const std::vector<int64_t> &shape = values[i]->shape;
    bool isSame = form.shape.size() == shape.size();
    for (size_t dim = 0; isSame && dim < shape.size(); ++dim)
      isSame = form.shape[dim] == -1 || form.shape[dim] == shape[dim];
    require(isSame && (form.kind == "tensor" || shape.empty()), at + ".shape", "the shape of the value");
  }
}

void Checker::checkHost(const HostCall &call, const Dispatch &dispatch, const std::string &path) {
  std::vector<const Value *> arguments, results;
  for (const Value &value : dispatch.arguments)
    arguments.push_back(&value);
  for (const ExpectedValue &each : dispatch.results)
    results.push_back(&each.value);
  checkForms(call.arguments, arguments, path + ".arguments");
  checkForms(call.results, results, path + ".results");
  require(call.threads >= 1 && call.threads <= 4096, path + ".threads", "from 1 to 4096");
  require(call.limitSeconds >= 1 && call.limitSeconds <= 86400, path + ".limit_seconds", "from 1 to 86400");
  require(call.limitBytes <= uint64_t(1) << 46, path + ".limit_bytes", "at most 64 TiB");
}

void Checker::checkKernel(const Kernel &kernel, const Dispatch &dispatch, const std::string &path) {
  require(!kernel.entry.empty() && kernel.entry.size() <= 4096 && kernel.entry.find('\0') == std::string::npos,
          path + ".entry", "a name of at most 4096 letters");
  checkFile(kernel.code, path + ".code");
  require(kernel.code.bytes != 0, path + ".code.bytes", "more than 0");
  constexpr uint32_t mostGrid = 0x7fffffff, mostBlock = 4096;
  for (int dim = 0; dim < 3; ++dim) {
    std::string index = "[" + std::to_string(dim) + "]";
    require(kernel.grid[dim] >= 1 && kernel.grid[dim] <= mostGrid, path + ".grid" + index, "from 1 to 2147483647");
    require(kernel.block[dim] >= 1 && kernel.block[dim] <= mostBlock, path + ".block" + index, "from 1 to 4096");
  }
  require(kernel.sharedBytes <= uint64_t(1) << 30, path + ".shared_bytes", "at most 1 GiB");
  require(kernel.dynamicSharedBytes <= kernel.sharedBytes, path + ".dynamic_shared_bytes", "at most shared_bytes");
  uint64_t buffers = dispatch.arguments.size() + dispatch.results.size() + dispatch.scratchBytes.size();
  require(kernel.buffers.size() <= 4096, path + ".buffers", "a list of at most 4096 numbers");
  for (uint64_t buffer : kernel.buffers)
    require(buffer < buffers, path + ".buffers",
            "numbers below " + std::to_string(buffers) + ", which is how many buffers the dispatch has");
  require(kernel.host.size() == (isHost_ ? 1 : 0), path + ".host",
          isHost_ ? "a list of one call" : "an empty list, since the language is not \"host\"");
  if (isHost_ && kernel.host.size() == 1)
    checkHost(kernel.host.front(), dispatch, path + ".host[0]");
}

void Checker::checkDispatch(const Dispatch &dispatch, const std::string &path) {
  dispatchBytes_ = 0;
  require(dispatch.calls >= 1 && dispatch.calls <= UINT32_MAX, path + ".calls", "from 1 to 4294967295");
  require(!dispatch.kernels.empty(), path + ".kernels", "a list of at least one kernel");
  require(!isHost_ || dispatch.kernels.size() == 1, path + ".kernels", "one kernel on the host");
  require(!isHost_ || dispatch.scratchBytes.empty(), path + ".scratch_bytes", "empty on the host");
  for (size_t i = 0; i < dispatch.arguments.size() && error_.empty(); ++i)
    checkValue(dispatch.arguments[i], path + ".arguments[" + std::to_string(i) + "]");
  for (size_t i = 0; i < dispatch.results.size() && error_.empty(); ++i) {
    const ExpectedValue &result = dispatch.results[i];
    std::string at = path + ".results[" + std::to_string(i) + "]";
    checkValue(result.value, at + ".value");
    require(result.limits.size() <= 8, at + ".limits", "a list of at most 8 limits");
    for (const ErrorLimits &limits : result.limits)
      require(limits.absolute >= 0 && limits.relative >= 0 && limits.typical >= 0, at + ".limits",
              "of numbers of at least 0");
  }
  for (uint64_t bytes : dispatch.scratchBytes)
    addBytes(bytes, path + ".scratch_bytes");
  for (size_t i = 0; i < dispatch.kernels.size() && error_.empty(); ++i)
    checkKernel(dispatch.kernels[i], dispatch, path + ".kernels[" + std::to_string(i) + "]");
}

std::string Checker::check() {
  require(manifest_.language == "spirv" || manifest_.language == "ptx" || isHost_, "language",
          "\"spirv\", \"ptx\" or \"host\"");
  if (!manifest_.sourceSha256.empty())
    checkSum(manifest_.sourceSha256, "source_sha256");
  for (size_t i = 0; i < manifest_.dispatches.size() && error_.empty(); ++i)
    checkDispatch(manifest_.dispatches[i], "dispatches[" + std::to_string(i) + "]");
  return error_;
}

} // namespace

unsigned elementBits(std::string_view element, bool isHost) {
  static const std::map<std::string_view, unsigned> bits = {
      {"f16", 16},          {"bf16", 16},     {"f32", 32},     {"f64", 64},       {"f8E5M2", 8},
      {"f8E5M2FNUZ", 8},    {"f8E4M3", 8},    {"f8E4M3FN", 8}, {"f8E4M3FNUZ", 8}, {"f8E4M3B11FNUZ", 8},
      {"f8E3M4", 8},        {"f8E8M0FNU", 8}, {"f6E3M2FN", 8}, {"f6E2M3FN", 8},   {"f4E2M1FN", 8},
      {"index", 64},        {"i1", 8},        {"i8", 8},       {"i16", 16},       {"i32", 32},
      {"i64", 64},          {"ui8", 8},       {"ui16", 16},    {"ui32", 32},      {"ui64", 64},
      {"si8", 8},           {"si16", 16},     {"si32", 32},    {"si64", 64},      {"complex<f32>", 64},
      {"complex<f64>", 128}};
  if (element == "i2" || element == "i4")
    return isHost ? 8 : element == "i2" ? 2 : 4;
  auto found = bits.find(element);
  return found == bits.end() ? 0 : found->second;
}

Result<Manifest> readManifest(std::string_view text) {
  const std::string what = std::string(kManifestName) + " is refused: ";
  if (text.size() > kMostManifestBytes)
    return failWith(what + "it has more than " + std::to_string(kMostManifestBytes >> 20) + " MiB");
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return failWith(what + "it is no JSON");
  if (!json.is_object())
    return failWith(what + "it must be an object");
  Manifest manifest;
  // Another version may have other fields.
  auto format = json.find("format"), version = json.find("version");
  if (format == json.end() || *format != kFormat)
    return failWith(what + "format must be \"" + kFormat + "\"; this is no bundle of fuselage's");
  if (version == json.end() || *version != kVersion)
    return failWith(what + "version must be " + std::to_string(kVersion) +
                    "; write the bundle with the version of fuselage that this program is of");
  std::string error;
  Reader reader(json, "", error);
  manifest.fields(reader);
  if (error.empty())
    error = Checker(manifest).check();
  if (!error.empty())
    return failWith(what + error);
  return manifest;
}

std::string writeManifest(const Manifest &manifest) {
  Writer writer;
  const_cast<Manifest &>(manifest).fields(writer);
  return writer.take().dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace fuselage::bundle
