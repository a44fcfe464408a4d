// The engine process: requests in, replies and notifications out.
#pragma once
#include "core/plugins/Plugins.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// Serves PROTOCOL.md on two file descriptors until the input ends or `shutdown`; returns the exit
/// status. Takes both over: while it runs, whatever else is printed to stdout goes to stderr, and
/// stdin reads as empty, so that no pass can disturb the protocol. A plugin that cannot be loaded is a line on stderr
/// and in plugin/list; the others are loaded all the same.
int serve(int in, int out, llvm::ArrayRef<PluginRequest> plugins = {});

} // namespace fuselage
