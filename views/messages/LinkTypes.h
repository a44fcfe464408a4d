// The link to an engine on another machine, as Qt values.
#pragma once
#include "core/protocol/Link.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using LinkState = message::LinkState<QtTypes>;

} // namespace fuselage::protocol
