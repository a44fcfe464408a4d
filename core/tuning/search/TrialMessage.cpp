#include "core/tuning/search/TrialMessage.h"

namespace fuselage::tune {

message::TuneTrial<> messageOf(const Trial &trial, Objective objective) {
  message::TuneTrial<> message{.parameters = trial.parameters,
                               .status = nameOf(trial.status).str(),
                               .why = trial.why.empty() ? trial.oneThread : trial.why};
  message.medianUs = trial.medianUs().value_or(-1);
  message.minUs = trial.minUs().value_or(-1);
  Trial beside;
  beside.microseconds = trial.baseline;
  message.baselineUs = beside.medianUs().value_or(-1);
  message.launches = static_cast<int>(trial.microseconds.size());
  bool isTwin = trial.status == TrialStatus::Duplicate && trial.why.empty();
  Measurement measured{.status = isTwin ? TrialStatus::Ok : trial.status,
                       .microseconds = trial.microseconds,
                       .baseline = trial.baseline};
  if (!trial.baseline.empty())
    message.relative = costOf(measured, objective).value_or(-1);
  return message;
}

} // namespace fuselage::tune
