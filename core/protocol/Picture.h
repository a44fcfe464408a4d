// What became of a picture.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// The file that graph/export wrote.
template <class Types = StdTypes> struct WrittenPicture {
  static constexpr const char *messageName = "graph/export";
  Text<Types> path;
  Int64<Types> pages = 0; ///< of a pdf; else 0

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("pages", pages);
  }
};

} // namespace fuselage::message
