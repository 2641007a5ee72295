// Methods of Firebase's SDKs that users call out of habit: each throws an error that names the replacement. Types know nothing of it: there is no
// such method.

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
