// An element's shadow tree. It is made without HTML texts, which a page's policy may forbid.

/**
 * @typedef {object} Shown
 * @property {boolean} isButton Whether it is a like button.
 * @property {string} number Empty while it is not known: then the view shows the element's content from the page.
 * @property {string} fullNumber
 * @property {'pending' | 'offline' | 'error' | ''} mark
 * @property {string} state What the mark means; empty without one.
 * @property {string} label The label of the button.
 * @property {string} name The name from other elements, which replaces the label.
 * @property {boolean} isPressed
 * @property {boolean} isDisabled
 */

const SVG = 'http://www.w3.org/2000/svg';
const HEART = 'M12 20.5 4.2 12.9a5 5 0 0 1 7.1-7.1l.7.7.7-.7a5 5 0 0 1 7.1 7.1Z';

export class View {
  #root;
  #value = make('span', { part: 'value' });
  #slot = make('slot', {}, make('span', { 'aria-hidden': 'true' }, '–'));
  #state = make('span', { class: 'unseen' });
  #label = make('span', { class: 'unseen' });
  /** The description of the button: the number when the focus came, so that a number that changes is not read out each time. */
  #description = make('span', { id: 'description', hidden: '' });
  #message = make('span', { part: 'message', role: 'status' });
  #button = /** @type {HTMLButtonElement} */ (make('button', { part: 'button', type: 'button', 'aria-describedby': 'description' },
    make('span', { part: 'icon', 'aria-hidden': 'true' }, make('slot', { name: 'icon' }, icon(HEART))),
    make('slot', { name: 'label' }, this.#label)));
  #isButton = /** @type {boolean | null} */ (null);
  #details = '';

  /**
   * @param {ShadowRoot} root
   * @param {() => void} onPress
   */
  constructor(root, onPress) {
    this.#root = root;
    this.#value.append(this.#slot);
    this.#button.addEventListener('click', () => {
      this.#button.dataset.used = '';
      onPress();
    });
    this.#button.addEventListener('blur', () => {
      this.message = '';
      this.#description.textContent = this.#details;
    });
  }

  /** The reason why a press had no effect; empty if there is none. @param {string} text */
  set message(text) {
    say(this.#message, text);
  }

  press() {
    this.#button.click();
  }

  /** @param {Shown} shown */
  show({ isButton, number, fullNumber, mark, state, label, name, isPressed, isDisabled }) {
    if (isButton !== this.#isButton) {
      this.#isButton = isButton;
      const [before, after] = isButton ? [[this.#button], [this.#description, this.#message]] : [[], []];
      this.#root.replaceChildren(...before, this.#value, this.#state, ...after);
    }
    if (number === '') {
      if (!this.#slot.parentNode) this.#value.replaceChildren(this.#slot);
    } else if (this.#value.textContent !== number || this.#slot.parentNode) {
      this.#value.textContent = number;
    }
    this.#value.dataset.mark = mark;
    this.#value.title = state || (number === fullNumber ? '' : fullNumber);
    this.#state.textContent = state && ` ${state}`;
    this.#details = [fullNumber, state].filter((text) => text !== '').join(', ');
    if (this.#root.activeElement !== this.#button) this.#description.textContent = this.#details;
    this.#label.textContent = label;
    this.#button.ariaLabel = name || null;
    this.#button.ariaPressed = String(isPressed);
    this.#button.disabled = isDisabled;
  }
}

/**
 * @param {HTMLElement} message
 * @param {string} text
 */
export function say(message, text) {
  // A screen reader would read a text again that is set again.
  if (message.textContent === text) return;
  message.textContent = text;
  const { style } = message;
  style.insetInlineStart = '';
  if (text === '') return;
  // A message outside of the page could not be read, and would make the page scroll sideways.
  const { left, right } = message.getBoundingClientRect();
  const shift = Math.max(Math.min(0, message.ownerDocument.documentElement.clientWidth - right), -left);
  if (shift !== 0) style.insetInlineStart = `${getComputedStyle(message).direction === 'rtl' ? -shift : shift}px`;
}

/**
 * @param {string} tag
 * @param {{[name: string]: string}} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElement} Said here, because the page's table of elements refers to this module.
 */
export function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** @param {string} d The shape, in a square of 24. */
export function icon(d) {
  const path = fill(document.createElementNS(SVG, 'path'), { d }, []);
  return fill(document.createElementNS(SVG, 'svg'), { viewBox: '0 0 24 24' }, [path]);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {{[name: string]: string}} attributes
 * @param {(Node | string)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
