// initialize, shutdown, document/open, tool/*, plugin/* and pipeline/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/Plugins.h"
#include "core/protocol/methods/ScriptSource.h"

namespace fuselage::method {

struct Initialize {
  static constexpr const char *name = "initialize";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Int64<Types> version = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("version", version, required.range(0, INT32_MAX).doc("1"));
    }
  };
  template <class Types> using Reply = message::Initialized<Types>;
};

struct OpenDocument {
  static constexpr const char *name = "document/open";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};
    bool expendable = false;

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path,
            required.file(FileUse::Reads)
                .doc("a module, a pass-by-pass log, or a directory of dumps; which, goes by the content"));
      visit(
          "expendable", expendable,
          optional.doc("this engine may die of the file, and the client then asks a new one without this: the file is "
                       "not tried in a copy of the engine first"));
    }
  };
  template <class Types> using Reply = message::Document<Types>;
};

struct ListTools {
  static constexpr const char *name = "tool/list";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Tools<Types>;
};

struct StartTool {
  static constexpr const char *name = "tool/start";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};
    Text<Types> command{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path, required.file(FileUse::Reads).doc("stands in the command where `{}` is, else at its end"));
      visit("command", command, required.doc("as typed, split by a shell's quotes; no shell runs"));
    }
  };
  template <class Types> using Reply = message::Document<Types>;
};

struct PollTool {
  static constexpr const char *name = "tool/poll";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::ToolProgress<Types>;
};

struct StopTool {
  static constexpr const char *name = "tool/stop";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Nothing<Types>;
};

struct ListPlugins {
  static constexpr const char *name = "plugin/list";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Plugins<Types>;
};

struct ListPipelines {
  static constexpr const char *name = "pipeline/list";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Catalog<Types>;
};

struct RecordPipeline {
  static constexpr const char *name = "pipeline/record";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    static constexpr int64_t noLimit = UINT32_MAX;
    Text<Types> pipeline{};
    Text<Types> schedule{};
    ScriptOptions<Types> script{};
    Text<Types> target = textOf<Types>("spirv");
    Text<Types> device{};
    std::optional<Text<Types>> tuned{};
    Int64<Types> limit = noLimit;
    Int64<Types> from = -1;

    template <class Visitor> void fields(Visitor &visit) {
      visit("pipeline", pipeline, optional.file(FileUse::Pipeline));
      visit("schedule", schedule, optional.file(FileUse::Reads));
      script.fields(visit);
      visit("target", target, optional.doc("of the default pipeline: \"spirv\" (default) or \"ptx\""));
      visit("device", device,
            optional.file(FileUse::Device).doc("instead of `target`, one that need not be here, as of kernel/code"));
      visit("tuned", tuned, optional.file(FileUse::Library).doc("the tuning library, as of run/start"));
      visit("limit", limit,
            optional.range(0, noLimit)
                .doc("stop before step number `limit` (how a client gets back to the last good "
                     "step after a crash)"));
      visit("from", from,
            optional.doc("a snapshot of the log that is open, as numbered when it was opened, to record from (else "
                         "where the last recording began, at first snapshot 0)"));
    }
  };
  template <class Types> using Reply = message::Recording<Types>;
};

struct Shutdown {
  static constexpr const char *name = "shutdown";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Nothing<Types>;
};

} // namespace fuselage::method
