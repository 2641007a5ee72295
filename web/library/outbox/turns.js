/**
 * Returns a function that runs actions, at most so many of them side by side; the others wait in their order, behind those that are to
 * come first, which wait in theirs.
 * @param {number} most
 * @returns {<T>(action: () => Promise<T>, isFirst?: boolean) => Promise<T>}
 */
export function inTurns(most) {
  let running = 0;
  /** @type {(() => void)[]} */
  const first = [];
  /** @type {(() => void)[]} */
  const others = [];
  return async (action, isFirst = false) => {
    if (running >= most) await new Promise((resolve) => (isFirst ? first : others).push(() => resolve(undefined)));
    else running += 1;
    try {
      return await action();
    } finally {
      // The place goes to the next one, if there is one.
      const next = first.shift() ?? others.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
