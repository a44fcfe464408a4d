// Tuning, as Qt values.
#pragma once
#include "core/protocol/Tuning.h"
#include "views/messages/QtTypes.h"
#include "views/messages/RunTypes.h"

namespace fuselage::protocol {

using TuneKnob = message::TuneKnob<QtTypes>;
using TuneCondition = message::TuneCondition<QtTypes>;
using TunePrediction = message::TunePrediction<QtTypes>;
using TuneSpace = message::TuneSpace<QtTypes>;
using TuneTile = message::TuneTile<QtTypes>;
using TuneStep = message::TuneStep<QtTypes>;
using TuneItem = message::TuneItem<QtTypes>;
using TunePlan = message::TunePlan<QtTypes>;
using TuneStarted = message::TuneStarted<QtTypes>;
using TuneTrial = message::TuneTrial<QtTypes>;
using TuneBegin = message::TuneBegin<QtTypes>;
using TuneOutcome = message::TuneOutcome<QtTypes>;
using TuneProgress = message::TuneProgress<QtTypes>;
using TuneWork = message::TuneWork<QtTypes>;
using TuneJournal = message::TuneJournal<QtTypes>;

} // namespace fuselage::protocol
