// Results of a kernel bundle, as fuselage-launch writes them.
#pragma once
#include "core/protocol/Run.h"

namespace fuselage::message {

/// What made results: the bundle, the device that ran it, and when. Empty texts are unknown.
template <class Types = StdTypes> struct BundleOrigin {
  static constexpr const char *messageName = "BundleOrigin";
  Text<Types> deviceName;   ///< "NVIDIA H100 80GB HBM3"
  Text<Types> api;          ///< "CUDA 13.0"
  Text<Types> driver;       ///< with its version
  Text<Types> measured;     ///< when: "2026-03-01 12:00 UTC"
  Text<Types> launcher;     ///< "fuselage-launch 0.1.0"
  Text<Types> bundler;      ///< what wrote the bundle: "fuselage 0.1.0, LLVM 22.1.8"
  Text<Types> target;       ///< what its kernels are made for: "sm_90"
  Text<Types> source;       ///< the file of the module
  Text<Types> sourceSha256; ///< of that file's bytes when the bundle was made, 64 digits

  template <class Visitor> void fields(Visitor &visit) {
    visit("device_name", deviceName);
    visit("api", api);
    visit("driver", driver);
    visit("measured", measured);
    visit("launcher", launcher);
    visit("bundler", bundler);
    visit("target", target);
    visit("source", source);
    visit("source_sha256", sourceSha256);
  }
};

/// A run's report, and of a bundle what made it.
template <class Types = StdTypes> struct Results : RunReport<Types> {
  static constexpr const char *messageName = "Results";
  std::optional<BundleOrigin<Types>> bundle; ///< of `fuselage run` none

  template <class Visitor> void fields(Visitor &visit) {
    RunReport<Types>::fields(visit);
    visit("bundle", bundle, leftOutIf(!bundle));
  }
};

} // namespace fuselage::message
