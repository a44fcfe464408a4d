// Every method of the protocol, in the order of its page.
#pragma once
#include "core/protocol/BundleResults.h"
#include "core/protocol/Gate.h"
#include "core/protocol/Link.h"
#include "core/protocol/Samples.h"
#include "core/protocol/methods/BlameMethods.h"
#include "core/protocol/methods/BufferMethods.h"
#include "core/protocol/methods/BundleMethods.h"
#include "core/protocol/methods/CompareMethods.h"
#include "core/protocol/methods/DocumentMethods.h"
#include "core/protocol/methods/FusionMethods.h"
#include "core/protocol/methods/GraphMethods.h"
#include "core/protocol/methods/KernelMethods.h"
#include "core/protocol/methods/LessonMethods.h"
#include "core/protocol/methods/MeshMethods.h"
#include "core/protocol/methods/NoteMethods.h"
#include "core/protocol/methods/OpMethods.h"
#include "core/protocol/methods/RemarkMethods.h"
#include "core/protocol/methods/RewriteMethods.h"
#include "core/protocol/methods/RunMethods.h"
#include "core/protocol/methods/ScheduleMethods.h"
#include "core/protocol/methods/SearchMethods.h"
#include "core/protocol/methods/StepMethods.h"
#include "core/protocol/methods/TextMethods.h"
#include "core/protocol/methods/TileMethods.h"
#include "core/protocol/methods/TraceMethods.h"
#include "core/protocol/methods/TuneMethods.h"
#include "core/protocol/methods/ValueMethods.h"

namespace fuselage::method {

template <class... Methods> struct MethodList {
  /// Calls `visit.template operator()<Method>()` for each.
  template <class Visit> static void forEach(const Visit &visit) { (visit.template operator()<Methods>(), ...); }
};

using AllMethods = MethodList<
    Initialize, OpenDocument, ListTools, StartTool, PollTool, StopTool, ListPlugins, ListPipelines, RecordPipeline,
    TextLines, FindText, OpAtLine, TextUses, SourceLines, FindSource, SourceUses, OpsFromSource, SourceOfLine, SaveText,
    ReadSnapshot, GraphScene, ExportGraph, GraphOutline, LoadNotes, SaveNotes, AnchorNote, ResolveNotes, WriteBugReport,
    ReadRemarks, ReportMeshes, OpDetails, CountSnapshot, PrepareSearch, FindNames, SearchHistory, DiffText, DiffGraph,
    ExportReport, WriteReproducer, ListRewrites, ShowRewrite, SkipRewrite, AskRewrites, FindBlame, FindStop,
    OfferPatterns, ReportFusion, FindDecision, MeasureBandwidth, CostOfStep, Fuse, UndoFusion, RedoFusion, SaveFusion,
    FusionHelp, ReportBuffers, BufferHelp, Compare, ListDevices, ListModels, Run, OpenWorker, MakeTrial, TraceSchedule,
    SchedulePosition, PreparePosition, CheckSchedule, ScheduleKnobs, CompleteScript, ScheduleActions, WriteSchedule,
    CheckForms, FormHelp, TileDomain, TileFootprint, TileSequence, TraceTiling, TuneSpace, TuneStep, StartTuning,
    PollTuning, ControlTuning, ReadJournal, CompareSchedules, ListLessons, OpenLesson, JudgeLesson, RunArguments,
    RunResults, OpenTrace, TracePieces, EdgeValue, ValueFile, FindNonFinite, ShowKernels, CheckKernels, Shutdown>;

template <template <class> class... Messages> struct MessageList {
  /// Calls `visit.template operator()<Message<StdTypes>>()` for each.
  template <class Visit> static void forEach(const Visit &visit) {
    (visit.template operator()<Messages<StdTypes>>(), ...);
  }
};

/// What the engine sends unasked.
using Notifications = MessageList<message::StepStarted, message::Step, message::DocumentProgress, message::RunProgress,
                                  message::KernelProgress, message::SearchProgress, message::BlameProgress,
                                  message::FuseProgress, message::LogLine, message::LinkState>;

/// Messages of no method: the error of a reply, what results and kernels share, and files.
using OtherMessages =
    MessageList<message::Error, message::Comparison, message::DeviceSamples, message::Results, message::FusionGate>;

} // namespace fuselage::method
