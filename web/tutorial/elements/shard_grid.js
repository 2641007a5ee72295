import { h, svg } from '../dom.js';
import { formatNumber, text } from '../text.js';

/** A square's side, and the room that it has. */
const SIDE = 9;
const PITCH = 12;
/** Few shards are drawn larger than many. */
const COLUMNS = [20, 50];
const FEW = 100;

/** A square for each shard: it shows at a glance how many a load needs. */
export class ShardGrid {
  element;
  #shards;
  #writesPerShard;

  /**
   * @param {number} shards
   * @param {number} writesPerSecond Of all of them.
   */
  constructor(shards, writesPerSecond) {
    this.#shards = shards;
    this.#writesPerShard = writesPerSecond / shards;
    const columns = COLUMNS[shards <= FEW ? 0 : 1] ?? shards;
    const rows = Math.ceil(shards / columns);
    const squares = Array.from({ length: shards }, (_, index) => {
      const [x, y] = [(index % columns) * PITCH, Math.floor(index / columns) * PITCH];
      return `M${x} ${y}h${SIDE}v${SIDE}h-${SIDE}z`;
    });
    this.element = svg('svg', { class: 'shard-grid', viewBox: `0 0 ${columns * PITCH} ${rows * PITCH}` },
      svg('path', { d: squares.join('') }));
  }

  show() {}

  summary() {
    return text('shard-grid.summary', { shards: this.#shards, writes: this.#writesPerShard });
  }

  table() {
    return h('table', {}, h('tbody', {}, ...[
      [text('shard-grid.shards'), this.#shards], [text('shard-grid.writes'), this.#writesPerShard],
    ].map(([label, value]) => h('tr', {}, h('th', { scope: 'row' }, String(label)), h('td', {}, formatNumber(Number(value)))))));
  }
}
