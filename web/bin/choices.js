// The commands and the flags of ratings and reactions.

import { UsageError } from './options.js';

/** The flags of the commands for rules and for indexes. @type {import('./options.js').Argument[]} */
export const CHOICES = [
  { name: 'fields', metavar: 'FIELDS', sentence: 'The fields of your counters, such as like,love,laugh: for db.counter() with the option fields.' },
  { name: 'ratings', metavar: 'FROM-TO', sentence: 'The least and the largest rating, such as 1-5: for db.ratings().' },
  { name: 'reactions', metavar: 'KINDS', sentence: 'The kinds of reactions, such as like,love,laugh: for db.reactions().' },
];

/** @type {import('./options.js').Argument} */
const SHARDS = { name: 'shards', type: 'integer', range: [1, 10_000], usual: 10, sentence: 'The number of shards, up to that of your rules.' };

/**
 * The commands of ratings, or of reactions.
 * @param {'ratings' | 'reactions'} group
 * @param {string} collection In the example of a path.
 * @param {import('./options.js').Argument} value That set takes.
 * @param {import('./options.js').Argument[]} bounds The options that all commands need.
 * @param {import('./options.js').Argument[]} fields The options of publish.
 * @returns {import('./options.js').Command[]}
 */
function commandsOf(group, collection, value, bounds, fields) {
  const one = group.slice(0, -1);
  const path = { name: 'path', needed: true, sentence: `The path of the document, such as ${collection}.` };
  const user = { name: 'user', needed: true, sentence: 'The id of the user.' };
  const load = (/** @type {string} */ name) => async () => ({ run: /** @type {any} */ (await import('./commands/choices.js'))[name] });
  const common = { connects: true, takes: [path], options: [...bounds, SHARDS] };
  return [
    {
      ...common, name: `${group} summary`, load: load('summary'), sentence: `Prints the number of users for each ${one}.`,
      options: [...bounds, SHARDS, { name: 'source', words: ['sum', 'shards'], sentence: 'sum lets the server add up with one read. shards reads every shard. Default: sum.' }],
    },
    { ...common, name: `${group} get`, load: load('get'), takes: [path, user], sentence: `Prints the ${one} of a user.` },
    { ...common, name: `${group} set`, load: load('set'), takes: [path, user, value], sentence: `Sets the ${one} of a user, who has one at a time.` },
    { ...common, name: `${group} remove`, load: load('remove'), takes: [path, user], sentence: `Takes back the ${one} of a user.` },
    {
      ...common, name: `${group} publish`, load: load('publish'), options: [...bounds, SHARDS, ...fields],
      sentence: `Writes the summary of the ${group} into fields of the document, so that you can sort a list by them.`,
    },
    { ...common, name: `${group} delete`, load: load('removeAll'), sentence: `Deletes the ${group} of all users. The document stays.` },
  ];
}

/** @type {import('./options.js').Argument} */
const COUNT_FIELD = { name: 'count', metavar: 'FIELD', usual: 'count', sentence: 'The field that gets the number of users.' };

export const CHOICE_COMMANDS = [
  ...commandsOf('ratings', 'restaurants/r1', { name: 'value', type: 'integer', range: [0, 119], needed: true, sentence: 'The rating.' }, [
    { name: 'from', type: 'integer', range: [0, 100], needed: true, sentence: 'The least rating, such as 1.' },
    { name: 'to', type: 'integer', range: [1, 119], needed: true, sentence: 'The largest rating, such as 5.' },
  ], [{ name: 'average', metavar: 'FIELD', usual: 'average', sentence: 'The field that gets the average.' }, COUNT_FIELD]),
  ...commandsOf('reactions', 'posts/p1', { name: 'value', needed: true, sentence: 'The reaction: one of the kinds.' }, [
    { name: 'kinds', needed: true, sentence: 'The kinds of reactions, such as like,love,laugh.' },
  ], [{ name: 'counts', metavar: 'FIELD', usual: 'counts', sentence: 'The field that gets a map with the number of users for each kind.' }, COUNT_FIELD]),
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
