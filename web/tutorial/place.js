import { text } from './text.js';

/**
 * Where the Firestore is, in words.
 * @param {import('./session.js').Settings | null} settings
 */
export function placeOf(settings) {
  if (!settings) return '';
  return settings.kind === 'embedded' ? text('place.embedded') : new URL(settings.host).host;
}
