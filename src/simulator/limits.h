// The parameters of the model of Firestore's limits. They are planning figures from Google's
// documentation (firestore/limits_and_prices.h), not measurements: the model claims which commits
// wait for which, not how many milliseconds.
#pragma once

#include <cstdint>

#include "firestore/limits_and_prices.h"

namespace shardline::simulator {

struct Limits {
  bool enabled = false;

  // The sustained writes a second of one document, and the writes that it takes at once after a
  // rest.
  double document_writes_per_second = kDocumentWritesPerSecond;
  double document_burst = kDocumentBurst;

  // The writes a second of one tablet, a range of keys of one index.
  double tablet_writes_per_second = kRisingIndexWritesPerSecond;
  double tablet_burst = 50;
  // A tablet splits at the median of its recent keys if its load was above this share of its
  // capacity for this time.
  double split_load = 0.5;
  double split_after_seconds = 5;

  // A write that would have to wait longer is ABORTED.
  double lock_deadline_seconds = 20;

  // The 500/50/5 rule: a collection begins with these writes a second, and may grow by half every
  // five minutes.
  bool ramp = true;
  double ramp_writes_per_second = kRampWritesPerSecond;
  double ramp_growth = kRampGrowth;
  double ramp_period_seconds = kRampPeriodSeconds;

  bool operator==(const Limits&) const = default;
};

}  // namespace shardline::simulator
