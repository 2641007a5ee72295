// The output for people: results on the standard output, everything else on the standard error; and progress on long work.

/** How often a progress bar is drawn again, and how often there is a line where there is no terminal. */
const BAR_MS = 100;
const LINE_MS = 5000;
const WIDEST_BAR = 24;
const NARROWEST_BAR = 8;

/**
 * @typedef {object} Progress How far long work has come.
 * @property {number} done
 * @property {number} [total] If it is known.
 * @property {string} unit What is counted: `document`.
 * @property {number} [perSecond] If the work knows better than the clock.
 * @property {number | null} [secondsLeft] The same.
 * @property {number} [dollars] The bill so far.
 * @property {number} [skip] The number of lines that another call should skip.
 */

export class Terminal {
  #out;
  #err;
  /** Whether the cursor is behind a line that may be written over. */
  #hasOpenLine = false;
  #drawnAt = -Infinity;

  /**
   * @param {NodeJS.WriteStream} out
   * @param {NodeJS.WriteStream} err
   */
  constructor(out, err) {
    this.#out = out;
    this.#err = err;
  }

  /** @param {string} text One line, or several. */
  print(text) {
    this.endLine();
    this.#out.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** @param {unknown} value */
  printJson(value) {
    this.print(jsonText(value));
  }

  /**
   * Shows something that soon gives way to something newer: in place where there is a terminal, otherwise as a line.
   * @param {string} text
   */
  show(text) {
    if (!this.#out.isTTY) return this.print(text);
    this.#out.write(`\r\u001b[2K${text}`);
    this.#hasOpenLine = true;
  }

  /** Says something beside the result. @param {string} text */
  note(text) {
    this.endLine();
    this.#err.write(`${oneLine(text)}\n`);
  }

  /** Says in one line what is wrong. @param {string} text */
  complain(text) {
    this.note(`shardline: ${text}`);
  }

  /**
   * @param {string} what What is being done: `inserting`.
   * @param {string} past What was done: `inserted`.
   * @returns {(progress: Progress, isLast?: boolean) => void} To be called as often as there is something new.
   */
  progress(what, past) {
    const startedAt = performance.now();
    const isTerminal = Boolean(this.#err.isTTY);
    this.#drawnAt = isTerminal ? -Infinity : startedAt;
    return (progress, isLast = false) => {
      const now = performance.now();
      if (!isLast && now - this.#drawnAt < (isTerminal ? BAR_MS : LINE_MS)) return;
      this.#drawnAt = now;
      const doing = isLast ? past : what;
      const text = describe(progress, (now - startedAt) / 1000);
      if (!isTerminal) return this.note(`${doing} ${text}`);
      const room = (this.#err.columns || 80) - 1;
      const bar = progress.total === undefined ? '' : drawBar(progress.done / progress.total, room - `${doing} ${text} `.length);
      this.#err.write(`\r\u001b[2K${`${doing} ${bar}${text}`.slice(0, room)}`);
      this.#hasOpenLine = true;
      if (isLast) this.endLine();
    };
  }

  /** Keeps the last line. */
  endLine() {
    if (this.#hasOpenLine) this.#err.write('\n');
    this.#hasOpenLine = false;
  }
}

/**
 * @param {Progress} progress
 * @param {number} seconds Since it has begun.
 */
function describe({ done, total, unit, perSecond, secondsLeft, dollars, skip }, seconds) {
  const rate = perSecond ?? (seconds > 0 ? done / seconds : 0);
  const cost = dollars === undefined ? '' : `, $${dollars.toFixed(2)}`;
  if (total === undefined) return `${counted(done, unit)}, ${number(rate)}/s${cost}${skip === undefined ? '' : `, up to --skip=${skip}`}`;
  const percent = Math.floor(Math.min(done / Math.max(total, 1), 1) * 100);
  const isKnown = done < total && (typeof secondsLeft === 'number' || rate > 0);
  const left = isKnown ? `, ${duration(secondsLeft ?? (total - done) / rate)} left` : '';
  return `${percent} %, ${number(done)} of ${counted(total, unit)}, ${number(rate)}/s${left}${cost}`;
}

/**
 * @param {number} share 0 to 1.
 * @param {number} room How many columns there are: too few for a bar, and the words say it all.
 */
function drawBar(share, room) {
  if (room < NARROWEST_BAR + 3) return '';
  const width = Math.max(NARROWEST_BAR, Math.min(WIDEST_BAR, room - 2));
  const filled = Math.round(Math.min(share, 1) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] `;
}

/**
 * Rows under each other, columns side by side. Names from a database do not steer the terminal.
 * @param {string[][]} cells
 */
export function columns(cells) {
  const rows = cells.map((row) => row.map(withoutControls));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  return rows.map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  ').trimEnd()).join('\n');
}

/**
 * JSON that does not steer a terminal. JSON leaves DEL and U+0080 to U+009F unescaped, and terminals obey them.
 * @param {unknown} value
 */
export function jsonText(value) {
  return withoutControls(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? { $integer: `${inner}` } : inner)));
}

/** @param {string} text */
function withoutControls(text) {
  return text.replaceAll(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * `1 shard`, `2,000 shards`.
 * @param {number} value
 * @param {string} noun Of which the plural has an s behind it.
 */
export function counted(value, noun) {
  return `${number(value)} ${value === 1 ? noun : `${noun.replace(/x$/, 'xe')}s`}`;
}

/** With commas. @param {number} value */
export function number(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** @param {number} seconds */
function duration(seconds) {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {string} text */
function oneLine(text) {
  return withoutControls(text.trim().replaceAll(/\s*\n\s*/g, ' ').replaceAll('\t', ' '));
}
