// The code of a dispatch's kernels, as Qt values.
#pragma once
#include "core/protocol/KernelCode.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using KernelFact = message::KernelFact<QtTypes>;
using KernelUnit = message::KernelUnit<QtTypes>;
using ListingPlace = message::ListingPlace<QtTypes>;
using KernelListing = message::KernelListing<QtTypes>;
using KernelCode = message::KernelCode<QtTypes>;

} // namespace fuselage::protocol
