// The code of a dispatch's kernels, as Qt values.
#pragma once
#include "core/protocol/KernelCheck.h"
#include "core/protocol/KernelCode.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using KernelFact = message::KernelFact<QtTypes>;
using KernelUnit = message::KernelUnit<QtTypes>;
using ListingPlace = message::ListingPlace<QtTypes>;
using KernelListing = message::KernelListing<QtTypes>;
using KernelCode = message::KernelCode<QtTypes>;
using KernelFindingPlace = message::KernelFindingPlace<QtTypes>;
using KernelFinding = message::KernelFinding<QtTypes>;
using KernelCheck = message::KernelCheck<QtTypes>;
using KernelProgress = message::KernelProgress<QtTypes>;

} // namespace fuselage::protocol
