// What is to blame for a step, as Qt values.
#pragma once
#include "core/protocol/Blame.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using Blame = message::Blame<QtTypes>;
using BlameProgress = message::BlameProgress<QtTypes>;

} // namespace fuselage::protocol
