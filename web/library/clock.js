// The clock of time limits and pauses.

/** By how many milliseconds wall clock and timer have to come apart for the device to have slept. */
const SLEPT_MS = 60_000;

/** setTimeout takes 32 bits, and fires at once for more. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

let slept = 0;
let apart = Date.now() - performance.now();

/**
 * Milliseconds since some moment; never goes back. performance.now() stops while some devices sleep: an increment that has been in doubt for weeks
 * would then look young. The wall clock goes on. A person may also set it forward; that looks like a sleep, and does no harm.
 */
export function now() {
  const timer = performance.now();
  const wall = Date.now() - timer;
  if (wall - apart > SLEPT_MS) slept += wall - apart;
  apart = wall;
  return timer + slept;
}
