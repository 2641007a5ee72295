// The texts of the elements of `shardline/elements`, besides those of <shard-counter>.

import { currentTexts, ENGLISH } from './settings.js';

/**
 * @typedef {import('./settings.js').Texts} Texts
 *
 * @typedef {object} MoreTexts
 * @property {string} average The name of the average of ratings, for screen readers.
 * @property {string} ratings The name of the number of ratings, for screen readers.
 * @property {string} rating The name of the group of stars that has no `<label>`.
 * @property {string} takeBack The way to take the rating back, for screen readers.
 * @property {string} signInToRate A rating was not sent: the user is not signed in.
 * @property {string} soldOut There are no units left.
 *
 * @typedef {Texts & MoreTexts} AllTexts
 */

/** @type {MoreTexts} */
const MORE = {
  average: 'Average rating',
  ratings: 'Ratings',
  rating: 'Your rating',
  takeBack: 'Press Delete to take your rating back.',
  signInToRate: 'Sign in to rate this.',
  soldOut: 'Sold out',
};

// From now on, useTexts() accepts these, too.
Object.assign(ENGLISH, MORE);

/** @returns {AllTexts} */
export const allTexts = () => ({ ...MORE, ...currentTexts() });
