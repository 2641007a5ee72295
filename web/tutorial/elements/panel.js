import { h, uniqueId } from '../dom.js';
import { richText, text } from '../text.js';

/**
 * A section of the page with its heading.
 * @param {{id: string, title: import('../text.js').TextId, about?: import('../text.js').TextId}} about
 * @param {...(Node | null)} children
 */
export function panel({ id, title, about }, ...children) {
  const headingId = uniqueId(`${id}-heading`);
  return h('section', { class: 'panel', id, 'aria-labelledby': headingId },
    h('header', { class: 'panel-header' },
      h('h2', { id: headingId }, text(title)),
      about ? h('p', { class: 'about' }, richText(about)) : null),
    ...children);
}

/**
 * Controls that can be used while the session has a database.
 * @param {import('../session.js').Session} session
 * @param {HTMLFieldSetElement} controls
 * @param {(isOpen: boolean) => void} onSwitch Called when it gets one or loses it.
 */
export function enableWhileOpen(session, controls, onSwitch) {
  const update = () => {
    const isOpen = session.database !== null;
    if (controls.disabled === !isOpen) return;
    controls.disabled = !isOpen;
    onSwitch(isOpen);
  };
  session.addEventListener('change', update);
  update();
}
