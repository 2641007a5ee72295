// Loads the code that listens to counters, for all entries that may load something later.

export const loadListening = () => import('./listen/live_count.js');
