// The clock of time limits and pauses.

/** By how many milliseconds wall clock and timer have to come apart for the device to have slept. */
const SLEPT_MS = 60_000;

/** setTimeout takes 32 bits, and fires at once for more. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

let slept = 0;
let apart = Date.now() - performance.now();

/**
 * Milliseconds since some moment; never goes back. performance.now() stands still while some devices sleep, which would make what
 * has been in doubt for weeks look young; the wall clock goes on. A clock that a person has put forward looks the same, and does no harm.
 */
export function now() {
  const timer = performance.now();
  const wall = Date.now() - timer;
  if (wall - apart > SLEPT_MS) slept += wall - apart;
  apart = wall;
  return timer + slept;
}
