// The style of an element. Colours come from the text around it, so that it suits every background; the box of a like button is the element's own, so
// that a page's rules for `shard-counter` go before these. element.css has the same box for the time before.
//
// Each mark of the value has a line of its own, because colour alone would not tell; an instant step needs no line. All of the box can be pressed:
// button::after. These comments are not in the text, which every page downloads.

import { shared } from './shared.js';

const CSS = `
:host { position: relative; }
:host([hidden]) { display: none; }
:host([type='like']:not([hidden])) {
  display: inline-flex; align-items: center; gap: 0.4em; box-sizing: border-box; min-block-size: 2.25em; padding: 0.25em 0.75em;
  border: 1px solid color-mix(in srgb, currentcolor 55%, transparent); border-radius: 1.125em;
  line-height: 1.2; white-space: nowrap; vertical-align: middle;
}

[part='value'] { unicode-bidi: isolate; text-underline-offset: 0.2em; }
[part='value'][data-mark='pending'] { text-decoration: dotted; animation: mark 1ms 0.4s forwards; }
[part='value'][data-mark='offline'] { text-decoration: underline dashed; }
[part='value'][data-mark='error'] { text-decoration: underline wavy; }
@keyframes mark { to { text-decoration-line: underline; } }

button {
  display: inline-flex; align-items: center; gap: inherit; margin: 0; padding: 0; border: 0; border-radius: inherit;
  background: none; color: inherit; font: inherit; line-height: inherit; cursor: pointer;
}
button::after { content: ''; position: absolute; inset: -1px; border-radius: inherit; }
button:hover::after { background: color-mix(in srgb, currentcolor 8%, transparent); }
button:active::after { background: color-mix(in srgb, currentcolor 16%, transparent); }
button:focus-visible { outline: none; }
button:focus-visible::after { outline: 2px solid; outline-offset: 2px; }
button:disabled { cursor: not-allowed; opacity: 0.5; }
button:disabled::after { background: none; }

[part='icon'] { flex: none; display: grid; place-items: center; inline-size: 1.2em; block-size: 1.2em; }
svg { inline-size: 100%; block-size: 100%; fill: none; stroke: currentcolor; stroke-width: 2; }
button[aria-pressed='true'] svg { fill: var(--shard-counter-accent, #e0245e); stroke: var(--shard-counter-accent, #e0245e); }

[part='message'] {
  position: absolute; inset-block-start: calc(100% + 0.4em); inset-inline-start: 0; z-index: 1; box-sizing: border-box;
  inline-size: max-content; max-inline-size: min(18em, 80vw); font-size: 0.875em; white-space: normal; text-align: start;
}
[part='message']:not(:empty) { padding: 0.4em 0.7em; border: 1px solid; border-radius: 0.5em; background: Canvas; color: CanvasText; }

.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (prefers-reduced-motion: no-preference) {
  button[data-used][aria-pressed='true'] [part='icon'] { animation: like 0.3s ease-out; }
  @keyframes like { 40% { scale: 1.3; } }
}
@media (forced-colors: active) {
  button:hover::after, button:active::after { background: none; outline: 1px solid Highlight; }
  button:focus-visible::after { outline: 2px solid Highlight; }
  button[aria-pressed='true'] svg { fill: currentcolor; stroke: currentcolor; }
  button:disabled { color: GrayText; opacity: 1; }
}
`;

/** The sheets of each document: another document does not accept them. @type {WeakMap<Document, Map<string, CSSStyleSheet>>} */
const sheets = new WeakMap();

/**
 * One sheet for all elements of a document. A page's policy against styles in its HTML does not affect it.
 * @param {Document} document
 * @param {string} css
 * @returns {CSSStyleSheet[]} Empty for a document that is not shown.
 */
export function styleSheets(document, css = CSS) {
  const window = document.defaultView;
  if (!window) return [];
  return [shared(sheets, document, css, () => {
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(css);
    return sheet;
  })];
}
