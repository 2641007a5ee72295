// Methods of Firebase's SDKs that users call out of habit: each throws an error that names the replacement. Types know nothing of them. Also
// a mark that keeps frameworks from wrapping these objects.

import { ShardlineError } from './errors.js';

/**
 * @param {{prototype: object}} kind Of objects.
 * @param {string} methods Their names, with a space between.
 * @param {string} instead The replacement.
 * @param {string} [or] The end of the sentence: another tool that has the method.
 */
export function answerHabits({ prototype }, methods, instead, or = ', or Firebase’s SDK') {
  for (const method of methods.split(' ')) {
    Object.defineProperty(prototype, method, {
      value: () => {
        throw new ShardlineError('unimplemented', `There is no ${method}() here: use ${instead}${or}.`, {
          reason: 'method-missing', params: { method, instead },
        });
      },
    });
  }
}

/**
 * Vue leaves such objects as they are: the proxy that its ref() and reactive() would make hides private members.
 * @param {...{prototype: object}} kinds
 */
export function keepFromProxies(...kinds) {
  for (const { prototype } of kinds) Object.defineProperty(prototype, '__v_skip', { value: true });
}
