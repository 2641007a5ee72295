import { h, uniqueId } from '../dom.js';
import { MOST_LINES, MOST_SECONDS } from '../model/code_program.js';
import { runInWorker } from '../model/code_session.js';
import { formatDuration, formatNumber, richText, text } from '../text.js';
import { CodeHead } from './code_block.js';
import { button } from './controls.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {import('../chapters/chapter.js').CodeOutcome} CodeOutcome
 * @typedef {Pick<CodeOutcome, 'knobs' | 'documents'>} Setting
 * @typedef {import('../model/code_run.js').Bill} Bill
 * @typedef {import('../model/code_session.js').CodeEnd} CodeEnd
 */

const FEWEST_ROWS = 4;
const MOST_ROWS = 24;

/**
 * The readers' own code by `chapter/step`, while the page is open. It comes from the keyboard or the clipboard alone. A link cannot bring code: the page
 * never takes code from its address, and stores none that a later visit would show as the reader's own.
 * @type {Map<string, string>}
 */
const own = new Map();

/** A step's code, which the reader changes and runs against an embedded Firestore. Below it are the output and the bill. */
export class CodeField {
  #key;
  #setting;
  #onEnd;
  /** The step's own code. */
  #given = '';
  #area;
  #head;
  #run = button('trial.run', { kind: 'primary', onPress: () => this.#start() });
  #stop = button('trial.stop', { onPress: () => this.#cancel?.abort() });
  #reset = button('trial.reset', { kind: 'quiet', onPress: () => this.#take(null) });
  #outcome = h('p', { class: 'trial-outcome', role: 'status' });
  #output = h('code');
  #outputBox = h('pre', { class: 'code trial-output', tabindex: 0, role: 'group', 'aria-label': text('trial.output') }, this.#output);
  #bill = h('dl', { class: 'totals' });
  #billBox = h('div', { class: 'trial-bill' }, h('p', { class: 'label' }, text('trial.bill')), this.#bill);
  /** Stops the present run. @type {AbortController | null} */
  #cancel = null;
  element;

  /**
   * @param {string} key `chapter/step`
   * @param {{isJudged: boolean, isBeside: boolean, setting: () => Setting, onEnd: (outcome: CodeOutcome) => void}} options `isJudged`: whether a
   *   challenge is about the code, too. `isBeside`: whether the page shows the app's code, too, which cannot run here.
   */
  constructor(key, { isJudged, isBeside, setting, onEnd }) {
    this.#key = key;
    this.#setting = setting;
    this.#onEnd = onEnd;
    const hint = uniqueId('hint');
    // Tab leaves it, like every other control.
    const area = h('textarea', {
      id: uniqueId('code'), name: 'code', dir: 'ltr', translate: 'no', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
      'aria-describedby': hint, input: () => this.#onInput(), keydown: (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)),
    });
    this.#area = area;
    this.#head = new CodeHead(h('label', { class: 'label', for: area.id }, text(isBeside ? 'trial.title' : 'code.title')), { read: () => area.value, select: () => area.select() });
    this.element = h('section', { class: 'trial', 'aria-label': text('trial.title') },
      this.#head.element, area,
      h('p', { class: 'hint', id: hint }, richText('trial.hint', { seconds: MOST_SECONDS, count: MOST_LINES }),
        ...(isJudged ? [' ', richText('trial.judged')] : [])),
      h('div', { class: 'actions' }, this.#run, this.#stop, this.#reset),
      this.#outcome, this.#outputBox, this.#billBox);
    this.#billBox.hidden = true;
    this.#showOutput();
    this.#showBusy(false);
  }

  /** @param {string} code The step's own, with the present knobs. It does not replace the reader's. */
  show(code) {
    this.#given = code;
    this.#take(own.get(this.#key) ?? null);
  }

  close() {
    this.#cancel?.abort();
  }

  /** @param {string | null} code The reader's; null: the step's. */
  #take(code) {
    if (code === null) own.delete(this.#key);
    // The cursor stays if nothing changes.
    if (this.#area.value !== (code ?? this.#given)) this.#area.value = code ?? this.#given;
    this.#fit();
  }

  #onInput() {
    own.set(this.#key, this.#area.value);
    this.#fit();
  }

  #fit() {
    this.#head.clear();
    this.#reset.disabled = !own.has(this.#key);
    this.#area.rows = Math.max(FEWEST_ROWS, Math.min(this.#area.value.split('\n').length, MOST_ROWS));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#start();
  }

  async #start() {
    if (this.#cancel) return;
    const cancel = new AbortController();
    this.#cancel = cancel;
    const setting = this.#setting();
    let bill = /** @type {Bill} */ ({ requests: 0, reads: 0, writes: 0, deletes: 0 });
    let isCut = false;
    this.#output.replaceChildren();
    this.#showOutput();
    this.#billBox.hidden = true;
    this.#outcome.textContent = text('trial.loading');
    this.#showBusy(true);
    const end = await runInWorker(this.#area.value, setting.documents, cancel.signal, {
      onRunning: () => { this.#outcome.textContent = text('trial.running'); },
      onLine: (kind, line) => { isCut ||= !this.#print(kind, line); },
      onStray: ({ message, line }) => { isCut ||= !this.#print('error', line === null ? message : `${message} ${text('trial.line', { line })}`); },
      onCut: () => { isCut = true; },
      onBill: (latest) => {
        bill = latest;
        this.#showBill(bill);
      },
    }).catch((error) => /** @type {CodeEnd} */ ({ end: 'broken', ms: 0, failure: { message: String(error), line: null } }));
    this.#cancel = null;
    this.#showBusy(false);
    this.#tell(end, isCut);
    if (end.end === 'done') this.#onEnd({ ...setting, returned: end.returned ?? null, bill });
  }

  /**
   * @param {CodeEnd} end
   * @param {boolean} isCut
   */
  #tell({ end, ms, failure }, isCut) {
    const values = { time: formatDuration(ms), seconds: MOST_SECONDS, count: MOST_LINES };
    const parts = [text(/** @type {TextId} */ (`trial.end.${end}`), values)];
    if (failure && failure.line !== null) parts.push(' ', text('trial.line', { line: failure.line }));
    if (isCut) parts.push(' ', text('trial.cut', values));
    this.#outcome.replaceChildren(...parts);
    // The browser's words, or the library's.
    if (failure) this.#outcome.append(' ', h('span', { class: 'original', lang: 'en', dir: 'ltr' }, failure.message));
    this.#outcome.dataset.end = end;
  }

  /**
   * @param {import('../model/code_run.js').Kind} kind
   * @param {string} line
   * @returns {boolean} False: there is too much output.
   */
  #print(kind, line) {
    if (this.#output.childElementCount >= MOST_LINES) return false;
    // As text: output never becomes a part of the page.
    this.#output.append(h('span', { class: 'trial-line', 'data-kind': kind }, kind === 'log' ? `${line}\n` : `${kind}: ${line}\n`));
    this.#showOutput();
    return true;
  }

  #showOutput() {
    this.#outputBox.hidden = this.#output.childElementCount === 0;
  }

  /** @param {Bill} bill */
  #showBill({ requests, reads, writes, deletes }) {
    /** @type {[TextId, number][]} */
    const totals = [['log.total.requests', requests], ['log.total.reads', reads], ['log.total.writes', writes], ['log.total.deletes', deletes]];
    this.#bill.replaceChildren(...totals.map(([label, value]) => h('div', {}, h('dt', {}, text(label)), h('dd', {}, formatNumber(value)))));
    this.#billBox.hidden = false;
  }

  /** @param {boolean} isBusy */
  #showBusy(isBusy) {
    const hadFocus = document.activeElement;
    delete this.#outcome.dataset.end;
    this.#run.hidden = isBusy;
    this.#stop.hidden = !isBusy;
    // The button that has the focus goes, and the other one is in its place.
    if (hadFocus === this.#run && isBusy) this.#stop.focus();
    if (hadFocus === this.#stop && !isBusy) this.#run.focus();
  }
}
