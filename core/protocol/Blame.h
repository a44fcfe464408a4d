// What is to blame for a wrong, failed or deadly step.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// What a search found. With neither a step nor `undecided`, nothing is to blame.
template <class Types = StdTypes> struct Blame {
  static constexpr const char *messageName = "step/blame";
  int step = -1; ///< of the recording; of a step that takes the engine down, the number it would have
  int firstSuspect = -1;
  Text<Types> name; ///< of the step
  Text<Types> why;
  int rewrite = -1;
  int firstRewriteSuspect = -1;
  int rewrites = 0;          ///< that the step made
  Text<Types> rewriteText;   ///< "rewrite 12, FoldX on arith.addf in @main"
  bool died = false;         ///< the step crashes, or does not come to its end
  Text<Types> last;          ///< then, the last rewrite before; empty: there was none
  Text<Types> trying;        ///< and what was going on
  Int64<Types> op = -1;      ///< the op that this was at, in the snapshot before the step; -1: none of it
  int place = -1;            ///< the IR where that began, or else after `last`, as a snapshot; -1: it could not be had
  Int64<Types> placeOp = -1; ///< the op there
  Text<Types> note;
  Text<Types> undecided; ///< why nothing can be told
  int stepRuns = 0, rewriteRuns = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("step", step, nullIf(step < 0));
    visit("first_suspect", firstSuspect, nullIf(firstSuspect < 0));
    visit("name", name);
    visit("why", why);
    visit("rewrite", rewrite, nullIf(rewrite < 0));
    visit("first_rewrite_suspect", firstRewriteSuspect, nullIf(firstRewriteSuspect < 0));
    visit("rewrites", rewrites);
    visit("rewrite_text", rewriteText);
    visit("died", died);
    visit("last", last);
    visit("trying", trying);
    visit("op", op, nullIf(op < 0));
    visit("place", place, nullIf(place < 0));
    visit("place_op", placeOp, nullIf(placeOp < 0));
    visit("note", note);
    visit("undecided", undecided);
    visit("step_runs", stepRuns);
    visit("rewrite_runs", rewriteRuns);
  }
};

/// Where the search is.
template <class Types = StdTypes> struct BlameProgress {
  static constexpr const char *messageName = "blame/progress";
  Text<Types> where; ///< "after step 3, canonicalize"

  template <class Visitor> void fields(Visitor &visit) { visit("where", where); }
};

} // namespace fuselage::message
