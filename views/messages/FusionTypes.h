// Verdicts and fusions, as Qt values.
#pragma once
#include "core/protocol/Fusion.h"
#include "views/messages/DocumentTypes.h"
#include <QMetaType>

namespace fuselage::protocol {

using message::FusionState;
using message::FusionVerdict;

using FusionEvidence = message::FusionEvidence<QtTypes>;
using FusionReason = message::FusionReason<QtTypes>;
using FusionEdge = message::FusionEdge<QtTypes>;
using FusionGroup = message::FusionGroup<QtTypes>;
using FusionDispatch = message::FusionDispatch<QtTypes>;
using FusionTotals = message::FusionTotals<QtTypes>;
using FusionReport = message::FusionReport<QtTypes>;
using FuseTimes = message::FuseTimes<QtTypes>;
using FusePart = message::FusePart<QtTypes>;
using FuseResult = message::FuseResult<QtTypes>;
using FuseProgress = message::FuseProgress<QtTypes>;
using FusionDecision = message::FusionDecision<QtTypes>;
using StepCost = message::StepCost<QtTypes>;
using Bandwidth = message::Bandwidth<QtTypes>;
using ReasonHelp = message::ReasonHelp<QtTypes>;
using ReasonHelps = message::ReasonHelps<QtTypes>;

} // namespace fuselage::protocol

Q_DECLARE_METATYPE(fuselage::protocol::FuseResult)
