#include "app/bridge/ReplyCache.h"
#include <QSet>

using namespace Qt::StringLiterals;

namespace fuselage {

void ReplyCache::insert(const QByteArray &request, const QJsonObject &reply, qsizetype bytes) {
  if (bytes > mostBytes / 4 || entries_.contains(request))
    return;
  entries_.insert(request, {reply, bytes});
  order_.append(request);
  bytes_ += bytes;
  while (bytes_ > mostBytes)
    bytes_ -= entries_.take(order_.takeFirst()).bytes;
}

const QJsonObject *ReplyCache::find(const QByteArray &request) const {
  const auto it = entries_.constFind(request);
  return it == entries_.cend() ? nullptr : &it->reply;
}

void ReplyCache::clear() {
  entries_.clear();
  order_.clear();
  bytes_ = 0;
}

bool isPure(const QString &method) {
  static const QSet<QString> pure{u"text/lines"_s,      u"text/opAt"_s,      u"text/uses"_s,     u"text/source"_s,
                                  u"text/sourceUses"_s, u"text/opFrom"_s,    u"text/sourceOf"_s, u"snapshot/read"_s,
                                  u"snapshot/counts"_s, u"graph/scene"_s,    u"graph/outline"_s, u"op/details"_s,
                                  u"step/diff"_s,       u"step/graphDiff"_s, u"fusion/report"_s, u"fusion/decided"_s,
                                  u"buffers/report"_s,  u"tiles/domain"_s};
  return pure.contains(method);
}

bool keepsReplies(const QString &method) {
  static const QSet<QString> reading{
      u"devices/list"_s,     u"devices/models"_s, u"pipeline/list"_s,   u"plugin/list"_s,   u"search/prepare"_s,
      u"search/find"_s,      u"search/history"_s, u"run/arguments"_s,   u"notes/resolve"_s, u"notes/anchor"_s,
      u"fusion/bandwidth"_s, u"text/find"_s,      u"text/sourceFind"_s, u"tool/list"_s,     u"run/results"_s,
      u"step/tried"_s,       u"step/rewrites"_s,  u"op/patterns"_s};
  return isPure(method) || reading.contains(method);
}

} // namespace fuselage
