#include "views/models/ReasonWords.h"
#include <QCoreApplication>
#include <QHash>

namespace fuselage {

static const QHash<QString, const char *> &names() {
  static const QHash<QString, const char *> table = [] {
    QHash<QString, const char *> all;
    const std::pair<const char *, const char *> rows[] = {
        {"NOT_GENERIC", QT_TRANSLATE_NOOP("ReasonWords", "Not a linalg.generic")},
        {"NOT_PURE_TENSOR", QT_TRANSLATE_NOOP("ReasonWords", "Works on buffers")},
        {"PRODUCER_REDUCTION", QT_TRANSLATE_NOOP("ReasonWords", "Producer reduces")},
        {"OPERAND_IS_INIT", QT_TRANSLATE_NOOP("ReasonWords", "Read as initial value")},
        {"RANK_MISMATCH", QT_TRANSLATE_NOOP("ReasonWords", "Ranks differ")},
        {"PRODUCER_MAP_NOT_PERMUTATION", QT_TRANSLATE_NOOP("ReasonWords", "Result's map is no permutation")},
        {"LOOP_BOUND_LOST", QT_TRANSLATE_NOOP("ReasonWords", "Loop bound would be lost")},
        {"OPERAND_LIMIT", QT_TRANSLATE_NOOP("ReasonWords", "Too many operands")},
        {"UNIT_DIM_BROADCAST", QT_TRANSLATE_NOOP("ReasonWords", "Unit dimension is broadcast")},
        {"MAP_NOT_PROJECTED_PERMUTATION", QT_TRANSLATE_NOOP("ReasonWords", "Map is no projected permutation")},
        {"MULTI_USE", QT_TRANSLATE_NOOP("ReasonWords", "Several users")},
        {"BROADCAST_CONSUMER", QT_TRANSLATE_NOOP("ReasonWords", "Value is broadcast")},
        {"REDUCTION_OPERAND_NOT_PERMUTATION", QT_TRANSLATE_NOOP("ReasonWords", "Reduction reads elements again")},
        {"CONSUMER_CONTRACTION", QT_TRANSLATE_NOOP("ReasonWords", "Consumer is a contraction")},
        {"NON_FUSABLE_OP", QT_TRANSLATE_NOOP("ReasonWords", "No loops to fuse")},
        {"ELEMENTWISE_ON_TENSORS", QT_TRANSLATE_NOOP("ReasonWords", "Arithmetic on whole tensors")},
        {"NOT_STRUCTURED", QT_TRANSLATE_NOOP("ReasonWords", "Not written as loops")},
        {"UNKNOWN_OP", QT_TRANSLATE_NOOP("ReasonWords", "Op is not known")},
        {"OTHER_BLOCK", QT_TRANSLATE_NOOP("ReasonWords", "Different blocks")},
        {"CAPTURED_IN_BODY", QT_TRANSLATE_NOOP("ReasonWords", "Elements picked in the payload")},
        {"NO_DOMINATING_USE", QT_TRANSLATE_NOOP("ReasonWords", "No user comes before all others")},
        {"CONSUMER_HAS_REDUCTION", QT_TRANSLATE_NOOP("ReasonWords", "Consumer needs whole rows")},
        {"PRODUCER_NOT_INIT", QT_TRANSLATE_NOOP("ReasonWords", "Only initial values join the root")},
        {"CONSUMER_IS_ROOT", QT_TRANSLATE_NOOP("ReasonWords", "Consumer is a root of its own")},
        {"NO_SHARED_PARALLEL_DIM", QT_TRANSLATE_NOOP("ReasonWords", "No shared parallel loop")},
        {"CONFLICTING_MAPS", QT_TRANSLATE_NOOP("ReasonWords", "Maps ask for different tiles")},
        {"PRODUCER_MORE_PARALLEL", QT_TRANSLATE_NOOP("ReasonWords", "Producer has more parallel loops")},
        {"CONSUMER_HIGHER_RANK", QT_TRANSLATE_NOOP("ReasonWords", "Consumer is of higher rank")},
        {"ROOT_LOOP_MISMATCH", QT_TRANSLATE_NOOP("ReasonWords", "Loops are not the root's in order")},
        {"NOT_IN_PLACE", QT_TRANSLATE_NOOP("ReasonWords", "Cannot write in place")},
        {"BINDING_LIMIT", QT_TRANSLATE_NOOP("ReasonWords", "Too many bindings")},
        {"USE_DEF_CYCLE", QT_TRANSLATE_NOOP("ReasonWords", "Dispatch would wait for itself")},
        {"EXTERNAL_USER_ORDER", QT_TRANSLATE_NOOP("ReasonWords", "Op with effects in between")},
        {"SEARCH_LIMIT", QT_TRANSLATE_NOOP("ReasonWords", "Search ended before it")},
        {"IN_OTHER_DISPATCH", QT_TRANSLATE_NOOP("ReasonWords", "Already in another dispatch")},
        {"FUSION_DISABLED", QT_TRANSLATE_NOOP("ReasonWords", "Policy does not fuse such ops")},
        {"DEAD_CONSUMER", QT_TRANSLATE_NOOP("ReasonWords", "Nothing reads the consumer")},
        {"RESHAPE_EXPAND", QT_TRANSLATE_NOOP("ReasonWords", "Expanding reshape in between")},
        {"RESHAPE_COLLAPSE", QT_TRANSLATE_NOOP("ReasonWords", "Collapsing reshape in between")},
        {"RESHAPE_DYNAMIC", QT_TRANSLATE_NOOP("ReasonWords", "Dynamic reshape in between")},
        {"SLICE_EXTRACT", QT_TRANSLATE_NOOP("ReasonWords", "Slice in between")},
        {"SLICE_INSERT", QT_TRANSLATE_NOOP("ReasonWords", "Inserted into a larger tensor")},
        {"CONCAT_TENSORS", QT_TRANSLATE_NOOP("ReasonWords", "Joined with other tensors")},
        {"CONSTANT_DATA", QT_TRANSLATE_NOOP("ReasonWords", "Constant data")},
        {"CONTROL_FLOW", QT_TRANSLATE_NOOP("ReasonWords", "Loop or branch in between")},
        {"FUNCTION_CALL", QT_TRANSLATE_NOOP("ReasonWords", "Call in between")},
        // Of bufferization.
        {"DATA_MOVEMENT", QT_TRANSLATE_NOOP("ReasonWords", "Op moves data")},
        {"EMPTY_TENSOR", QT_TRANSLATE_NOOP("ReasonWords", "Empty tensor")},
        {"EXPLICIT", QT_TRANSLATE_NOOP("ReasonWords", "Asked for")},
        {"LAYOUT_CHANGE", QT_TRANSLATE_NOOP("ReasonWords", "Layout changes")},
        {"LOOP_YIELD", QT_TRANSLATE_NOOP("ReasonWords", "Yielded by a loop")},
        {"NO_DESTINATION", QT_TRANSLATE_NOOP("ReasonWords", "No destination")},
        {"PARALLEL_REGION", QT_TRANSLATE_NOOP("ReasonWords", "Parallel region")},
        {"READ_AFTER_WRITE", QT_TRANSLATE_NOOP("ReasonWords", "Read after write")},
        {"RESULT_COPY", QT_TRANSLATE_NOOP("ReasonWords", "Copied to where it goes")},
        {"UNNEEDED_COPY", QT_TRANSLATE_NOOP("ReasonWords", "Copy is not needed")},
        {"UNREAD_COPY", QT_TRANSLATE_NOOP("ReasonWords", "Nothing reads the copy")},
        {"READ_ONLY_ARGUMENT", QT_TRANSLATE_NOOP("ReasonWords", "Argument is read-only")},
        {"READ_ONLY_CONSTANT", QT_TRANSLATE_NOOP("ReasonWords", "Constant is read-only")},
        {"READ_ONLY_VALUE", QT_TRANSLATE_NOOP("ReasonWords", "Value is read-only")},
        {"UNKNOWN_OP", QT_TRANSLATE_NOOP("ReasonWords", "Op is not known to bufferization")},
    };
    for (const auto &[code, words] : rows)
      all.insert(QString::fromLatin1(code), words);
    return all;
  }();
  return table;
}

QString reasonWords(const QString &code) {
  if (const char *words = names().value(code))
    return QCoreApplication::translate("ReasonWords", words);
  QString words = code.toLower().replace(u'_', u' ');
  if (!words.isEmpty())
    words[0] = words[0].toUpper();
  return words;
}

} // namespace fuselage
