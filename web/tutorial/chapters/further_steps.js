// The steps that follow the lesson of a chapter: a sandbox, in which the reader turns everything, and a challenge. Both play what a step of the
// lesson plays.

/**
 * @typedef {import('./chapter.js').Step<any>} Step
 * @typedef {import('../text.js').TextId} TextId
 */

/** The share of answers that get lost, of 100. */
export const LOST = Object.freeze({ choices: [0, 1, 5, 10, 25, 50], default: 0 });

/** @param {number} lost The value of that knob. */
export function faultsOf(lost) {
  return { dropResponse: lost / 100 };
}

/**
 * @param {string} chapter Its id.
 * @param {Step} step The step of the lesson.
 * @param {Pick<Step, 'knobs' | 'record'> & Partial<Step>} own
 * @returns {Step}
 */
export function sandbox(chapter, { id, pictures, figures, code, trial }, own) {
  const result = /** @type {TextId} */ (`chapter.${chapter}.${id}.result`);
  return { id: 'sandbox', texts: { title: 'sandbox.title', text: 'sandbox.text', result }, ...defined({ pictures, figures, code, trial }), ...own };
}

/**
 * @param {Step} step The step of the lesson.
 * @param {Pick<Step, 'knobs' | 'record' | 'challenge'> & Partial<Step>} own
 * @returns {Step}
 */
export function challenge({ pictures, code, trial }, own) {
  return { id: 'challenge', texts: { title: 'challenge.title' }, ...defined({ pictures, code, trial }), ...own };
}

/**
 * @template Values
 * @param {Values} values
 * @returns {{[Name in keyof Values]?: NonNullable<Values[Name]>}} Without those that are undefined.
 */
function defined(values) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(/** @type {any} */ (values)).filter(([, value]) => value !== undefined)));
}
