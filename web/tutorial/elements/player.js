import { h } from '../dom.js';
import { text } from '../text.js';
import { button } from './controls.js';

/** Stands in until the real one is there. */
export class Player {
  /** @param {{durationMs: number, eventTimes: number[], atMs: number, onMove: (atMs: number, state: {playing: boolean}) => void}} options */
  constructor({ durationMs, atMs, onMove }) {
    this.durationMs = durationMs;
    this.atMs = atMs;
    this.onMove = onMove;
    this.element = h('div', {}, button('run.start', { onPress: () => this.play() }), text('page.name'));
  }

  play() {
    this.seek(this.durationMs);
  }

  pause() {}

  /** @param {number} atMs */
  seek(atMs) {
    this.atMs = atMs;
    this.onMove(atMs, { playing: false });
  }

  destroy() {}
}
