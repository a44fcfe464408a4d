#include "core/reduce/Symptom.h"

namespace fuselage {

std::string describe(const Symptom &symptom) {
  switch (symptom.kind) {
  case SymptomKind::Fault:
    return describe(symptom.fault);
  case SymptomKind::WrongResults:
    return "@" + symptom.function + " gives other results after the passes than before: " + symptom.why;
  default:
    return symptom.why;
  }
}

} // namespace fuselage
