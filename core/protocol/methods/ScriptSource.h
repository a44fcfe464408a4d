// How a request says which transform script is meant.
#pragma once
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

template <class Types = StdTypes> struct ScriptOptions {
  Texts<Types> libraries{};
  Text<Types> entry{};
  Map<Types, Text<Types>> arguments{};

  bool operator==(const ScriptOptions &) const = default;

  template <class Visitor> void fields(Visitor &visit) {
    visit("libraries", libraries, optional.file(FileUse::Reads));
    visit("entry", entry);
    visit("arguments", arguments);
  }
};

/// A text that somebody is writing, or a file.
template <class Types = StdTypes> struct ScriptSource {
  Text<Types> path{};
  std::optional<Text<Types>> text{}; ///< reported as `path`; none: the file's
  ScriptOptions<Types> options{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path, required.file(FileUse::ReadsAlone));
    visit("text", text);
    options.fields(visit);
  }
};

} // namespace fuselage::method
