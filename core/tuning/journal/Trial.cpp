#include "core/tuning/journal/Trial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

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

std::optional<Drift> driftOf(llvm::ArrayRef<const Trial *> trials) {
  std::map<std::string, std::vector<double>> byWorker;
  for (const Trial *trial : trials) {
    Trial beside;
    beside.microseconds = trial->baseline;
    std::optional<double> us = beside.medianUs();
    if (us && *us > 0 &&
        trial->status ==
            TrialStatus::Ok) // a duplicate has the times of another one, what is cut short none after the first
      byWorker[trial->worker].push_back(*us);
  }
  std::optional<Drift> most;
  auto change = [](const Drift &drift) { return std::abs(std::log(drift.lastUs / drift.firstUs)); };
  for (const auto &[worker, times] : byWorker) {
    Drift drift{.firstUs = times.front(), .lastUs = times.back(), .worker = worker};
    if (times.size() > 1 && (!most || change(drift) > change(*most)))
      most = std::move(drift);
  }
  return most;
}

llvm::json::Object parametersJson(const std::map<std::string, std::string> &texts) {
  llvm::json::Object object;
  for (const auto &[name, value] : texts)
    object[name] = value;
  return object;
}

/// What a line of any kind begins with.
static llvm::json::Object lineOf(const TrialKey &key, const std::map<std::string, std::string> &parameters) {
  return llvm::json::Object{{"format", kFormat},        {"module", key.module},
                            {"dispatch", key.dispatch}, {"schedule", key.schedule},
                            {"device", key.device},     {"driver", key.driver},
                            {"version", key.version},   {"parameters", parametersJson(parameters)}};
}

llvm::json::Value toJson(const Trial &trial) {
  llvm::json::Object object = lineOf(trial.key, trial.parameters);
  object["status"] = nameOf(trial.status);
  object["us"] = llvm::json::Array(trial.microseconds);
  object["baseline_us"] = llvm::json::Array(trial.baseline);
  object["baseline_parameters"] = parametersJson(trial.baselineParameters);
  object["kernel"] = trial.kernel;
  object["strategy"] = trial.strategy;
  object["seconds"] = trial.seconds;
  object["time"] = static_cast<int64_t>(trial.time);
  if (!trial.why.empty())
    object["why"] = llvm::json::fixUTF8(trial.why);
  if (!trial.oneThread.empty())
    object["one_thread"] = llvm::json::fixUTF8(trial.oneThread);
  if (!trial.worker.empty())
    object["worker"] = llvm::json::fixUTF8(trial.worker);
  return object;
}

llvm::json::Value toJson(const TrialClaim &claim) {
  llvm::json::Object object = lineOf(claim.key, claim.parameters);
  object["claimed_by"] = llvm::json::fixUTF8(claim.by);
  object["until"] = static_cast<int64_t>(claim.until);
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

/// The object of a line of a version that is known, with its key and parameters; null: it is none.
static const llvm::json::Object *readLine(const llvm::json::Value &value, TrialKey &key,
                                          std::map<std::string, std::string> &parameters) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object || object->getInteger("format") != kFormat)
    return nullptr;
  std::pair<const char *, std::string *> texts[] = {{"module", &key.module},     {"dispatch", &key.dispatch},
                                                    {"schedule", &key.schedule}, {"device", &key.device},
                                                    {"driver", &key.driver},     {"version", &key.version}};
  for (auto [name, text] : texts) {
    auto found = object->getString(name);
    if (!found)
      return nullptr;
    *text = found->str();
  }
  const llvm::json::Object *given = object->getObject("parameters");
  return given && readTexts(*given, parameters) ? object : nullptr;
}

std::optional<TrialClaim> claimFrom(const llvm::json::Value &value) {
  TrialClaim claim;
  const llvm::json::Object *object = readLine(value, claim.key, claim.parameters);
  auto by = object ? object->getString("claimed_by") : std::nullopt;
  auto until = object ? object->getInteger("until") : std::nullopt;
  if (!by || !until)
    return std::nullopt;
  claim.by = by->str();
  claim.until = static_cast<uint64_t>(std::max<int64_t>(0, *until));
  return claim;
}

std::optional<Trial> trialFrom(const llvm::json::Value &value) {
  Trial trial;
  const llvm::json::Object *object = readLine(value, trial.key, trial.parameters);
  auto kernel = object ? object->getString("kernel") : std::nullopt,
       strategy = object ? object->getString("strategy") : std::nullopt;
  auto status = object ? trialStatusNamed(object->getString("status").value_or("")) : std::nullopt;
  if (!kernel || !strategy || !status || !readNumbers(*object, "us", trial.microseconds) ||
      !readNumbers(*object, "baseline_us", trial.baseline))
    return std::nullopt;
  const llvm::json::Object *baseline = object->getObject("baseline_parameters");
  if (!baseline || !readTexts(*baseline, trial.baselineParameters))
    return std::nullopt;
  trial.kernel = kernel->str();
  trial.strategy = strategy->str();
  trial.status = *status;
  trial.why = object->getString("why").value_or("").str();
  trial.oneThread = object->getString("one_thread").value_or("").str();
  trial.worker = object->getString("worker").value_or("").str();
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
