import { h } from '../dom.js';
import { crowd } from '../model/crowd.js';
import { record, stateAt } from '../model/recording.js';
import { formatNumber, text } from '../text.js';
import { DocumentLanes } from './document_lanes.js';
import { Player } from './player.js';

const USERS = 1000;
const SEED = 1;
/** The lanes of the shards are so small that both sides are about as high. */
const SMALL_LANES = 50;

/**
 * Records the same crowd at one document and at ten shards, like chapters 1 and 2.
 * @param {AbortSignal} signal
 * @returns {Promise<Race>}
 */
export async function recordRace(signal) {
  const one = await record(crowd(USERS, 1, SEED), signal);
  const ten = await record(crowd(USERS, 10, SEED), signal);
  return new Race([
    new Side(text('experiments.singleDocument'), one, new DocumentLanes(one)),
    new Side(text('experiments.tenShards'), ten, new DocumentLanes(ten, SMALL_LANES)),
  ], ten);
}

/** One of the two: its name, its count, and its lanes. */
class Side {
  #recording;
  #lanes;
  #count = h('b');
  element;

  /**
   * @param {string} name
   * @param {import('../model/recording.js').Recording} recording
   * @param {DocumentLanes} lanes
   */
  constructor(name, recording, lanes) {
    this.#recording = recording;
    this.#lanes = lanes;
    lanes.element.setAttribute('aria-hidden', 'true');
    this.element = h('div', { class: 'race-side' },
      h('p', { class: 'race-head' }, h('strong', {}, name), h('span', { class: 'race-count' }, text('lanes.done'), ' ', this.#count)), lanes.element);
  }

  /** @param {number} atMs */
  show(atMs) {
    this.#lanes.show(atMs);
    this.#count.textContent = formatNumber(stateAt(this.#recording, atMs).counted);
  }
}

/** Plays while it is in view, until the shards have counted all presses. Readers who prefer reduced motion see the end. */
class Race {
  #player;
  /** Whether it was playing when it went out of view. */
  #isInterrupted = false;
  #observer;
  element;

  /**
   * @param {Side[]} sides
   * @param {import('../model/recording.js').Recording} recording The recording whose end is the end of the race.
   */
  constructor(sides, { durationMs, eventTimes }) {
    this.#player = new Player({ durationMs, eventTimes, onMove: (atMs) => { for (const side of sides) side.show(atMs); } });
    this.element = h('div', { class: 'race' },
      h('div', { class: 'race-sides' }, ...sides.map(({ element }) => element)), this.#player.element);
    this.#isInterrupted = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#player.seek(this.#isInterrupted ? 0 : durationMs);
    this.#observer = new IntersectionObserver((entries) => this.#onView(entries.at(-1)?.isIntersecting ?? false));
    this.#observer.observe(this.element);
  }

  close() {
    this.#observer.disconnect();
    this.#player.destroy();
  }

  /** @param {boolean} isInView */
  #onView(isInView) {
    if (isInView && this.#isInterrupted) {
      this.#isInterrupted = false;
      this.#player.play();
    } else if (!isInView && this.#player.playing) {
      this.#isInterrupted = true;
      this.#player.pause();
    }
  }
}
