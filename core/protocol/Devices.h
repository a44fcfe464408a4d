// What devices can do, those that are here and those whose models come along.
#pragma once
#include "core/protocol/Types.h"

namespace fuselage::message {

/// A value of a model, with its unit, and where it is from.
template <class Types = StdTypes> struct DeviceFact {
  static constexpr const char *messageName = "DeviceFact";
  Text<Types> key;
  Text<Types> value;
  Text<Types> source;

  template <class Visitor> void fields(Visitor &visit) {
    visit("key", key);
    visit("value", value);
    visit("source", source);
  }
};

/// What kernels for a device follow.
template <class Types = StdTypes> struct DeviceModel {
  static constexpr const char *messageName = "DeviceModel";
  Text<Types> id; ///< "vulkan:0"; of one that comes along, its name: "h100"
  Text<Types> name;
  bool here = false;                    ///< it can run kernels now
  Text<Types> language;                 ///< "spirv", "ptx", "host"
  List<Types, DeviceFact<Types>> facts; ///< what is known of it

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit("name", name);
    visit("here", here);
    visit("language", language);
    visit("facts", facts);
  }
};
template <class Types = StdTypes> struct DeviceModels {
  static constexpr const char *messageName = "devices/models";
  List<Types, DeviceModel<Types>> models;

  template <class Visitor> void fields(Visitor &visit) { visit("models", models); }
};

} // namespace fuselage::message
