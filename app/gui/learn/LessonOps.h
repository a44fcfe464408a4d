// Finds the op that a lesson names.
#pragma once
#include "app/bridge/EngineClient.h"
#include <functional>

namespace fuselage {

/// Whether an op is what a lesson calls "linalg.add" or "add"; `value`: the name of its result, "%x", if that will do.
bool isCalled(const QString &name, const QString &op, const QString &value = {});

/// Gives `take` the id of the first op of a snapshot that is called so, "linalg.matmul", "matmul" or "%x"; -1: there is
/// none. Graphs label ops by what they do; lessons name them as the IR does.
void findOp(EngineClient &client, int snapshot, const QString &name, QObject *context,
            std::function<void(qint64 id)> take);

} // namespace fuselage
