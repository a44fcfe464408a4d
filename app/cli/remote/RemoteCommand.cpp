#include "app/cli/remote/LinkCommand.h"

namespace fuselage::cli {

int remoteCommand(Arguments arguments) { return remoteLink(arguments); }

} // namespace fuselage::cli
