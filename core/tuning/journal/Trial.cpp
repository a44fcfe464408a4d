#include "core/tuning/journal/Trial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace fuselage::tune {

static constexpr std::pair<TrialStatus, const char *> kNames[] = {
    {TrialStatus::Ok, "ok"},
    {TrialStatus::Wrong, "wrong"},
    {TrialStatus::Failed, "failed"},
    {TrialStatus::Crashed, "crashed"},
    {TrialStatus::Hung, "hung"},
    {TrialStatus::Duplicate, "duplicate"},
    {TrialStatus::CutShort, "cut short"},
};
static constexpr int64_t kFormat = 1; ///< of a line

llvm::StringRef nameOf(TrialStatus status) {
  for (auto [known, name] : kNames)
    if (known == status)
      return name;
  return "";
}

std::optional<TrialStatus> trialStatusNamed(llvm::StringRef name) {
  for (auto [status, known] : kNames)
    if (name == known)
      return status;
  return std::nullopt;
}

bool TrialKey::isElsewhere(const TrialKey &other) const {
  return module == other.module && dispatch == other.dispatch && schedule == other.schedule && !(*this == other);
}

std::optional<double> Trial::medianUs() const {
  if (microseconds.empty())
    return std::nullopt;
  std::vector<double> sorted = microseconds;
  llvm::sort(sorted);
  size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::optional<double> Trial::minUs() const {
  return microseconds.empty() ? std::nullopt : std::optional(*llvm::min_element(microseconds));
}

llvm::json::Value toJson(const Trial &trial) {
  llvm::json::Object parameters, baseline;
  for (const auto &[name, value] : trial.parameters)
    parameters[name] = value;
  for (const auto &[name, value] : trial.baselineParameters)
    baseline[name] = value;
  llvm::json::Object object{
      {"format", kFormat},
      {"module", trial.key.module},
      {"dispatch", trial.key.dispatch},
      {"schedule", trial.key.schedule},
      {"device", trial.key.device},
      {"driver", trial.key.driver},
      {"version", trial.key.version},
      {"parameters", std::move(parameters)},
      {"status", nameOf(trial.status)},
      {"us", llvm::json::Array(trial.microseconds)},
      {"baseline_us", llvm::json::Array(trial.baseline)},
      {"baseline_parameters", std::move(baseline)},
      {"kernel", trial.kernel},
      {"strategy", trial.strategy},
      {"seconds", trial.seconds},
      {"time", static_cast<int64_t>(trial.time)},
  };
  if (!trial.why.empty())
    object["why"] = llvm::json::fixUTF8(trial.why);
  return object;
}

static bool readNumbers(const llvm::json::Object &object, llvm::StringRef name, std::vector<double> &numbers) {
  const llvm::json::Array *array = object.getArray(name);
  if (!array)
    return false;
  for (const llvm::json::Value &value : *array) {
    std::optional<double> number = value.getAsNumber();
    if (!number)
      return false;
    numbers.push_back(*number);
  }
  return true;
}

static bool readTexts(const llvm::json::Object &object, std::map<std::string, std::string> &texts) {
  for (const auto &[name, each] : object) {
    auto text = each.getAsString();
    if (!text)
      return false;
    texts[name.str()] = text->str();
  }
  return true;
}

std::optional<Trial> trialFrom(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object || object->getInteger("format") != kFormat)
    return std::nullopt;
  Trial trial;
  std::pair<const char *, std::string *> texts[] = {
      {"module", &trial.key.module}, {"dispatch", &trial.key.dispatch}, {"schedule", &trial.key.schedule},
      {"device", &trial.key.device}, {"driver", &trial.key.driver},     {"version", &trial.key.version},
      {"kernel", &trial.kernel},     {"strategy", &trial.strategy},
  };
  for (auto [name, text] : texts) {
    auto found = object->getString(name);
    if (!found)
      return std::nullopt;
    *text = found->str();
  }
  const llvm::json::Object *parameters = object->getObject("parameters");
  auto status = trialStatusNamed(object->getString("status").value_or(""));
  if (!parameters || !status || !readNumbers(*object, "us", trial.microseconds) ||
      !readNumbers(*object, "baseline_us", trial.baseline))
    return std::nullopt;
  const llvm::json::Object *baseline = object->getObject("baseline_parameters");
  if (!readTexts(*parameters, trial.parameters) || !baseline || !readTexts(*baseline, trial.baselineParameters))
    return std::nullopt;
  trial.status = *status;
  trial.why = object->getString("why").value_or("").str();
  trial.seconds = object->getNumber("seconds").value_or(0);
  trial.time = static_cast<uint64_t>(std::max<int64_t>(0, object->getInteger("time").value_or(0)));
  return trial;
}

std::string fingerprintOf(llvm::StringRef text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text.bytes())
    hash = (hash ^ byte) * 0x100000001b3;
  return llvm::utohexstr(hash, /*LowerCase=*/true, 16);
}

} // namespace fuselage::tune
