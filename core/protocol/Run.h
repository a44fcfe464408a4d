// Devices, what a run needs, and what it found.
#pragma once
#include "core/protocol/Diagnostics.h"
#include "core/protocol/Peaks.h"
#include <optional>

namespace fuselage::message {

/// A device that exists now.
template <class Types = StdTypes> struct Device {
  static constexpr const char *messageName = "Device";
  Text<Types> id; ///< "host", "vulkan:0", "cuda:0"
  Text<Types> name;
  Text<Types> api;                 ///< "host", "Vulkan 1.3.2", "CUDA 13.0"
  Int64<Types> memoryBytes = 0;    ///< 0: unknown
  Int64<Types> maxSharedBytes = 0; ///< workgroup memory of one workgroup
  Int64<Types> maxThreads = 0;
  bool software = false; ///< lavapipe and the host
  Text<Types> target;    ///< PTX: "sm_90"; SPIR-V: version

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("name", name);
    visit("api", api);
    visit("memory_bytes", memoryBytes);
    visit("max_shared_bytes", maxSharedBytes);
    visit("max_threads", maxThreads);
    visit("software", software);
    visit("target", target);
  }
};
template <class Types = StdTypes> struct Devices {
  static constexpr const char *messageName = "devices/list";
  List<Types, Device<Types>> devices;

  template <class Visitor> void fields(Visitor &visit) { visit("devices", devices); }
};

/// What was found, from good to bad: "ok" is shown for `Ok` only. Unchecked: nobody compared.
/// NotComparable: more than 1 % of the elements are not finite, or a quarter could be 0 within
/// their rounding errors, so that agreeing shows nothing.
enum class RunVerdict { Ok, Unchecked, NothingToRun, NotComparable, Wrong };
inline constexpr const char *runVerdictNames[] = {"ok", "unchecked", "nothing_to_run", "not_comparable", "wrong"};

/// How two results differ, element by element; NaN and negative numbers are unknown.
template <class Types = StdTypes> struct Comparison {
  static constexpr const char *messageName = "Comparison";
  RunVerdict verdict = RunVerdict::Wrong;
  Text<Types> why; ///< a sentence; empty where it is ok
  double maxAbsError = unknownNumber;
  double maxRelError = unknownNumber;
  double absolute = unknownNumber, relative = unknownNumber; ///< the tolerance
  Int64<Types> elements = -1;
  Int64<Types> nonfiniteActual = 0, nonfiniteExpected = 0, nonfiniteDiffer = 0;
  bool ok() const { return verdict == RunVerdict::Ok; }

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("verdict", verdict, runVerdictNames);
    visit.derived("ok", ok());
    visit("why", why);
    visit("max_abs_error", maxAbsError);
    visit("max_rel_error", maxRelError);
    visit.group("tolerance", [&](auto &tolerance) {
      tolerance("absolute", absolute);
      tolerance("relative", relative);
    });
    visit("elements", elements);
    visit.group("nonfinite", [&](auto &nonfinite) {
      nonfinite("actual", nonfiniteActual);
      nonfinite("expected", nonfiniteExpected);
      nonfinite("differ", nonfiniteDiffer);
    });
  }
};

/// One kernel's figures, or those of the ops between dispatches that run on the host; negative gflops and gbps are
/// unknown.
template <class Types = StdTypes> struct Kernel : Comparison<Types> {
  static constexpr const char *messageName = "Kernel";
  static constexpr const char *kindNames[] = {"dispatch", "host"};
  bool onHost = false; ///< between the dispatches; only the function's results are compared
  Text<Types> dispatch;
  Text<Types> device;
  Text<Types> name;
  Int64<Types> dispatchIndex = -1;
  Text<Types> loc; ///< where the dispatch's root op comes from
  List<Types, int> grid;
  List<Types, int> block;
  Int64<Types> sharedBytes = -1;
  double minUs = -1;
  double medianUs = -1;
  double p95Us = -1;
  Int64<Types> launches = -1;
  Int64<Types> calls = 1; ///< in one pass, from the same place: the rounds of a loop around it
  Text<Types> clock;      ///< "device" or "host"
  Text<Types> cold;       ///< "flushed", "rotated" or "warm"
  double gflops = -1;
  double gbps = -1;
  bool gbpsAtMost = false; ///< data decides what it reads: it may be less
  bool tuned = false;      ///< its sizes are from a tuning library
  bool once = false;       ///< computed of weights and constants alone, so that one time is enough
  // Of the whole dispatch, as gflops and gbps.
  double flops = -1, bytes = -1; ///< negative: unknown; bytes at least, but for gbpsAtMost
  Text<Types> arithmetic;        ///< the type it computes in: "f32"
  Limit<Types> limit;
  List<Types, Baseline<Types>> baselines;
  List<Types, double> samples; ///< microseconds, launch by launch; a thousand of them where there are more
  Texts<Types> parts;          ///< where its structured ops come from
  Text<Types> layer;           ///< that it lies in, as the graph names it: "layer 3"; empty: in none
  int group = -1;              ///< index of the KernelGroup that it is in

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", onHost, kindNames);
    visit("dispatch", dispatch);
    visit("dispatch_index", dispatchIndex);
    visit("loc", loc);
    visit("device", device);
    visit("min_us", minUs);
    visit("median_us", medianUs);
    visit("p95_us", p95Us);
    visit("launches", launches);
    visit("clock", clock);
    visit("cold", cold);
    visit("calls", calls, leftOutIf(calls == 1));
    visit("once", once, leftOutIf(!once));
    visit("layer", layer, leftOutIf(isEmpty(layer)));
    visit("group", group, leftOutIf(group < 0));
    if (onHost)
      return;
    visit("kernel", name);
    visit("grid", grid);
    visit("block", block);
    visit("shared_bytes", sharedBytes);
    visit("gflops", gflops);
    visit("gbps", gbps);
    visit("gbps_at_most", gbpsAtMost);
    visit("tuned", tuned, leftOutIf(!tuned));
    visit("flops", flops);
    visit("bytes", bytes);
    visit("arithmetic", arithmetic, leftOutIf(isEmpty(arithmetic)));
    visit("limit", limit);
    visit("baselines", baselines);
    visit("samples", samples);
    visit("parts", parts);
    Comparison<Types>::fields(visit);
  }
};

/// Rows of a run that are the same but for where they are: one kernel of equal dispatches (equal ops, types and
/// attributes), on one device, with one verdict; or equal ops on the host.
template <class Types = StdTypes> struct KernelGroup {
  static constexpr const char *messageName = "KernelGroup";
  Numbers<Types> kernels;  ///< indices into the report's, ascending; never empty
  double sumUs = -1;       ///< the medians of all of them, each times its calls; -1: unknown
  Int64<Types> bytes = -1; ///< of all their dispatches, each times its calls; -1: unknown
  double share = -1;       ///< of the report's sum, 0 to 1; -1: unknown, or no part of it, as what is computed once

  template <class Visitor> void fields(Visitor &visit) {
    visit("kernels", kernels);
    visit("sum_us", sumUs, nullIf(sumUs < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit.rounded("share", share, 1e-6, nullIf(share < 0));
  }
};

/// Of the finite elements of a result; of complex numbers, their magnitudes. NaN: there are none.
template <class Types = StdTypes> struct Statistics {
  static constexpr const char *messageName = "Statistics";
  double min = unknownNumber, max = unknownNumber, mean = unknownNumber;
  bool isNone() const { return mean != mean; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("min", min);
    visit("max", max);
    visit("mean", mean);
  }
};

/// The element furthest beyond its tolerance; its place, and what is there.
template <class Types = StdTypes> struct WorstElement {
  static constexpr const char *messageName = "WorstElement";
  Numbers<Types> index;
  typename Types::Element actual, expected;

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit.element("actual", actual);
    visit.element("expected", expected);
  }
};

/// A picture of one 2-d slice of a result, in at most 64 x 64 cells; each cell stands for rowStep x columnStep
/// elements.
template <class Types = StdTypes> struct HeatSlice {
  static constexpr const char *messageName = "HeatSlice";
  Numbers<Types> slice;            ///< the index of the slice, -1 in the dimensions that it shows
  int rowDim = -1, columnDim = -1; ///< rowDim -1: the tensor has one dimension
  int rows = 0, columns = 0;
  Int64<Types> rowExtent = 0, columnExtent = 0;
  Int64<Types> rowStep = 1, columnStep = 1;
  List<Types, double> values; ///< by cell, row by row, the element of the largest magnitude; NaN counts as the largest
  List<Types, double> errors; ///< by cell, the largest |actual - expected|; empty: nothing was compared

  /// There is a value and an error of each cell: a reader drops what cannot be drawn.
  bool isWhole() const {
    const Int64<Types> cells = Int64<Types>(rows) * columns;
    return rows > 0 && columns > 0 && Int64<Types>(values.size()) == cells && Int64<Types>(errors.size()) == cells;
  }

  template <class Visitor> void fields(Visitor &visit) {
    visit("slice", slice);
    visit("row_dim", rowDim);
    visit("column_dim", columnDim);
    visit("rows", rows);
    visit("columns", columns);
    visit("row_extent", rowExtent);
    visit("column_extent", columnExtent);
    visit("row_step", rowStep);
    visit("column_step", columnStep);
    visit("values", values);
    visit("errors", errors);
  }
};

/// A result of the function.
template <class Types = StdTypes> struct Output : Comparison<Types> {
  static constexpr const char *messageName = "Output";
  Text<Types> type;
  Statistics<Types> statistics;
  List<Types, typename Types::Element> values; ///< the first ones
  std::optional<WorstElement<Types>> worst;
  std::optional<HeatSlice<Types>> heat;

  template <class Visitor> void fields(Visitor &visit) {
    visit("type", type);
    Comparison<Types>::fields(visit);
    visit("statistics", statistics, nullIf(statistics.isNone()));
    visit.elements("values", values);
    visit("worst", worst, nullIf(!worst));
    visit("heat", heat, nullIf(!heat));
  }
};

/// An argument, what was asked for, and what was made of it; before a run, nothing was.
template <class Types = StdTypes> struct RunInput {
  static constexpr const char *messageName = "Input";
  Text<Types> name;        ///< "arg0"
  Text<Types> parameter{}; ///< "model::encoder.weight", of a weight
  Text<Types> type, source, note;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("parameter", parameter, leftOutIf(isEmpty(parameter)));
    visit("type", type);
    visit("source", source, leftOutIf(isEmpty(source)));
    visit("note", note, leftOutIf(isEmpty(source)));
  }
};
/// What a run would need values for.
template <class Types = StdTypes> struct RunArguments {
  static constexpr const char *messageName = "run/arguments";
  Text<Types> function;
  List<Types, RunInput<Types>> arguments;

  template <class Visitor> void fields(Visitor &visit) {
    visit("function", function);
    visit("arguments", arguments);
  }
};

/// Where the wall time of a run went, phase after phase, in milliseconds. The reference is computed while kernels
/// compile: what was waited for beyond that counts as `checkMs`.
template <class Types = StdTypes> struct RunShares {
  static constexpr const char *messageName = "Shares";
  double readMs = 0;                                 ///< reading and normalizing the file
  double inputsMs = 0;                               ///< making or reading the arguments
  double formMs = 0;                                 ///< forming dispatches
  double compileMs = 0;                              ///< kernels, and the pieces of the reference
  double uploadMs = 0;                               ///< arguments to the device
  double runMs = 0;                                  ///< launches with their repeats, and host code in between
  double checkMs = 0;                                ///< the reference and the comparisons
  Int64<Types> uniqueDispatches = 0, dispatches = 0; ///< what was compiled for the device, of how many
  Int64<Types> uniquePieces = 0, pieces = 0;         ///< what was compiled for the reference, of how many

  double totalMs() const { return readMs + inputsMs + formMs + compileMs + uploadMs + runMs + checkMs; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("read_ms", readMs);
    visit("inputs_ms", inputsMs);
    visit("form_ms", formMs);
    visit("compile_ms", compileMs);
    visit("upload_ms", uploadMs);
    visit("run_ms", runMs);
    visit("check_ms", checkMs);
    visit.derived("total_ms", totalMs());
    visit("unique_dispatches", uniqueDispatches);
    visit("dispatches", dispatches);
    visit("unique_pieces", uniquePieces);
    visit("pieces", pieces);
  }
};

/// How far a run was when it was cancelled.
template <class Types = StdTypes> struct RunCancelled {
  static constexpr const char *messageName = "Cancelled";
  int after = 0; ///< dispatches that had finished: the report's rows are theirs
  int of = 0;    ///< dispatches of the program

  template <class Visitor> void fields(Visitor &visit) {
    visit("after", after);
    visit("of", of);
  }
};

template <class Types = StdTypes> struct RunReport {
  static constexpr const char *messageName = "Run";
  int version = 1;
  Text<Types> device;
  Text<Types> function;
  RunVerdict verdict = RunVerdict::NothingToRun;
  Text<Types> why;        ///< a sentence where it is not ok
  double sumUs = -1;      ///< the medians of the rows of one pass, times their calls; -1: unknown
  double onceUs = 0;      ///< the medians of what is computed once, of weights and constants
  double wallUs = -1;     ///< one pass over the whole program, from arguments to results in host memory
  Text<Types> clock;      ///< "device", "host" or "mixed"
  Text<Types> timingNote; ///< what other clocks than the device's mean for the sum
  RunShares<Types> shares;
  ClockCheck<Types> clocks;
  std::optional<DevicePeaks<Types>> peaks; ///< of the device, where they are measured
  List<Types, RunInput<Types>> inputs;
  List<Types, Kernel<Types>> kernels;     ///< in the order of their first launch
  List<Types, KernelGroup<Types>> groups; ///< of all kernels; what takes longest comes first
  List<Types, Output<Types>> outputs;
  List<Types, Diagnostic<Types>> remarks;
  std::optional<RunCancelled<Types>> cancelled; ///< rows and sums are of what had finished; there are no outputs
  bool ok() const { return verdict == RunVerdict::Ok; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("cancelled", cancelled, leftOutIf(!cancelled));
    visit("device", device);
    visit("function", function);
    visit.choice("verdict", verdict, runVerdictNames);
    visit.derived("ok", ok());
    visit("why", why);
    visit("sum_us", sumUs);
    visit("once_us", onceUs);
    visit("wall_us", wallUs, nullIf(wallUs < 0));
    visit("clock", clock);
    visit("timing_note", timingNote);
    visit("shares", shares);
    visit("clocks", clocks);
    visit("roofs", peaks, nullIf(!peaks));
    visit("inputs", inputs);
    visit("kernels", kernels);
    visit("groups", groups);
    visit("outputs", outputs);
    visit("remarks", remarks);
  }
};

/// What a run is at: reading and making inputs, compiling, launching, and comparing with the host.
enum class RunPhase { Read, Compile, Run, Check };
inline constexpr const char *runPhaseNames[] = {"read", "compile", "run", "check"};
inline constexpr int runPhaseCount = 4;

template <class Types = StdTypes> struct RunProgress {
  static constexpr const char *messageName = "run/progress";
  int done = 0; ///< of all work: compiling, launching and checking
  int total = 0;
  Text<Types> what;
  RunPhase phase = RunPhase::Read;
  List<Types, double> phaseMs;     ///< spent in each phase so far, in their order
  int dispatchesDone = 0;          ///< that were launched and timed
  int dispatches = 0;              ///< of the program; 0: not known yet
  double leftMs = -1;              ///< until all are launched, by those that finished; negative: unknown
  Int64<Types> firstRow = 0;       ///< of the report to come: `rows` begin there
  List<Types, Kernel<Types>> rows; ///< that finished, or were compared; in place of what was there

  template <class Visitor> void fields(Visitor &visit) {
    visit("done", done);
    visit("total", total);
    visit("what", what);
    visit.choice("phase", phase, runPhaseNames);
    visit("phase_ms", phaseMs);
    visit("dispatches_done", dispatchesDone);
    visit("dispatches", dispatches);
    visit("left_ms", leftMs, nullIf(leftMs < 0));
    visit("first_row", firstRow, leftOutIf(isEmpty(rows)));
    visit("rows", rows, leftOutIf(isEmpty(rows)));
  }
};

} // namespace fuselage::message
