// Two programs side by side, as Qt values.
#pragma once
#include "core/protocol/Compare.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using message::DispatchRelation;

using ComparedDispatch = message::ComparedDispatch<QtTypes>;
using ComparedReason = message::ComparedReason<QtTypes>;
using ComparedRow = message::ComparedRow<QtTypes>;
using ComparedGroup = message::ComparedGroup<QtTypes>;
using ComparedSide = message::ComparedSide<QtTypes>;
using DispatchComparison = message::DispatchComparison<QtTypes>;

} // namespace fuselage::protocol
