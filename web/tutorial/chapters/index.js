// The chapters in their order. Each is loaded when it is opened.

/**
 * @typedef {import('./chapter.js').Chapter} Chapter
 * @typedef {{id: string, load: () => Promise<Chapter>}} ChapterEntry
 */

/** @type {ChapterEntry[]} */
export const CHAPTERS = [
  { id: 'one-document', load: async () => (await import('./one_document.js')).chapter },
  { id: 'distributed-counter', load: async () => (await import('./distributed_counter.js')).chapter },
  { id: 'reading', load: async () => (await import('./reading.js')).chapter },
  { id: 'live', load: async () => (await import('./live.js')).chapter },
  { id: 'lost-answer', load: async () => (await import('./lost_answer.js')).chapter },
  { id: 'hot-range', load: async () => (await import('./hot_range.js')).chapter },
  { id: 'sharded-query', load: async () => (await import('./sharded_query.js')).chapter },
  { id: 'your-indexes', load: async () => (await import('./your_indexes.js')).chapter },
  { id: 'ids', load: async () => (await import('./ids.js')).chapter },
  { id: 'tickets', load: async () => (await import('./tickets.js')).chapter },
  { id: 'your-app', load: async () => (await import('./your_app.js')).chapter },
];
