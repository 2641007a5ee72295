import { h } from '../dom.js';
import { formatNumber, formatSeconds, text } from '../text.js';
import { button } from './controls.js';

/**
 * @typedef {object} PlayerOptions
 * @property {number} durationMs
 * @property {ArrayLike<number>} eventTimes In order: where a step forward or back leads to.
 * @property {number} [atMs] The initial position.
 * @property {(atMs: number, state: {playing: boolean}) => void} onMove
 */

/** How many milliseconds of the run go by in one of the reader's. */
const SPEEDS = [1 / 50, 1 / 10, 1 / 4, 1, 2, 4, 8, 16, 32, 64, 128];
/** How long the whole run takes, about, at the speed that it begins with. */
const WHOLE_MS = 20_000;
/** A page that was asleep goes on where it was. */
const LONGEST_FRAME_MS = 250;
/** With reduced motion: the number of steps, and the time between two. */
const STILLS = 12;
const STILL_MS = 1500;

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Plays a recording: it holds a position in time, and reports it. The keys work wherever the focus is within: K or the space bar plays and pauses, J
 * and L go to the event before and behind.
 */
export class Player {
  #durationMs;
  #eventTimes;
  #onMove;
  #atMs;
  #speed;
  /** @type {number | null} */
  #frame = null;
  /** @type {ReturnType<typeof setInterval> | null} */
  #stills = null;
  #lastFrame = 0;

  #toggle = button('player.play', { kind: 'primary', onPress: () => (this.playing ? this.pause() : this.play()) });
  /** @type {HTMLInputElement} */
  #slider;
  /** For eyes: the slider says it, too, and this changes with every frame. */
  #time = h('span', { class: 'player-time', 'aria-hidden': 'true' });
  element;
  /** The controls that are needed less often. */
  more;

  /** @param {PlayerOptions} options */
  constructor({ durationMs, eventTimes, atMs = 0, onMove }) {
    this.#durationMs = durationMs;
    this.#eventTimes = eventTimes;
    this.#onMove = onMove;
    this.#atMs = atMs;
    this.#speed = nearestSpeed(durationMs / WHOLE_MS);
    this.#slider = h('input', {
      type: 'range', class: 'player-slider', min: 0, max: durationMs, step: 1, value: atMs,
      'aria-label': text('player.position'),
      input: () => { this.seek(this.#slider.valueAsNumber); },
    });
    const speed = h('select', { 'aria-label': text('player.speed'), change: () => { this.#speed = Number(speed.value); } },
      ...SPEEDS.map((value) => h('option', { value, selected: value === this.#speed }, speedName(value))));
    this.#toggle.setAttribute('aria-keyshortcuts', 'K');
    const keydown = (/** @type {Event} */ event) => this.#onKey(event);
    this.element = h('div', { class: 'player', role: 'group', 'aria-label': text('player.title'), keydown },
      this.#toggle, this.#stepButton('player.forward', 'L', () => this.step(1)), this.#slider, this.#time);
    this.more = h('div', { class: 'player-more', keydown },
      this.#stepButton('player.back', 'J', () => this.step(-1)),
      button('player.reset', { onPress: () => this.seek(0) }),
      h('label', { class: 'player-speed' }, h('span', {}, text('player.speed')), speed));
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#show();
  }

  get atMs() {
    return this.#atMs;
  }

  get playing() {
    return this.#frame !== null || this.#stills !== null;
  }

  /** Plays from the present position, or from the beginning if that is the end. */
  play() {
    if (this.playing) return;
    if (this.#atMs >= this.#durationMs) this.#atMs = 0;
    if (reducedMotion.matches) {
      this.#stills = setInterval(() => this.#advance(this.#durationMs / STILLS), STILL_MS);
    } else {
      this.#lastFrame = performance.now();
      this.#frame = requestAnimationFrame(this.#onFrame);
    }
    this.#move(this.#atMs);
  }

  focus() {
    this.#toggle.focus();
  }

  pause() {
    if (this.playing) this.seek(this.#atMs);
  }

  /**
   * Stops there, at a whole millisecond, like the slider and the address.
   * @param {number} atMs
   */
  seek(atMs) {
    this.#stop();
    this.#move(Math.round(Math.min(Math.max(0, atMs), this.#durationMs)));
  }

  /** @param {1 | -1} direction To the next event, or the one before. */
  step(direction) {
    const times = this.#eventTimes;
    let low = 0;
    let high = times.length;
    // A binary search for the first event behind the present position; or, going back, for the first one that is not before it.
    while (low < high) {
      const middle = (low + high) >> 1;
      const atMs = times[middle] ?? 0;
      if (direction > 0 ? atMs <= this.#atMs : atMs < this.#atMs) low = middle + 1;
      else high = middle;
    }
    const found = times[direction > 0 ? low : low - 1];
    this.seek(found ?? (direction > 0 ? this.#durationMs : 0));
  }

  destroy() {
    this.#stop();
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }

  /**
   * @param {import('../text.js').TextId} label
   * @param {string} key
   * @param {() => void} onPress
   */
  #stepButton(label, key, onPress) {
    const made = button(label, { onPress });
    made.setAttribute('aria-keyshortcuts', key);
    return made;
  }

  #onFrame = (/** @type {number} */ now) => {
    this.#frame = requestAnimationFrame(this.#onFrame);
    const passed = Math.min(Math.max(0, now - this.#lastFrame), LONGEST_FRAME_MS);
    this.#lastFrame = now;
    this.#advance(passed * this.#speed);
  };

  #onVisibility = () => {
    if (document.hidden) this.pause();
  };

  /** @param {number} ms */
  #advance(ms) {
    const next = this.#atMs + ms;
    if (next >= this.#durationMs) this.seek(this.#durationMs);
    else this.#move(next);
  }

  #stop() {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    if (this.#stills !== null) clearInterval(this.#stills);
    this.#frame = null;
    this.#stills = null;
  }

  /** @param {number} atMs */
  #move(atMs) {
    this.#atMs = atMs;
    this.#show();
    this.#onMove(atMs, { playing: this.playing });
  }

  #show() {
    const { playing } = this;
    const label = text(playing ? 'player.pause' : 'player.play');
    if (this.#toggle.textContent !== label) this.#toggle.replaceChildren(h('span', {}, label));
    this.#slider.value = String(this.#atMs);
    const time = text('player.time', { now: clock(this.#atMs, this.#durationMs), end: clock(this.#durationMs, this.#durationMs) });
    if (this.#time.textContent === time) return;
    this.#time.textContent = time;
    this.#slider.setAttribute('aria-valuetext', time);
  }

  /** @param {Event} event */
  #onKey(event) {
    if (!(event instanceof KeyboardEvent) || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const key = event.key.toLowerCase();
    // The space bar presses the button that has the focus, and chooses in a list.
    const isSpace = key === ' ' && target === this.#slider;
    if (key === 'k' || isSpace) (this.playing ? this.pause() : this.play());
    else if (key === 'j') this.step(-1);
    else if (key === 'l') this.step(1);
    else return;
    event.preventDefault();
  }
}

/** @param {number} wanted */
function nearestSpeed(wanted) {
  return SPEEDS.find((speed) => speed >= wanted) ?? /** @type {number} */ (SPEEDS.at(-1));
}

/** @param {number} speed */
function speedName(speed) {
  return speed < 1 ? text('player.slower', { n: Math.round(1 / speed) }) : text('player.faster', { n: speed });
}

/**
 * @param {number} atMs
 * @param {number} durationMs
 */
function clock(atMs, durationMs) {
  if (durationMs < 10_000) return text('unit.seconds', { seconds: formatNumber(Math.floor(atMs) / 1000) });
  if (durationMs < 60_000) return text('unit.seconds', { seconds: formatNumber(Math.floor(atMs / 100) / 10) });
  const seconds = Math.floor(atMs / 1000);
  // Minutes and seconds in words would not fit beside the buttons on a telephone.
  return durationMs < 120_000 ? formatSeconds(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
