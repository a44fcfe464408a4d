// kernel/*.
#pragma once
#include "core/protocol/KernelCheck.h"
#include "core/protocol/KernelCode.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

/// The dispatch whose kernels are meant, and what they are made for.
template <class Types = StdTypes> struct KernelChoice {
  SnapshotNumber snapshot{};
  Text<Types> dispatch{};
  Text<Types> function{};
  std::optional<Text<Types>> chip{};
  Text<Types> device{};
  Map<Types, Int64<Types>> sizes{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, optional);
    visit("dispatch", dispatch, required.doc("as of run/start"));
    visit("function", function);
    visit("chip", chip, optional.doc("of PTX (\"sm_90\")"));
    visit("device", device,
          optional.file(FileUse::Device)
              .doc("instead of `target` and `chip`: the id of a model of devices/models that is not here "
                   "(\"h100\"), or the path of a device file"));
    visit("sizes", sizes);
  }
};

enum class KernelTarget { Spirv, Ptx, Host };
inline constexpr const char *kernelTargets[] = {"spirv", "ptx", "host"};

struct ShowKernels {
  static constexpr const char *name = "kernel/code";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    KernelChoice<Types> kernels{};
    KernelTarget target = KernelTarget::Spirv;

    template <class Visitor> void fields(Visitor &visit) {
      kernels.fields(visit);
      visit.choice("target", target, kernelTargets);
    }
  };
  template <class Types> using Reply = message::KernelCode<Types>;
};

struct CheckKernels {
  static constexpr const char *name = "kernel/check";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    KernelChoice<Types> kernels{};
    KernelTarget target = KernelTarget::Spirv;
    Int64<Types> seed = 1;

    template <class Visitor> void fields(Visitor &visit) {
      visit("seed", seed,
            optional.range(0, INT64_MAX)
                .doc("of inputs and of the workgroups that stand for all where there are too many (default: 1)"));
      kernels.fields(visit);
      visit.choice("target", target, kernelTargets, optional.doc("\"spirv\" (default) or \"ptx\""));
    }
  };
  template <class Types> using Reply = message::KernelCheck<Types>;
};

} // namespace fuselage::method
