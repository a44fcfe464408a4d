// What is known about the selected op, as a tree of names and values.
#pragma once
#include "views/messages/DocumentTypes.h"
#include <QAbstractItemModel>
#include <memory>
#include <vector>

namespace fuselage {

/// Sections (op, results, operands, ..) and their entries. Entries that name another op carry its
/// id in OpRole, those that name a line of the opened document the line in LineRole.
class DetailsModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column { Name, Value, ColumnCount };
  enum Role {
    OpRole = Qt::UserRole, ///< invalid where there is none
    LineRole,              ///< from 0; invalid where there is none
    SectionRole,
    DecisionRole, ///< true: leads to where it was decided what is fused
  };

  explicit DetailsModel(QObject *parent = nullptr);
  ~DetailsModel() override;

  void setDetails(const protocol::OpDetails &details);
  void clear();
  bool isEmpty() const;

  QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
  QModelIndex parent(const QModelIndex &child) const override;
  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
  struct Item {
    QString name;
    QString value;
    QString whole{}; ///< what `value` is short for
    QVariant op;
    QVariant line;
    bool isDecision = false;
    Item *parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Item>> children;
    Item *add(QString childName, QString childValue = {});
  };
  void addPorts(const protocol::OpDetails &details);
  void addOp(Item &parent, qint64 id, const QString &name);
  const Item *itemAt(const QModelIndex &index) const;
  Item root_;
};

} // namespace fuselage
