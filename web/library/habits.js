// What prototypes have that types do not know: methods that users of Firebase's SDKs call out of habit, which say what to use instead, and a
// word to frameworks.

import { ShardlineError } from './errors.js';

/**
 * @param {{prototype: object}} kind Of objects.
 * @param {string} methods Their names, with a space between.
 * @param {string} instead What to use.
 */
export function answerHabits({ prototype }, methods, instead) {
  for (const method of methods.split(' ')) {
    Object.defineProperty(prototype, method, {
      value: () => {
        throw new ShardlineError('unimplemented', `There is no ${method}() here: use ${instead}, or Firebase’s SDK.`, {
          reason: 'method-missing', params: { method, instead },
        });
      },
    });
  }
}

/**
 * Vue leaves such objects as they are: of the proxy that its ref() and reactive() would make, nobody can read private members.
 * @param {...{prototype: object}} kinds
 */
export function keepFromProxies(...kinds) {
  for (const { prototype } of kinds) Object.defineProperty(prototype, '__v_skip', { value: true });
}
