// What is asked of those who make trials, and what they answer: tune/worker and tune/trial of the engine's protocol.
#pragma once
#include "core/protocol/Trials.h"
#include "core/tuning/device/PointTrials.h"
#include "llvm/Support/JSON.h"

namespace fuselage::tune {

/// Parameters of tune/worker: all of the subject, by text. Without a payload it is asked for its device only.
llvm::Expected<llvm::json::Object> encodeSubject(const TuneSubject &subject);

/// Parameters of tune/trial.
llvm::json::Object encodeRequest(const TrialRequest &request);
TrialRequest decodeRequest(const llvm::json::Object &params);

/// Results.
message::TrialDevice<> deviceMessage(const DeviceInfo &device);
llvm::Expected<DeviceInfo> decodeDevice(const llvm::json::Object &result);
message::TrialResult<> resultMessage(const Measurement &measured, bool isSpent);
/// Nullopt: it is none: times are numbers above 0, and as many as the baseline has, where one was asked for.
std::optional<Measurement> decodeMeasurement(const llvm::json::Object &result, bool hasBaseline, bool &isSpent);

/// Words of others, as they may be shown: control characters but ends of lines become '?'.
std::string shownText(llvm::StringRef text);

/// A request of JSON-RPC.
std::string requestText(int64_t id, llvm::StringRef method, llvm::json::Object params);

} // namespace fuselage::tune
