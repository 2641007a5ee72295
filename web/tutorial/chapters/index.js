// The chapters in their order. Each is loaded when it is opened.

/**
 * @typedef {import('./chapter.js').Chapter} Chapter
 * @typedef {{id: string, load: () => Promise<Chapter>}} ChapterEntry
 */

/** @type {ChapterEntry[]} */
export const CHAPTERS = [
  { id: 'your-app', load: async () => (await import('./your_app.js')).chapter },
];
