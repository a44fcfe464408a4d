// Qt's headers, parsed once per build for all that draws.
#pragma once
#include <QtCore/QtCore>
#include <QtGui/QtGui>
#include <QtWidgets/QtWidgets>
#include <memory>
#include <string>
#include <vector>
