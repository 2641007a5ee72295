// setInterval() in virtual time: the server says by it that it is there.

const real = { setInterval, clearInterval };

/** @param {() => void} run @param {number} ms */
function every(run, ms) {
  let isOver = false;
  const again = () => setTimeout(() => {
    if (isOver) return;
    run();
    again();
  }, ms);
  again();
  return { end: () => { isOver = true; }, unref() {} };
}

/** To be called when a Clock is installed. */
export function installIntervals() {
  globalThis.setInterval = /** @type {any} */ (every);
  globalThis.clearInterval = /** @type {any} */ ((/** @type {ReturnType<typeof every> | undefined} */ interval) => interval?.end());
}

export function uninstallIntervals() {
  Object.assign(globalThis, real);
}
