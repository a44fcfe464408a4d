// What is open, its steps, its text and its ops, as Qt values.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/Ops.h"
#include "core/protocol/Outline.h"
#include "views/messages/QtTypes.h"
#include <QMetaType>

namespace fuselage::protocol {

using message::version;

using Diagnostic = message::Diagnostic<QtTypes>;
using Error = message::Error<QtTypes>;
using LogLine = message::LogLine<QtTypes>;
using Initialized = message::Initialized<QtTypes>;
using Preset = message::Preset<QtTypes>;
using Pass = message::Pass<QtTypes>;
using Catalog = message::Catalog<QtTypes>;
using StepFusion = message::StepFusion<QtTypes>;
using Step = message::Step<QtTypes>;
using Advice = message::Advice<QtTypes>;
using Document = message::Document<QtTypes>;
using Tool = message::Tool<QtTypes>;
using Tools = message::Tools<QtTypes>;
using ToolProgress = message::ToolProgress<QtTypes>;
using DocumentProgress = message::DocumentProgress<QtTypes>;
using FusionHistory = message::FusionHistory<QtTypes>;
using Recording = message::Recording<QtTypes>;
using StepStarted = message::StepStarted<QtTypes>;
using SnapshotRead = message::SnapshotRead<QtTypes>;
using TextLines = message::TextLines<QtTypes>;
using TextMatch = message::TextMatch<QtTypes>;
using TextMatches = message::TextMatches<QtTypes>;
using OpAt = message::OpAt<QtTypes>;
using TextUses = message::TextUses<QtTypes>;
using SourceRun = message::SourceRun<QtTypes>;
using SourceLines = message::SourceLines<QtTypes>;
using SourceRange = message::SourceRange<QtTypes>;
using SourceOps = message::SourceOps<QtTypes>;
using OpResult = message::OpResult<QtTypes>;
using OpOperand = message::OpOperand<QtTypes>;
using OpPort = message::OpPort<QtTypes>;
using OpAttribute = message::OpAttribute<QtTypes>;
using Origin = message::Origin<QtTypes>;
using OpDetails = message::OpDetails<QtTypes>;
using OutlineKind = message::OutlineKind;
using OutlineRow = message::OutlineRow<QtTypes>;
using Outline = message::Outline<QtTypes>;
using GraphDiffNode = message::GraphDiffNode<QtTypes>;
using GraphDiff = message::GraphDiff<QtTypes>;
using WrittenFile = message::WrittenFile<QtTypes>;
using Nothing = message::Nothing<QtTypes>;

} // namespace fuselage::protocol

Q_DECLARE_METATYPE(fuselage::protocol::Step)
Q_DECLARE_METATYPE(fuselage::protocol::Diagnostic)
