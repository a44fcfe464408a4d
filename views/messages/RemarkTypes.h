// Remarks of other compilers, as Qt values.
#pragma once
#include "core/protocol/Remarks.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using message::RemarkKind;
using message::RemarkPlace;
using Remark = message::Remark<QtTypes>;
using Remarks = message::Remarks<QtTypes>;

} // namespace fuselage::protocol
