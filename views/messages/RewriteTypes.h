// What happened inside of a step, as Qt values.
#pragma once
#include "core/protocol/Rewrites.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using StepRewrite = message::StepRewrite<QtTypes>;
using PatternUse = message::PatternUse<QtTypes>;
using StepRewrites = message::StepRewrites<QtTypes>;
using OpAttempt = message::OpAttempt<QtTypes>;
using OpRewrites = message::OpRewrites<QtTypes>;
using RewritePlace = message::RewritePlace<QtTypes>;
using RewriteStop = message::RewriteStop<QtTypes>;
using PatternOffer = message::PatternOffer<QtTypes>;
using OpPatterns = message::OpPatterns<QtTypes>;

} // namespace fuselage::protocol
