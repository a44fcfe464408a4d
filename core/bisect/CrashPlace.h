// Which function a process crashes in.
#pragma once

namespace fuselage {

/// Has this process, when it crashes on this thread, write "C" and the symbol of the function in which it does to
/// `descriptor`, and die by the same signal then. For copies of a process alone: the handlers stay.
void reportCrashPlace(int descriptor);

} // namespace fuselage
