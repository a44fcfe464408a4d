#include "app/gui/learn/LessonOps.h"
#include "core/protocol/methods/TextMethods.h"
#include "views/messages/DocumentTypes.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

bool isCalled(const QString &name, const QString &op, const QString &value) {
  return name == value || name == op || op.section(u'.', -1) == name;
}

void findOp(EngineClient &client, int snapshot, const QString &name, QObject *context,
            std::function<void(qint64 id)> take) {
  // At the start of a line, or after its results.
  const QString dialect = name.contains(u'.') ? QString() : u"[a-z_]+\\."_s;
  const QString escaped = QRegularExpression::escape(name);
  const QString pattern =
      name.startsWith(u'%') ? u"^ *%1(:\\d+)? = "_s.arg(escaped) : u"(^ *|= )\"?%1%2[ \"({\\[]"_s.arg(dialect, escaped);
  client.call<method::FindText>(
      {.snapshot = snapshot, .pattern = pattern, .count = 1}, context,
      [&client, snapshot, context, take](const protocol::TextMatches &found) {
        if (found.matches.isEmpty())
          return take(-1);
        client.call<method::OpAtLine>(
            {.snapshot = snapshot, .line = found.matches.first().line}, context,
            [take](const protocol::OpAt &op) { take(op.id); }, [take](const protocol::Error &) { take(-1); });
      },
      [take](const protocol::Error &) { take(-1); });
}

} // namespace fuselage
