// The flags of ratings and reactions.

import { UsageError } from './options.js';

/** The flags of the commands for rules and for indexes. @type {import('./options.js').Argument[]} */
export const CHOICES = [
  { name: 'fields', metavar: 'FIELDS', sentence: 'The fields of your counters, such as like,love,laugh: for db.counter() with the option fields.' },
  { name: 'ratings', metavar: 'FROM-TO', sentence: 'The least and the largest rating, such as 1-5: for db.ratings().' },
  { name: 'reactions', metavar: 'KINDS', sentence: 'The kinds of reactions, such as like,love,laugh: for db.reactions().' },
];

/**
 * The values of the flags, in the form that rules and indexes take.
 * @param {Record<string, any>} values
 * @returns {({ratings: {from: number, to: number}} | {reactions: string[]} | {fields: string[]})[]}
 */
export function choicesOf({ ratings, reactions, fields }) {
  const choices = [];
  if (ratings !== undefined) {
    const [, from, to] = /^(\d{1,3})-(\d{1,3})$/.exec(ratings) ?? [];
    if (from === undefined) throw new UsageError(`--ratings must be the least and the largest rating, such as 1-5; got ${ratings}.`);
    choices.push({ ratings: { from: Number(from), to: Number(to) } });
  }
  if (reactions !== undefined) choices.push({ reactions: reactions.split(',') });
  if (fields !== undefined) choices.push({ fields: fields.split(',') });
  return choices;
}
