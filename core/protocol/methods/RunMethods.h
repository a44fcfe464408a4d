// devices/* and run/*.
#pragma once
#include "core/protocol/Devices.h"
#include "core/protocol/Run.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct ListDevices {
  static constexpr const char *name = "devices/list";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Devices<Types>;
};

struct ListModels {
  static constexpr const char *name = "devices/models";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    bool here = true;

    template <class Visitor> void fields(Visitor &visit) {
      visit("here", here, optional.doc("false: without those that are here, and without asking any driver"));
    }
  };
  template <class Types> using Reply = message::DeviceModels<Types>;
};

struct Run {
  static constexpr const char *name = "run/start";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> device = textOf<Types>("host");
    Int64<Types> repeat = 20;
    Int64<Types> warmup = 3;
    Int64<Types> seed = 1;
    Text<Types> function{};
    Text<Types> dispatch{};
    Map<Types, Int64<Types>> sizes{};
    Map<Types, Text<Types>> inputs{};
    Text<Types> inputsFolder{};
    Text<Types> caches = textOf<Types>("cold");
    bool baselines = false;
    std::optional<Text<Types>> tuned{};
    Map<Types, Text<Types>> parameters{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, optional.doc("what to run (default: 0), such as that after a fusion"));
      visit("device", device, optional.file(FileUse::Device));
      visit("repeat", repeat, optional.range(1, 1'000'000));
      visit("warmup", warmup,
            optional.range(0, 1'000'000).doc("launches before those that are timed; there is always one"));
      visit("seed", seed, optional.range(0, INT64_MAX));
      visit("function", function);
      visit("dispatch", dispatch,
            optional.doc("only that one runs, on inputs of its own (\"arg0\" is its first): its number, its name or "
                         "the file:line:col of its root op"));
      visit("sizes", sizes);
      visit("inputs", inputs,
            optional.file(FileUse::Inputs)
                .doc("by argument (\"arg0\"), a number, \"true\", \"false\", \"random\", \"integers\" (from -4 to "
                     "4), \"zeros\", \"ones\", \"iota\" or \"@\" and the path of a .npy file (default: random)"));
      visit("inputs_folder", inputsFolder,
            optional.file(FileUse::Arrays).doc("has .npy files by the names of arguments and weights"));
      visit("caches", caches, optional.doc("\"cold\" (default) or \"warm\": what timed launches find there"));
      visit("baselines", baselines,
            optional.doc("`roofs`, `clocks`, and `limit` and `baselines` of each Kernel are measured in the run "
                         "(default: false)"));
      visit("tuned", tuned,
            optional.file(FileUse::Library)
                .doc("the tuning library that sizes of dispatches are from, or \"none\" (default: the user's "
                     "own)"));
      visit("parameters", parameters,
            optional.file(FileUse::Weights)
                .doc(".safetensors or .irpa files with the scope whose weights they hold (\"\": of any)"));
    }
  };
  template <class Types> using Reply = message::RunReport<Types>;
};

struct RunArguments {
  static constexpr const char *name = "run/arguments";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> function{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, optional);
      visit("function", function);
    }
  };
  template <class Types> using Reply = message::RunArguments<Types>;
};

} // namespace fuselage::method
