// Devices and runs, as Qt values.
#pragma once
#include "core/protocol/Run.h"
#include "views/messages/DocumentTypes.h"
#include <QMetaType>

namespace fuselage::protocol {

using message::RunPhase;
using message::RunVerdict;
using message::unknownNumber;

using Device = message::Device<QtTypes>;
using Devices = message::Devices<QtTypes>;
using Comparison = message::Comparison<QtTypes>;
using message::LimitKind;
using message::PeakKind;
using message::ShareBound;
using Peak = message::Peak<QtTypes>;
using DevicePeaks = message::DevicePeaks<QtTypes>;
using Baseline = message::Baseline<QtTypes>;
using ClockCheck = message::ClockCheck<QtTypes>;
using Limit = message::Limit<QtTypes>;
using Kernel = message::Kernel<QtTypes>;
using KernelGroup = message::KernelGroup<QtTypes>;
using Statistics = message::Statistics<QtTypes>;
using WorstElement = message::WorstElement<QtTypes>;
using HeatSlice = message::HeatSlice<QtTypes>;
using Output = message::Output<QtTypes>;
using RunArguments = message::RunArguments<QtTypes>;
using RunInput = message::RunInput<QtTypes>;
using RunShares = message::RunShares<QtTypes>;
using RunCancelled = message::RunCancelled<QtTypes>;
using RunReport = message::RunReport<QtTypes>;
using RunProgress = message::RunProgress<QtTypes>;

} // namespace fuselage::protocol

Q_DECLARE_METATYPE(fuselage::protocol::Kernel)
