// Plugins of the engine, as Qt values.
#pragma once
#include "core/protocol/Plugins.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using Plugin = message::Plugin<QtTypes>;
using Plugins = message::Plugins<QtTypes>;

} // namespace fuselage::protocol
