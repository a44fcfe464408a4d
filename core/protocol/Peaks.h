// What a device can do at most, measured, and what a dispatch is measured against.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

enum class PeakKind { Bandwidth, Compute };
inline constexpr const char *peakKindNames[] = {"bandwidth", "compute"};

/// What a kernel of our own reached that does nothing else.
template <class Types = StdTypes> struct Peak {
  static constexpr const char *messageName = "Peak";
  PeakKind kind = PeakKind::Bandwidth;
  Text<Types> name;             ///< "memory", "last cache"; of arithmetic its type, "f32"
  double rate = -1;             ///< 10^9 bytes or operations a second; negative: unknown
  Int64<Types> workingSet = -1; ///< bytes that it goes through; of a cache: what fits
  Text<Types> how;              ///< "reductions of rows, the fastest of 7 launches, caches flushed"

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", kind, peakKindNames);
    visit("name", name);
    visit("rate", rate);
    visit("working_set", workingSet);
    visit("how", how);
  }
};

/// The peaks of a device, with what has to be the same for them to hold.
template <class Types = StdTypes> struct DevicePeaks {
  static constexpr const char *messageName = "DevicePeaks";
  int version = 1;
  Text<Types> device, name, driver;
  Text<Types> program;  ///< the version that measured
  Text<Types> measured; ///< when: "2026-03-01 12:00 UTC"
  List<Types, Peak<Types>> peaks;
  List<Types, Text<Types>> missing; ///< what could not be measured, and why

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("device", device);
    visit("name", name);
    visit("driver", driver);
    visit("program", program);
    visit("measured", measured);
    visit("roofs", peaks);
    visit("missing", missing);
  }
};

/// Something else that does the work of a dispatch or a part of it, timed in the same run.
template <class Types = StdTypes> struct Baseline {
  static constexpr const char *messageName = "Baseline";
  static constexpr const char *copyKind = "copy", *libraryKind = "library";
  Text<Types> kind; ///< "copy": of as many bytes as the dispatch moves at least; "library": its matmul alone
  Text<Types> name; ///< "OpenBLAS 0.3.21, 2 threads"
  Text<Types> what; ///< "sgemm 128x768x768"
  double us = -1;   ///< the median
  Int64<Types> launches = -1;

  template <class Visitor> void fields(Visitor &visit) {
    visit("kind", kind);
    visit("name", name);
    visit("what", what);
    visit("us", us);
    visit("launches", launches);
  }
};

/// What the run itself costs, and how steady the clocks were: the same kernels at its begin and its end.
template <class Types = StdTypes> struct ClockCheck {
  static constexpr const char *messageName = "ClockCheck";
  double launchUs = -1;             ///< a kernel that does next to nothing, by the clock of the times
  double submitUs = -1;             ///< what the host spends around it, from call to return
  double firstUs = -1, lastUs = -1; ///< a kernel of multiplications and additions alone
  bool isKnown() const { return firstUs > 0 && lastUs > 0; }
  /// 0.05: the end was 5 % slower than the begin.
  double drift() const { return isKnown() ? lastUs / firstUs - 1 : unknownNumber; }

  template <class Visitor> void fields(Visitor &visit) {
    visit("launch_us", launchUs);
    visit("submit_us", submitUs);
    visit("first_us", firstUs);
    visit("last_us", lastUs);
    visit.derived("drift", drift(), nullIf(!isKnown()));
  }
};

/// What a dispatch cannot be faster than. Launch: it has less to do than starting it takes.
enum class LimitKind { Unknown, Memory, Compute, Launch };
inline constexpr const char *limitKindNames[] = {"unknown", "memory", "compute", "launch"};
/// AtLeast: one of bytes and operations is not known. AtMost: data decides what is read.
enum class ShareBound { Exact, AtLeast, AtMost };
inline constexpr const char *shareBoundNames[] = {"exact", "at_least", "at_most"};

/// How near a dispatch comes to its peak.
template <class Types = StdTypes> struct Limit {
  static constexpr const char *messageName = "Limit";
  LimitKind kind = LimitKind::Unknown;
  Text<Types> peak;  ///< its name
  double us = -1;    ///< by the peak; negative: unknown
  double share = -1; ///< of the measured time: 0.78 of the peak is reached
  ShareBound bound = ShareBound::Exact;
  bool isKnown() const { return kind != LimitKind::Unknown && share >= 0; }

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", kind, limitKindNames);
    visit("roof", peak);
    visit("us", us, nullIf(us < 0));
    visit("share", share, nullIf(share < 0));
    visit.choice("bound", bound, shareBoundNames);
  }
};

} // namespace fuselage::message
