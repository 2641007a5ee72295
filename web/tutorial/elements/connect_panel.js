import { Action } from '../action.js';
import { h } from '../dom.js';
import { placeOf } from '../place.js';
import { text } from '../text.js';
import { button, input, radios } from './controls.js';
import { Field, focusRefused } from './field.js';
import { Notice } from './notice.js';
import { panel } from './panel.js';

const GOOGLE = 'https://firestore.googleapis.com';

const KINDS = /** @type {const} */ (['embedded', 'emulator', 'project']);

/** Where to connect to. Folds away once there is a connection. */
export class ConnectPanel {
  #session;
  #kind = radios('kind', 'connect.kind', [
    ['embedded', text('connect.embedded')],
    ['emulator', text('connect.emulator')],
    ['project', text('connect.project')],
  ]);
  #host = new Field('connect.host', input('host', { inputmode: 'url', value: '127.0.0.1:8080' }), 'connect.host.hint');
  #project = new Field('connect.project-id', input('projectId'));
  #database = new Field('connect.database-id', input('databaseId', { value: '(default)' }));
  #key = new Field('connect.api-key', input('apiKey'), 'connect.api-key.hint');
  #token = new Field('connect.id-token', input('idToken', { type: 'password', autocomplete: 'new-password' }),
    'connect.id-token.hint');
  #notice = new Notice();
  #submit = button('connect.submit', { kind: 'primary', type: 'submit' });
  #action = new Action(this.#submit);
  #fields = [this.#host, this.#project, this.#database, this.#key, this.#token];
  #place = h('div', { class: 'fields' }, ...this.#fields.map((field) => field.element));
  #form = h('form', { id: 'connect-form', novalidate: true, submit: (event) => this.#onSubmit(event) },
    this.#kind.element,
    this.#place,
    h('div', { class: 'actions' }, this.#submit));
  #toggle = button('connect.change', { kind: 'quiet', onPress: () => this.#unfold(this.#form.hasAttribute('hidden')) });
  #summary = h('p', { class: 'connect-summary' });

  /**
   * @param {import('../session.js').Session} session
   * @param {string} [projectId] The initial content of the field.
   */
  constructor(session, projectId = 'demo') {
    this.#session = session;
    this.#project.control.value = projectId;
    this.#toggle.setAttribute('aria-controls', this.#form.id);
    this.element = panel({ id: 'connect', title: 'connect.title', about: 'connect.about' },
      h('div', { class: 'connect-row' }, this.#summary, this.#toggle), this.#form, this.#notice.element);
    this.#kind.element.addEventListener('change', () => this.#showFields());
    session.addEventListener('change', () => this.#show());
    this.#showFields();
    this.#show();
  }

  /**
   * Connects without being asked: to the embedded Firestore, unless there is an emulator.
   * @param {string} [emulator] `127.0.0.1:8080`
   */
  connect(emulator) {
    if (emulator) {
      this.#kind.value = 'emulator';
      this.#host.control.value = emulator;
      this.#showFields();
    }
    this.#open();
  }

  /** @param {Event} event */
  #onSubmit(event) {
    event.preventDefault();
    this.#open();
  }

  #open() {
    this.#action.run(this.#submit, async () => {
      const settings = this.#read();
      if (!settings) return;
      const hadFocus = this.#form.contains(document.activeElement);
      await this.#session.open(settings);
      if (this.#session.state !== 'connected') return;
      this.#unfold(false);
      if (hadFocus) this.#toggle.focus();
    });
  }

  /** @returns {import('../session.js').Settings | null} Null, and the fields say why. */
  #read() {
    const kind = KINDS.find((one) => one === this.#kind.value) ?? 'embedded';
    if (kind === 'embedded') return { kind, host: '', projectId: 'demo', databaseId: '(default)', apiKey: '', idToken: '' };
    const host = kind === 'project' ? GOOGLE : toOrigin(this.#host.value);
    this.#host.setError(host ? '' : text('connect.host.wrong'));
    this.#project.setError(this.#project.value ? '' : text('connect.project-id.missing'));
    if (!host || !this.#project.value) {
      focusRefused(this.#host, this.#project);
      return null;
    }
    return {
      kind,
      host,
      projectId: this.#project.value,
      databaseId: this.#database.value || '(default)',
      apiKey: kind === 'project' ? this.#key.value : '',
      idToken: this.#token.value,
    };
  }

  #showFields() {
    const kind = this.#kind.value;
    this.#place.hidden = kind === 'embedded';
    this.#host.element.hidden = kind === 'project';
    this.#key.element.hidden = kind !== 'project';
  }

  #show() {
    const { state, settings, isKept } = this.#session;
    const isOpen = state === 'connected' || state === 'silent';
    const kind = settings?.kind === 'embedded' && !isKept ? 'unkept' : settings?.kind ?? 'project';
    this.#summary.textContent = text(`connect.summary.${isOpen ? kind : state}`, {
      host: placeOf(settings),
      project: settings?.projectId ?? '',
    });
    this.#toggle.hidden = !isOpen;
    if (!isOpen) this.#unfold(true);
    this.#showNotice();
  }

  #showNotice() {
    const { state, settings, error, couldStart } = this.#session;
    const { kind = 'project' } = settings ?? {};
    if (state === 'failed') this.#notice.fail(error, couldStart ? settings : null);
    else if (state === 'silent') this.#notice.show('warning', text(`connect.silent.${kind}`, { host: settings?.host ?? '' }));
    else if (error) this.#notice.show('warning', text('connect.denied', { path: this.#session.probePath }));
    else this.#notice.clear();
  }

  /** @param {boolean} open */
  #unfold(open) {
    this.#form.hidden = !open;
    this.#toggle.setAttribute('aria-expanded', String(open));
  }
}

/**
 * @param {string} host With or without a scheme.
 * @returns {string} Empty if it is no host.
 */
function toOrigin(host) {
  try {
    const { protocol, hostname, origin } = new URL(/^[a-z]+:\/\//i.test(host) ? host : `http://${host}`);
    // Some browsers make a host of anything, escaped.
    return /^https?:$/.test(protocol) && /^([\w.-]+|\[[\da-f:.]+\])$/i.test(hostname) ? origin : '';
  } catch {
    return '';
  }
}
