/**
 * `take` runs actions, at most so many of them side by side; the others wait in their order, behind those that are to come first, which
 * wait in theirs. `isFree` says whether an action would run at once.
 * @param {number} most
 * @returns {{take: <T>(action: () => Promise<T>, isFirst?: boolean) => Promise<T>, isFree: () => boolean}}
 */
export function inTurns(most) {
  let running = 0;
  /** @type {(() => void)[]} */
  const first = [];
  /** @type {(() => void)[]} */
  const others = [];
  const isFree = () => running < most;
  /** @type {ReturnType<typeof inTurns>['take']} */
  const take = async (action, isFirst = false) => {
    if (isFree()) running += 1;
    else await new Promise((resolve) => (isFirst ? first : others).push(() => resolve(undefined)));
    try {
      return await action();
    } finally {
      // The place goes to the next one, if there is one.
      const next = first.shift() ?? others.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return { take, isFree };
}
