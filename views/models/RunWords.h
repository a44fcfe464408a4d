// What a run's figures are called, in one place for tables, charts and tooltips.
#pragma once
#include "views/messages/RunTypes.h"

namespace fuselage {

/// "vulkan:0 \u00b7 llvmpipe"; the id alone where the name says no more.
QString deviceText(const protocol::Device &device);
/// "78 % memory", "\u2265 12 % f32"; an em dash where it is unknown.
QString shareCell(const protocol::Limit &limit);
/// "78 % of the memory roof, which would take 12.4 us"; empty where it is unknown.
QString shareSentence(const protocol::Limit &limit);
/// The first baseline of a kind; null: there is none.
const protocol::Baseline *findBaseline(const protocol::Kernel &kernel, const char *kind);

/// How times are distributed, from the fastest to the slowest, as a row of bars of text; empty for less than five.
QString histogram(const QList<double> &samples);
double slowest(const QList<double> &samples);

} // namespace fuselage
