// fusion/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/Fusion.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct ReportFusion {
  static constexpr const char *name = "fusion/report";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> policy = textOf<Types>("aggressive");
    std::optional<double> gbps{};
    bool prove = true;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("policy", policy,
            optional.doc("\"aggressive\" (default), \"conservative\" or \"none\", with changes in braces"));
      visit("gbps", gbps, optional.reals(1e-3, 1e9).doc("of the device's memory, for what fusions save"));
      visit("prove", prove, optional.doc("false: no unlocks are tried (default: true)"));
    }
  };
  template <class Types> using Reply = message::FusionReport<Types>;
};

struct FindDecision {
  static constexpr const char *name = "fusion/decided";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> from = 0;
    Int64<Types> to = -1;
    Text<Types> policy = textOf<Types>("aggressive");

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("from", from, required);
      visit("to", to, optional.doc("as `from` the call of a dispatch"));
      visit("policy", policy);
    }
  };
  template <class Types> using Reply = message::FusionDecision<Types>;
};

struct MeasureBandwidth {
  static constexpr const char *name = "fusion/bandwidth";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Text<Types> device{};

    template <class Visitor> void fields(Visitor &visit) { visit("device", device, required.file(FileUse::Device)); }
  };
  template <class Types> using Reply = message::Bandwidth<Types>;
};

struct CostOfStep {
  static constexpr const char *name = "fusion/cost";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> policy = textOf<Types>("aggressive");
    Text<Types> device{};
    Text<Types> function{};
    Map<Types, Int64<Types>> sizes{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("policy", policy);
      visit("device", device,
            optional.file(FileUse::Device).doc("times are predicted for it (default: none, by assumptions)"));
      visit("function", function, optional.doc("whose launches are counted, as of run/start"));
      visit("sizes", sizes, optional.doc("as of run/start"));
    }
  };
  template <class Types> using Reply = message::StepCost<Types>;
};

/// One reason by its code, or all.
template <class Types> struct ReasonRequest {
  Text<Types> reason{};

  template <class Visitor> void fields(Visitor &visit) { visit("reason", reason); }
};

struct FusionHelp {
  static constexpr const char *name = "fusion/help";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = ReasonRequest<Types>;
  template <class Types> using Reply = message::ReasonHelps<Types>;
};

enum class CheckWhen { Quick, Always, Never };
inline constexpr const char *checkTimes[] = {"quick", "always", "never"};

struct Fuse {
  static constexpr const char *name = "fusion/fuse";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> from = -1;
    Int64<Types> to = -1;
    Int64<Types> operand = -1;
    bool onlyThere = false;
    bool all = false;
    bool cleanUp = false;
    Text<Types> pipeline{};
    Text<Types> device{};
    Text<Types> policy = textOf<Types>("aggressive");
    CheckWhen check = CheckWhen::Quick;
    Map<Types, Int64<Types>> sizes{};
    Map<Types, Text<Types>> inputs{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("from", from, optional.range(-1, INT64_MAX));
      visit("to", to, optional.range(-1, INT64_MAX).doc("an edge, with `from`"));
      visit("operand", operand, optional.range(-1, UINT32_MAX));
      visit("onlyThere", onlyThere, optional.doc("with an edge: no other op changes, of equal ones neither"));
      visit("all", all, optional.doc("instead of an edge: all that pays"));
      visit("cleanUp", cleanUp, optional.doc("instead: what makes the module simpler"));
      visit("pipeline", pipeline, optional.file(FileUse::Pipeline).doc("instead: this"));
      visit("device", device,
            optional.file(FileUse::Device).doc("goes with `all` and `cleanUp`: where it is measured what pays"));
      visit("policy", policy);
      visit.choice("check", check, checkTimes,
                   optional.doc("\"quick\" (default: host runs that take seconds), \"always\" or \"never\""));
      visit("sizes", sizes);
      visit("inputs", inputs, optional.file(FileUse::Inputs).doc("as `sizes` as of run/start"));
    }
  };
  template <class Types> using Reply = message::FuseResult<Types>;
};

struct UndoFusion {
  static constexpr const char *name = "fusion/undo";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::FusionHistory<Types>;
};

struct RedoFusion {
  static constexpr const char *name = "fusion/redo";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::FusionHistory<Types>;
};

enum class FusionFormat { Pipeline, Transform };
inline constexpr const char *fusionFormats[] = {"pipeline", "transform"};

struct SaveFusion {
  static constexpr const char *name = "fusion/save";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};
    FusionFormat format = FusionFormat::Pipeline;

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path, required.file(FileUse::Writes));
      visit.choice("format", format, fusionFormats);
    }
  };
  template <class Types> using Reply = message::WrittenFile<Types>;
};

} // namespace fuselage::method
