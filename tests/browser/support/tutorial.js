/** Operates the playground like its users: by labels and roles, which a screen reader would name. */
import { expect } from '@playwright/test';
import { places } from './places.js';

/** @typedef {import('@playwright/test').Page} Page */

export class Tutorial {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.connection = page.getByRole('region', { name: 'Connection', exact: true });
    this.simulator = page.getByRole('region', { name: 'Embedded Firestore' });
    this.counter = page.getByRole('region', { name: 'Distributed counter' });
    this.instruments = page.getByRole('region', { name: 'Sharded timestamps' });
    this.ids = page.getByRole('region', { name: 'Unique ids' });
    this.experiments = page.getByRole('region', { name: 'Experiments' });
    this.log = page.getByRole('region', { name: 'Requests', exact: true });
    this.header = page.getByRole('banner');

    this.connect = this.connection.getByRole('button', { name: 'Connect', exact: true });
    this.host = this.connection.getByLabel('Host and port');

    this.path = this.counter.getByLabel('Path');
    this.shards = this.counter.getByLabel('Shards', { exact: true });
    this.create = this.counter.getByRole('button', { name: 'Create the counter' });
    this.plusOne = this.counter.getByRole('button', { name: '+1', exact: true });
    this.plusTen = this.counter.getByRole('button', { name: '+10' });
    this.total = this.counter.locator('output');
    this.bars = this.counter.getByRole('region', { name: 'The value of each shard' }).getByRole('table');

    this.shardValues = this.instruments.getByLabel('Shard values');
    this.runQuery = this.instruments.getByRole('button', { name: 'Run the query' });
    this.results = this.instruments.getByRole('table', { name: 'merged from all shards' });
    this.nextPage = this.instruments.getByRole('button', { name: 'Next page' });
    this.previousPage = this.instruments.getByRole('button', { name: 'Previous page' });

    this.requests = this.log.getByRole('table').getByRole('row').filter({ has: page.getByRole('cell') });
  }

  /** Whether the page of results has another one behind it. While one is being fetched, no button says so. */
  async hasNextPage() {
    await expect(this.runQuery).not.toHaveAttribute('aria-disabled');
    return this.nextPage.isEnabled();
  }

  /** Opens the playground; it connects to the worker’s emulator by itself. */
  async open(url = places.tutorial) {
    await this.page.goto(`${url}#/playground`);
    await this.expectConnected();
  }

  /** Opens the playground, which connects to the Firestore inside the page. */
  async openEmbedded(url = places.embeddedTutorial) {
    await this.page.goto(`${url}#/playground`);
    await expect(this.connection.getByText('You are connected to the embedded Firestore')).toBeVisible();
    await expect(this.plusOne).toBeEnabled();
  }

  /** Opens the page, and its form for the address of an emulator. */
  async openForm() {
    await this.openEmbedded();
    await this.connection.getByRole('button', { name: 'Change' }).click();
    await this.connection.getByRole('radio', { name: 'Google’s emulator' }).check();
  }

  async expectConnected() {
    await expect(this.connection.getByText(/^You are connected to /)).toBeVisible();
    await expect(this.plusOne).toBeEnabled();
  }

  /** @param {string} host */
  async connectTo(host) {
    await this.host.fill(host);
    await this.connect.click();
  }

  async createCounter() {
    await this.create.click();
    await expect(this.counter.getByText(/^Shardline created /)).toBeVisible();
  }

  /** From now on each increment is a commit of its own; the other ways gather those that come close together. */
  async useTransactions() {
    await this.counter.getByLabel('If an answer is lost').selectOption({ label: 'Check before writing' });
  }

  /** @param {number | string} amount */
  async add(amount) {
    await this.counter.getByLabel('Amount').fill(String(amount));
    await this.counter.getByRole('button', { name: 'Add' }).click();
  }

  /** @param {string} value As it is shown, `1,284`. */
  async expectTotal(value) {
    await expect(this.total).toHaveText(value);
  }

  async readSum() {
    await this.counter.getByRole('button', { name: /^Read the total/ }).click();
  }

  async readShards() {
    await this.counter.getByRole('button', { name: /^Read every shard/ }).click();
  }

  async insertSamples() {
    await this.instruments.getByRole('button', { name: 'Insert the 3 samples' }).click();
    await expect(this.instruments.getByText(/^3 documents inserted/)).toBeVisible();
  }

  async insertRandom() {
    await this.instruments.getByRole('button', { name: 'Insert 100 random ones' }).click();
    await expect(this.instruments.getByText(/^100 documents inserted/)).toBeVisible();
  }

  /** @param {'Common stock' | 'Exchange 1' | 'In US dollars'} name */
  async query(name) {
    await this.instruments.getByRole('radio', { name: new RegExp(name) }).check();
    await this.runQuery.click();
    await expect(this.runQuery).not.toHaveAttribute('aria-busy');
  }

  /** @param {'One document' | '10 shards' | '50 shards'} name */
  async runExperiment(name) {
    await this.experiments.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
    await this.experiments.getByRole('button', { name: 'Run the load test' }).click();
    await expect(this.experiments.getByRole('status')).toContainText('every one of them was counted');
  }

  /** Unfolds all that can be unfolded below the query. */
  async openDetails() {
    await this.instruments.getByText('For firestore.indexes.json').click();
    await this.instruments.getByText('As JavaScript objects').click();
  }

  /**
   * The rows of the result that is shown.
   * @returns {Promise<{[column: string]: string}[]>}
   */
  async rows() {
    return this.results.evaluate((table) => {
      const columns = [...table.querySelectorAll('th')].map((heading) => heading.textContent ?? '');
      return [...table.querySelectorAll('tbody tr')].map((row) => Object.fromEntries(
        [...row.querySelectorAll('td')].map((cell, index) => [columns[index], cell.textContent ?? ''])));
    });
  }

  /** @param {string} verb Such as `:commit`. */
  requestsOf(verb) {
    return this.requests.filter({ hasText: verb });
  }
}
