// Buffers, copies and peaks, as Qt values.
#pragma once
#include "core/protocol/Buffers.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using BufferBytes = message::BufferBytes<QtTypes>;
using BufferPeaks = message::BufferPeaks<QtTypes>;
using BufferPlace = message::BufferPlace<QtTypes>;
using BufferConflict = message::BufferConflict<QtTypes>;
using BufferOperand = message::BufferOperand<QtTypes>;
using Buffer = message::Buffer<QtTypes>;
using BufferMove = message::BufferMove<QtTypes>;
using BufferPeak = message::BufferPeak<QtTypes>;
using BufferOp = message::BufferOp<QtTypes>;
using BufferProblem = message::BufferProblem<QtTypes>;
using BufferArgument = message::BufferArgument<QtTypes>;
using BuffersReport = message::BuffersReport<QtTypes>;
using SnapshotPeaks = message::SnapshotPeaks<QtTypes>;

} // namespace fuselage::protocol
