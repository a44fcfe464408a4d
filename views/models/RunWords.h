// What a run's figures are called, in one place for tables, charts and tooltips.
#pragma once
#include "views/messages/RunTypes.h"

namespace fuselage {

/// "vulkan:0 \u00b7 llvmpipe"; the id alone where the name says no more.
QString deviceText(const protocol::Device &device);
/// Which of a dispatch's kernels a row is, from 1, and of how many.
struct KernelPart {
  int number = 1, of = 1;
};
/// Of each row. Kernels of a dispatch follow each other; its rates, limit and baselines are of all of them together.
QList<KernelPart> partsOf(const QList<protocol::Kernel> &kernels);
/// The name, and behind it which of several kernels it is: "conv_2d (1 of 2)".
QString partName(const QString &name, const KernelPart &part);
/// "78 % memory", "\u2265 12 % f32"; an em dash where it is unknown.
QString shareCell(const protocol::Limit &limit);
/// "78 % of the memory peak, which would take 12.4 us"; empty where it is unknown.
QString shareSentence(const protocol::Limit &limit);
/// The first baseline of a kind; null: there is none.
const protocol::Baseline *findBaseline(const protocol::Kernel &kernel, const char *kind);

/// How times are distributed, from the fastest to the slowest, as a row of bars of text; empty for less than five.
QString histogram(const QList<double> &samples);
double slowest(const QList<double> &samples);

} // namespace fuselage
