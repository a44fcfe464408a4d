// The link to an engine on another machine, as `fuselage remote` tells its client.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

template <class Types = StdTypes> struct LinkState {
  static constexpr const char *messageName = "link/state";
  Text<Types> host;
  Text<Types> state;        ///< "connecting", "up", "down", "missing" or "refused"
  Text<Types> text;         ///< a sentence
  Int64<Types> sinceMs = 0; ///< how long it has been so
  Int64<Types> waiting = 0; ///< requests without a reply
  Text<Types> arch, glibc;  ///< of the other side, where there is no engine; empty: unknown

  template <class Visitor> void fields(Visitor &visit) {
    visit("host", host);
    visit("state", state);
    visit("text", text);
    visit("since_ms", sinceMs);
    visit("waiting", waiting);
    visit("arch", arch, leftOutIf(isEmpty(arch)));
    visit("glibc", glibc, leftOutIf(isEmpty(glibc)));
  }
};

} // namespace fuselage::message
