import { h, setAttribute, uniqueId } from '../dom.js';
import { formatNumber, formatSeconds, richText, text } from '../text.js';
import { button, numberInput, radios } from './controls.js';
import { Field } from './field.js';

/** @typedef {import('../text.js').TextId} TextId */

/** The reader's guess, before they see a result, and the result beside it. */
export class PredictionForm {
  #prediction;
  #id;
  #control;
  #commit = button('prediction.commit', { kind: 'primary', type: 'submit' });
  #skip;
  #outcome = h('p', { class: 'prediction-outcome', role: 'status', tabindex: -1 });
  #guess = '';
  #computed;
  /** Whether the outcome says that it is still to come. */
  #isAwaited = false;
  element;

  /**
   * @param {string} id `chapter.<chapter>.<step>`
   * @param {import('../chapters/chapter.js').Prediction<any>} prediction
   * @param {{guess: string | null, computed?: boolean | undefined, onCommit: (guess: string | null) => void}} options `guess`: of an earlier visit.
   *   `computed`: nothing runs, so nothing happens. Null means that the reader does not want to guess.
   */
  constructor(id, prediction, { guess, computed = false, onCommit }) {
    this.#computed = computed;
    this.#id = id;
    this.#prediction = prediction;
    const question = /** @type {TextId} */ (`${id}.question`);
    this.#control = 'choices' in prediction
      ? choiceControl(question, prediction.choices.map((choice) => [choice, text(this.#choiceId(choice))]))
      : numberControl(question);
    this.#skip = button('prediction.skip', { kind: 'quiet', onPress: () => onCommit(null) });
    this.element = h('form', { class: 'prediction', novalidate: true, submit: (event) => {
      event.preventDefault();
      const committed = this.#control.read();
      if (committed === null) return;
      this.#guess = committed;
      onCommit(committed);
    } },
    h('p', { class: 'label' }, text('prediction.title')), this.#control.element,
    h('div', { class: 'actions' }, this.#commit, this.#skip), this.#outcome);
    if (guess !== null) {
      this.#guess = guess;
      this.#control.write(guess);
    }
  }

  /**
   * Fixes the guess.
   * @returns {boolean} Whether the focus was on a control that goes.
   */
  lock() {
    const hadFocus = [this.#commit, this.#skip].some((each) => each === document.activeElement);
    this.#control.lock(this.#guess !== '');
    this.#commit.hidden = true;
    this.#skip.hidden = true;
    return hadFocus;
  }

  /** The place of the outcome. */
  focus() {
    this.#outcome.focus();
  }

  /** Says when the run will answer; once, and not where it has. */
  announce() {
    if (this.#outcome.hasChildNodes()) return;
    const { askedAtMs } = this.#prediction;
    const values = askedAtMs === undefined ? { when: 'end', moment: '' } : { when: 'moment', moment: formatSeconds(askedAtMs / 1000) };
    this.#isAwaited = true;
    this.#outcome.replaceChildren(this.#guess === ''
      ? richText('prediction.awaited.unguessed', values)
      : richText('prediction.awaited', { ...values, guess: this.#say(this.#guess) }));
  }

  /** Shows the guess of an earlier visit, whose outcome is not stored. */
  recall() {
    if (this.#guess === '') return;
    this.#isAwaited = true;
    this.#outcome.replaceChildren(richText('prediction.kept', { guess: this.#say(this.#guess) }));
  }

  /** The next run has other settings, so it will not answer the question: an answer that is still to come waits for the question's settings. */
  leave() {
    if (!this.#isAwaited) return;
    this.#outcome.replaceChildren(richText('prediction.elsewhere', {
      isGuessed: this.#guess === '' ? 'no' : 'yes', guess: this.#guess === '' ? '' : this.#say(this.#guess),
    }));
  }

  clear() {
    this.#isAwaited = false;
    this.#outcome.replaceChildren();
  }

  /**
   * @param {any} recording The recording, which the reader has seen up to the time of the question.
   */
  compare(recording) {
    this.#isAwaited = false;
    const answer = this.#say(String(this.#prediction.answer(recording)));
    const outcome = this.#guess === ''
      ? richText(this.#computed ? 'prediction.answer.computed' : 'prediction.answer', { answer })
      : richText(this.#computed ? 'prediction.outcome.computed' : 'prediction.outcome', { guess: this.#say(this.#guess), answer });
    if (this.#outcome.textContent !== outcome.textContent) this.#outcome.replaceChildren(outcome);
  }

  /** @param {string} value */
  #say(value) {
    if ('choices' in this.#prediction) return text(this.#choiceId(value));
    return text(/** @type {TextId} */ (`unit.${this.#prediction.unit}`), { count: Number(value) });
  }

  /** @param {string} choice */
  #choiceId(choice) {
    return /** @type {TextId} */ (`${this.#id}.choice.${choice}`);
  }
}

/** @param {TextId} question */
function numberControl(question) {
  const field = new Field(question, numberInput('prediction'));
  return {
    element: field.element,
    read() {
      const { number } = field;
      if (number !== null && number >= 0) return String(number);
      field.setError(text('prediction.missing-number'));
      field.control.focus();
      return null;
    },
    write(/** @type {string} */ guess) {
      field.control.value = formatNumber(Number(guess));
    },
    lock(/** @type {boolean} */ isGuessed) {
      field.control.readOnly = true;
      field.control.hidden = !isGuessed;
    },
  };
}

/**
 * @param {TextId} question
 * @param {[string, string][]} choices
 */
function choiceControl(question, choices) {
  const group = radios('prediction', question, choices);
  const error = h('p', { class: 'field-error', id: uniqueId('error'), hidden: true }, text('prediction.missing-choice'));
  const inputs = [...group.element.querySelectorAll('input')];
  for (const input of inputs) input.checked = false;
  group.element.append(error);
  return {
    element: group.element,
    read() {
      const chosen = inputs.find((input) => input.checked);
      error.hidden = chosen !== undefined;
      setAttribute(group.element, 'aria-describedby', chosen ? null : error.id);
      if (!chosen) inputs[0]?.focus();
      return chosen?.value ?? null;
    },
    write(/** @type {string} */ guess) {
      for (const input of inputs) input.checked = input.value === guess;
    },
    lock() {
      // Readers who go from control to control could not read a disabled one.
      for (const input of inputs) input.disabled = !input.checked;
    },
  };
}
