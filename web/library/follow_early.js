// The hand-over from the stand-in for the outbox (early.js) to the outbox: its presses and rows go on.

import { Row } from './outbox/rows.js';

/**
 * @typedef {import('./early.js').Early} Early
 * @typedef {import('./outbox/outbox.js').Outbox} Outbox
 */

/**
 * Takes over the presses of the time before the outbox was loaded.
 * @param {Outbox} outbox
 * @param {Early} early
 */
export function followEarly(outbox, early) {
  const { asked, places } = early;
  early.outbox = outbox;
  for (const place of places.values()) place.moveTo(outbox);
  for (const { press, rows } of asked) {
    if (press.isEntered) press.place.replace(press);
    else if (!press.end) outbox.enter(press);
    for (const { stored, amount, isStored } of rows) {
      const row = new Row(press.place, stored);
      row.to('close');
      row.wasStored = isStored;
      row.waiters.push({ press, ...(amount && { amount }), isSent: true });
      outbox.rows.set(row.id, row);
      row.place.hold(row);
      outbox.lane(row.place, row.user).adopt(row);
      void outbox.shelf.save(row);
    }
  }
  asked.clear();
}
