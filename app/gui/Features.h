// The features of the window: one controller each.
#pragma once

namespace fuselage {

class MainWindow;

/// Makes them, each with those that it needs, and wires those that are to hear of each other.
void addFeatures(MainWindow &window);

} // namespace fuselage
