// The features of the window: one controller each.
#pragma once

namespace fuselage {

class MainWindow;
class Workspace;

/// Makes them, each with those that it needs, and wires those that are to hear of each other.
void addFeatures(MainWindow &window);

/// The same of a window in a tab: with the commands of the tabs.
void addFeaturesOfTab(MainWindow &window, Workspace &workspace);

} // namespace fuselage
