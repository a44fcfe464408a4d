// What was measured of dispatches and fusions on a device, kept between runs: what is predicted there goes by it.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// A dispatch that was launched with cold caches.
template <class Types = StdTypes> struct DispatchSample {
  static constexpr const char *messageName = "DispatchSample";
  Text<Types> kind;       ///< "transpose"
  Text<Types> arithmetic; ///< "f32"
  Int64<Types> launches = 1;
  double flops = 0, bytes = 0;
  double predictedUs = -1; ///< of launching and moving alone, by what was known before
  double us = -1;          ///< all launches together

  template <class Visitor> void fields(Visitor &visit) {
    visit("kind", kind);
    visit("arithmetic", arithmetic);
    visit("launches", launches);
    visit("flops", flops);
    visit("bytes", bytes);
    visit("predicted_us", predictedUs);
    visit("us", us);
  }
};

/// A part of a fusion, and what a program gained by it.
template <class Types = StdTypes> struct FusionSample {
  static constexpr const char *messageName = "FusionSample";
  Text<Types> part;
  Text<Types> when; ///< "2026-03-01 12:00 UTC"
  bool kept = true;
  Int64<Types> dispatches = 0, bytes = 0; ///< less, by prediction
  double predictedUs = 0, us = 0;         ///< less
  double noise = 0;                       ///< of `us`

  template <class Visitor> void fields(Visitor &visit) {
    visit("part", part);
    visit("when", when);
    visit("kept", kept);
    visit("dispatches", dispatches);
    visit("bytes", bytes);
    visit("predicted_us", predictedUs);
    visit("us", us);
    visit("noise_us", noise);
  }
};

/// The samples of a device, the newest last, with what has to be the same for them to count.
template <class Types = StdTypes> struct DeviceSamples {
  static constexpr const char *messageName = "DeviceSamples";
  int version = 1;
  Text<Types> device, name, driver;
  Text<Types> program; ///< the version that measured
  List<Types, DispatchSample<Types>> dispatches;
  List<Types, FusionSample<Types>> fusions;

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("device", device);
    visit("name", name);
    visit("driver", driver);
    visit("program", program);
    visit("dispatches", dispatches);
    visit("fusions", fusions);
  }
};

} // namespace fuselage::message
