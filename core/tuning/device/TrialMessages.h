// Messages to and from workers: tune/worker and tune/trial of the engine's protocol.
#pragma once
#include "core/protocol/Trials.h"
#include "core/tuning/device/PointTrials.h"
#include "llvm/Support/JSON.h"

namespace fuselage::tune {

/// Parameters of tune/worker: the whole subject as text. Without a payload, the worker returns its device only.
llvm::Expected<llvm::json::Object> encodeSubject(const TuneSubject &subject);

/// Parameters of tune/trial.
llvm::json::Object encodeRequest(const TrialRequest &request);
TrialRequest decodeRequest(const llvm::json::Object &params);

/// Results.
message::TrialDevice<> deviceMessage(const DeviceInfo &device);
llvm::Expected<DeviceInfo> decodeDevice(const llvm::json::Object &result);
message::TrialResult<> resultMessage(const Measurement &measured, bool isSpent);
/// Returns nullopt if `result` is not valid: times must be positive, and as many as those of the baseline if
/// `hasBaseline`.
std::optional<Measurement> decodeMeasurement(const llvm::json::Object &result, bool hasBaseline, bool &isSpent);

/// Replaces control characters except line ends by '?', for showing text of other processes.
std::string shownText(llvm::StringRef text);

/// A request of JSON-RPC.
std::string requestText(int64_t id, llvm::StringRef method, llvm::json::Object params);

} // namespace fuselage::tune
