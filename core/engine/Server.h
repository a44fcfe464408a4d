// The engine process: requests in, replies and notifications out.
#pragma once

namespace fuselage {

/// Serves PROTOCOL.md on two file descriptors until the input ends or `shutdown`; returns the exit
/// status. Takes both over: while it runs, whatever else is printed to stdout goes to stderr, and
/// stdin reads as empty, so that no pass can disturb the protocol.
int serve(int in, int out);

} // namespace fuselage
