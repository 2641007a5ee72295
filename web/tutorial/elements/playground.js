import { h } from '../dom.js';
import { Session } from '../session.js';
import { richText, text } from '../text.js';
import { nextFrame } from '../turns.js';
import { ConnectPanel } from './connect_panel.js';
import { ConnectionStatus } from './connection_status.js';
import { CounterPanel } from './counter_panel.js';
import { ExperimentsPanel } from './experiments_panel.js';
import { IdsPanel } from './ids_panel.js';
import { InstrumentsPanel } from './instruments_panel.js';
import { RequestLog } from './request_log.js';
import { SimulatorPanel } from './simulator_panel.js';

/** All settings at once, for readers who know their effects. */
export class Playground {
  #session = new Session();
  #isClosed = false;
  /** The panels that work by themselves. */
  #panels;
  /** The part that the page's header shows. */
  status = new ConnectionStatus(this.#session).element;
  element;

  constructor() {
    const session = this.#session;
    const connectPanel = new ConnectPanel(session);
    const simulator = new SimulatorPanel(session);
    const experiments = new ExperimentsPanel();
    this.#panels = [simulator, experiments];
    this.element = h('div', { class: 'page' },
      h('div', { class: 'intro' }, h('h1', { tabindex: -1 }, text('playground.title')), h('p', {}, richText('playground.intro'))),
      h('div', { class: 'panels' },
        connectPanel.element, simulator.element,
        new CounterPanel(session).element, new InstrumentsPanel(session).element,
        new IdsPanel(session).element, experiments.element),
      new RequestLog(session.journal).element);
    this.#connect(connectPanel);
  }

  /** @param {ConnectPanel} connectPanel */
  async #connect(connectPanel) {
    await nextFrame();
    // `scripts/demo --emulator` starts Google's emulator and says where it is.
    if (!this.#isClosed) connectPanel.connect(import.meta.env.VITE_FIRESTORE_EMULATOR);
  }

  close() {
    this.#isClosed = true;
    for (const each of this.#panels) each.close();
    this.#session.close();
  }
}
