// Plugins of MLIR that the engine was asked to load.
#pragma once
#include "core/protocol/Types.h"

namespace fuselage::message {

template <class Types = StdTypes> struct Plugin {
  static constexpr const char *messageName = "Plugin";
  Text<Types> path;
  Text<Types> name;
  Text<Types> version;
  Texts<Types> passes;   ///< and pipelines, by argument
  Texts<Types> dialects; ///< by namespace
  Text<Types> problem;   ///< why it was refused; empty: it is loaded
  bool crashed = false;  ///< it was refused because it crashes while it is loaded

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("name", name);
    visit("version", version);
    visit("passes", passes);
    visit("dialects", dialects);
    visit("problem", problem);
    visit("crashed", crashed);
  }
};

template <class Types = StdTypes> struct Plugins {
  static constexpr const char *messageName = "plugin/list";
  List<Types, Plugin<Types>> plugins;

  template <class Visitor> void fields(Visitor &visit) { visit("plugins", plugins); }
};

} // namespace fuselage::message
