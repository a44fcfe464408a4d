// core's diagnostics as messages.
#pragma once
#include "core/protocol/Diagnostics.h"
#include "core/support/Error.h"

namespace fuselage::message {

Diagnostic<> messageOf(const fuselage::Diagnostic &diagnostic);
std::vector<Diagnostic<>> messagesOf(const std::vector<fuselage::Diagnostic> &diagnostics);

} // namespace fuselage::message
