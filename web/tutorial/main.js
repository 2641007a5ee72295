// The page: what stands on it, and where it connects to.

import { h } from './dom.js';
import { ConnectPanel } from './elements/connect_panel.js';
import { ConnectionStatus } from './elements/connection_status.js';
import { CounterPanel } from './elements/counter_panel.js';
import { ExperimentsPanel } from './elements/experiments_panel.js';
import { InstrumentsPanel } from './elements/instruments_panel.js';
import { RequestLog } from './elements/request_log.js';
import { SimulatorPanel } from './elements/simulator_panel.js';
import { Session } from './session.js';
import { richText, text } from './text.js';
import { trustOwnFiles } from './trust.js';

trustOwnFiles();
const session = new Session();
const connectPanel = new ConnectPanel(session);

const icon = new URL('./icon.svg', import.meta.url).href;

document.title = text('page.title');
document.body.append(
  h('a', { class: 'skip', href: '#counter' }, text('page.skip')),
  h('header', { class: 'page-header' },
    h('div', { class: 'brand' }, h('img', { src: icon, alt: '', width: 28, height: 28 }), text('page.name')),
    new ConnectionStatus(session).element),
  h('main', { class: 'page' },
    h('div', { class: 'intro' }, h('h1', {}, text('page.heading')), h('p', {}, richText('page.intro'))),
    h('div', { class: 'panels' },
      connectPanel.element, new SimulatorPanel(session).element,
      new CounterPanel(session).element, new InstrumentsPanel(session).element, new ExperimentsPanel().element),
    new RequestLog(session.journal).element),
);

// `scripts/demo --emulator` starts Google's emulator and says where it is.
connectPanel.connect(import.meta.env.VITE_FIRESTORE_EMULATOR);
