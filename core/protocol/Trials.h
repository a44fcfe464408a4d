// What a worker of a tuning answers.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// The device that a worker makes trials on.
template <class Types = StdTypes> struct TrialDevice {
  static constexpr const char *messageName = "tune/worker";
  Text<Types> id, name, api;
  Text<Types> driver; ///< what makes machine code of kernels, with its version; empty: it does not say
  Text<Types> model;  ///< as a device file has it

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("name", name);
    visit("api", api);
    visit("driver", driver);
    visit("model", model);
  }
};

/// What became of a point.
template <class Types = StdTypes> struct TrialResult {
  static constexpr const char *messageName = "tune/trial";
  Text<Types> status; ///< as a line of a journal has it: "ok", "wrong", ..; empty: this is no answer
  Text<Types> why;    ///< a sentence where it is not ok
  Text<Types> kernel; ///< fingerprint of what was compiled; empty: nothing was
  List<Types, double> microseconds;
  List<Types, double> baseline; ///< of the baseline, measured in turns with these
  Text<Types> oneThread; ///< what of it did not run on all threads of the host; empty: nothing, or it is not known
  bool isSpent = false;  ///< the device may not take another launch by that process

  template <class Visitor> void fields(Visitor &visit) {
    visit("status", status);
    visit("why", why, leftOutIf(isEmpty(why)));
    visit("kernel", kernel);
    visit("us", microseconds);
    visit("baseline_us", baseline);
    visit("one_thread", oneThread, leftOutIf(isEmpty(oneThread)));
    visit("spent", isSpent, leftOutIf(!isSpent));
  }
};

} // namespace fuselage::message
