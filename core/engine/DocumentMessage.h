// A document as clients see it.
#pragma once
#include "core/engine/Document.h"
#include "core/protocol/Document.h"

namespace fuselage {

message::Document<> documentMessage(Document &document);

} // namespace fuselage
