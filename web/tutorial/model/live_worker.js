// The worker in which an hour passes: its own clock is virtual.

import { liveHour } from './live_world.js';

self.onmessage = async ({ data: { options, seed } }) => {
  try {
    self.postMessage({ hour: await liveHour(options, seed) });
  } catch (error) {
    self.postMessage({ failure: String(error) });
  }
};
