// Mutation testing: faults that lives of pages must find, or scenes if lives hardly ever reach them. Each is one wrong decision of the library. Node
// replaces one expression of one file while it loads that file. The shipped files stay untouched. An expression that is not in its file exactly once
// is an error: plant the fault where the library makes the decision by now.

import { readFileSync } from 'node:fs';
import { register } from 'node:module';

/**
 * @typedef {object} PlantedFault
 * @property {string} name
 * @property {string} what
 * @property {string} file In web/library.
 * @property {string} expression
 * @property {string} replacement
 * @property {boolean} [isHarsh] Whether the search is in the harsh world, of which the ordinary run has less.
 * @property {string} [scene] The scenes that find it, where lives hardly come to it.
 * @property {number} [seed] The life of a page that watches, in listen/world.test.js, which finds it.
 * @property {number} [first] The seed to begin with, if the fault takes something rare: the seeds before it live well with the fault.
 */

/** @type {PlantedFault[]} */
export const PLANTED_FAULTS = [
  // One id, one commit.
  {
    name: 'new-id-when-sent-again', what: 'a row gets a new id whenever it is sent again',
    file: 'outbox/sender.js', expression: 'id: stored.marker ?? stored.id,', replacement: 'id: sentBefore ? drawId() : stored.marker ?? stored.id,',
  },
  {
    name: 'row-added-to-after-sent', what: 'a row stays open when it was sent',
    file: 'outbox/rows.js', expression: "open: { add: 'open', close: 'ready', send: 'sent',", replacement: "open: { add: 'open', close: 'ready', send: 'open', wait: 'waiting',",
  },
  {
    name: 'row-grows-for-long', what: 'a row that waits for the network grows, though somebody may have a copy of it',
    file: 'outbox/lane.js', expression: 'if (isYoung && row.add(press, amount)) return row;', replacement: 'if (row.add(press, amount)) return row;', first: 8096,
  },
  {
    name: 'row-sent-before-stored', what: 'a row is sent with more than is stored of it',
    file: 'outbox/lane.js', expression: "return row.saved === '' || row.saved === 'saved' ||", replacement: 'return true ||', scene: 'rows.test.js',
  },
  {
    name: 'row-deleted-before-answer', what: 'a row that is under way is not in the storage',
    file: 'storage/shelf.js', expression: 'return row.isOver ? undefined', replacement: "return row.isOver || row.state === 'sent' ? undefined",
  },
  {
    name: 'age-not-told', what: 'the core is not told how old a row is',
    file: 'outbox/sender.js', expression: 'ageMs: ageOf(stored),\n      sentBefore,', replacement: 'ageMs: 0, sentBefore,',
  },
  {
    name: 'doubt-forgotten', what: 'a row whose answer was lost counts as not sent',
    file: 'outbox/sender.js', expression: 'const onWrite = () => {\n    row.sentAt = Math.min(row.sentAt, performance.now());', replacement: 'const onWrite = () => {',
  },
  {
    name: 'doubt-is-refusal', what: 'a page calls refused what may have been counted',
    file: 'outbox/sender.js', expression: "return outcome.outcome === 'unknown' ? withdraw(host, row, outcome) : outcome;", replacement: "return outcome.outcome === 'unknown' ? { ...outcome, outcome: 'refused' } : outcome;", scene: 'users.test.js',
  },
  {
    name: 'withdrawn-is-counted', what: 'a page takes a withdrawn row for a counted one',
    file: 'outbox/sender.js', expression: 'return applied ?', replacement: 'return applied !== undefined ?',
  },
  {
    name: 'refusal-is-success', what: 'a page says of a refused increment that it was counted',
    file: 'press.js', expression: 'this.#failure ??= error;', replacement: '',
  },

  // Two pages, one row.
  {
    name: 'doubt-untold', what: 'nobody is told of an increment that another tab may have sent without it, once its caller has left',
    file: 'outbox/others.js', expression: 'if (nobodys.length > 0) this.#outbox.warnings', replacement: 'if (nobodys.length < 0) this.#outbox.warnings', scene: 'rows.test.js',
  },
  {
    name: 'older-row-shown', what: 'a row from the storage replaces a newer one that another tab has told of',
    file: 'outbox/others.js', expression: 'if (!this.#told.has(row.id)) this.#meet', replacement: 'this.#meet', first: 770_002_115,
  },
  {
    name: 'nobody-takes-over', what: 'rows of pages that are gone stay where they are',
    file: 'outbox/others.js', expression: 'gone.has(row.page) ? this.#takeOver(row)', replacement: 'gone.size < 0 ? this.#takeOver(row)',
  },
  {
    name: 'silence-is-life', what: 'a page that holds its lock and does not answer counts as alive',
    file: 'outbox/tabs.js', expression: 'return now - /** @type {number} */ (this.#asked.get(page)) >= GONE_MS;', replacement: 'return false;', first: 115,
  },
  {
    name: 'looks-once', what: 'a page looks once after the rows of other pages',
    file: 'outbox/others.js', expression: 'timers.set(\'look\', this, ms, () => this.look(), foreign.some(({ waiters }) => waiters.length > 0));', replacement: '',
  },
  {
    name: 'gone-unheard', what: 'a page does not hear that another one has gone',
    file: 'outbox/outbox.js', expression: 'onGone: () => this.others.look(),', replacement: 'onGone: () => {},', scene: 'faults.test.js',
  },
  {
    name: 'lock-kept-in-cache', what: 'a page goes into the browser’s cache with its lock',
    file: 'outbox/tabs.js', expression: '    this.#letGo();\n', replacement: '\n',
  },
  {
    name: 'news-not-told', what: 'a page does not tell other pages what has become of a row',
    file: 'outbox/outbox.js', expression: 'this.#tabs.tellSettled({', replacement: 'this.#tabs.note({', scene: 'rows.test.js',
  },
  {
    name: 'news-not-heard', what: 'a page does not hear what has become of a row that another page has sent',
    file: 'outbox/tabs.js', expression: 'this.#host.onSettled(each);', replacement: '', scene: 'rows.test.js',
  },
  {
    name: 'nothing-given-back', what: 'what a page has added to a row that another page has sent counts as sent with it',
    file: 'outbox/rows.js', expression: 'const back = this.waiters.filter((waiter) => isMeant(waiter));', replacement: 'const back = /** @type {Waiter[]} */ ([]);', scene: 'rows.test.js',
  },
  {
    name: 'late-part-is-sure', what: 'what a page adds to a row while it is being stored counts as stored',
    file: 'storage/shelf.js', expression: 'waiters = [...row.waiters];', replacement: 'waiters = row.waiters;', scene: 'rows.test.js',
  },
  {
    name: 'taken-row-written-over', what: 'a page that was held up writes over a row that another page has taken',
    file: 'storage/shelf.js', expression: 'taken = stored && !this.#host.tabs.names.has(stored.page) ? stored : undefined;', replacement: 'taken = undefined;', scene: 'rows.test.js',
  },
  {
    name: 'settled-row-stored-again', what: 'a page that was held up stores a row that another page has settled',
    file: 'storage/shelf.js', expression: 'isGone = !stored && row.wasStored;', replacement: 'isGone = false;', scene: 'rows.test.js',
  },
  {
    name: 'refused-for-another-page', what: 'a page calls refused what another page may have sent meanwhile',
    file: 'storage/shelf.js', expression: 'isSure = stored ? this.#host.tabs.names.has(stored.page) : !row.wasStored;', replacement: 'isSure = true;', scene: 'rows.test.js',
  },
  {
    name: 'missed-row-stays', what: 'a page shows a row of another page for ever that has left the storage',
    file: 'outbox/others.js', expression: 'if (now - since >= SOON_MS) this.#miss(row);', replacement: 'if (now < since) this.#miss(row);',
  },
  {
    name: 'missed-row-not-asked-after', what: 'whoever waits for a row that another page has lost waits for ever',
    file: 'outbox/others.js', expression: "if (row.to('take') || row.isMine) this.#adopt(row);", replacement: '', scene: 'rows.test.js',
  },

  // The storage.
  {
    name: 'settled-row-stays', what: 'settled rows stay in the storage',
    file: 'outbox/outbox.js', expression: "if (!isNews || row.sentAt === -Infinity) this.shelf.remove(row.id, !isNews && row.saved === 'saved');", replacement: '',
  },
  {
    name: 'grown-row-not-stored', what: 'a row that has grown while it was stored is not stored again',
    file: 'storage/shelf.js', expression: "row.saved = 'stale';", replacement: '', scene: 'rows.test.js',
  },
  {
    name: 'memory-not-stored', what: 'what a page has in memory is not stored when the storage works again',
    file: 'storage/storage.js', expression: 'this.#downUntil = performance.now() + this.#pauseMs;', replacement: 'this.#downUntil = Infinity;',
  },
  {
    name: 'storage-waited-for', what: 'a page waits without end for a storage that does not answer',
    file: 'storage/storage.js', expression: 'const left = mine.since + LONGEST_WAIT_MS - now;', replacement: 'const left = LONGEST_WAIT_MS;',
  },
  {
    name: 'failed-row-stays-open', what: 'a row grows of which nobody knows whether it was stored',
    file: 'outbox/others.js', expression: "row.to('close');\n    const back = row.isMine ?", replacement: 'const back = row.isMine ?', scene: 'storage.test.js',
  },
  {
    name: 'late-part-stored-with-it', what: 'a part that a row got while the storage was writing it stays in it when the storage fails',
    file: 'outbox/others.js', expression: 'row.isMine ? row.giveBack(({ isSent }) => !isSent) : []', replacement: 'row.giveBack(() => false)', scene: 'rows.test.js',
  },
  {
    name: 'storage-not-doubted', what: 'a page that cannot know which part of a row another page has sent counts the rest again',
    file: 'storage/shelf.js', expression: "for (const waiter of waiters) waiter.isSent ||= 'perhaps';", replacement: '', scene: 'rows.test.js',
  },
  {
    name: 'refusal-in-doubt-is-stored', what: 'a row that the storage may have removed counts as stored',
    file: 'storage/shelf.js', expression: 'if (!isSure) this.#fail(row, cause);', replacement: 'void cause;', scene: 'storage.test.js',
  },
  {
    name: 'row-of-another-page-not-stored', what: 'a row that another page has taken from the storage counts as not stored',
    file: 'outbox/others.js', expression: "row.saved = 'saved';\n    row.sentAt", replacement: 'row.sentAt', scene: 'faults.test.js',
  },

  // Users.
  {
    name: 'row-of-nobody', what: 'rows are stored as nobody’s',
    file: 'outbox/lane.js', expression: 'this.#host.make(this.place, this.user,', replacement: 'this.#host.make(this.place, null,',
  },
  {
    name: 'token-of-another-user', what: 'a row is sent under whatever token there is',
    file: 'users.js', expression: 'if (!this.#name) return userOfToken(token) === user;', replacement: 'if (!this.#name) return true;',
  },
  {
    name: 'token-of-the-user-before', what: 'with the option `user`, nobody asks for whom a token was made',
    file: 'users.js', expression: 'return !this.#authToken || (made?.user === user && String(made.token).trim() === String(token));', replacement: 'return made !== null;', scene: 'users.test.js',
  },
  {
    name: 'nobody-waits', what: 'what was asked for while nobody was signed in is not sent while somebody is',
    file: 'users.js', expression: 'return user === null && isSomebodyThere ? null : undefined;', replacement: 'return undefined;',
  },
  {
    name: 'user-asked-once', what: 'a page that cannot know who is signed in never asks again',
    file: 'user_watch.js', expression: "timers.set('user', this, this.#dueAt - now, () => this.ask(), this.#presses.size > 0);", replacement: '',
  },
  {
    name: 'lane-not-found-again', what: 'a page begins another lane for a user whose lane it has',
    file: 'outbox/outbox.js', expression: 'place.lanes.get(user) ?? new Lane(', replacement: 'new Lane(',
  },

  // Presses, and the answers to their callers.
  {
    name: 'settled-by-the-first-part', what: 'an increment that takes several commits is told as counted after the first',
    file: 'outbox/lane.js', expression: 'press.enter(parts.length);', replacement: 'press.enter(1);',
  },
  {
    name: 'cancelled-when-stored', what: 'an increment that is cancelled while it is stored is said not to be counted',
    file: 'press.js', expression: 'if (this.isEntered) this.fail(goesOn(cause));', replacement: 'if (this.isLeft) this.fail(goesOn(cause));',
  },
  {
    name: 'cancelled-is-pending', what: 'an increment that was cancelled stays pending',
    file: 'press.js', expression: 'this.place.finish(this, { isCounted: false });', replacement: '',
  },
  {
    name: 'close-forgets', what: 'nobody tells whoever waits that the database was closed',
    file: 'endings.js', expression: 'for (const { press } of row.waiters) press.close(error);', replacement: '',
  },
  {
    name: 'refusal-not-told', what: 'a refusal that nobody waits for is told to nobody',
    file: 'outbox/outbox.js', expression: 'if (error && nobodys)', replacement: 'if (error && !nobodys)',
  },
  {
    name: 'refusal-told-twice', what: 'a refusal that was told in another page is told here as well',
    file: 'outbox/outbox.js', expression: 'if (!isNews) {', replacement: 'if (outcome) {',
  },
  {
    name: 'refusal-told-in-part', what: 'of increments that went together, nobody is told of those for which nobody waits',
    file: 'endings.js', expression: "if (!delta || each(delta)", replacement: "if (delta || each(delta)",
  },
  {
    name: 'field-of-later-call-lost', what: 'of increments that go together, the amounts of a field are not added up',
    file: 'amounts.js', expression: 'const whole = before ? joinedAmount(before, amount, most) : amount;', replacement: 'const whole = before ?? amount;',
  },
  {
    name: 'first-part-of-fields-sent-again', what: 'an increment of several fields above `maxDelta` is cut into parts that are all as the first one',
    file: 'amounts.js', expression: '([field, parts[i]])', replacement: '([field, parts[0]])',
  },

  // When it is sent, and how.
  {
    name: 'first-press-waits', what: 'a first press gathers for as long as those that follow',
    file: 'outbox/lane.js', expression: '#sentAt = -Infinity;', replacement: '#sentAt = performance.now();',
  },
  {
    name: 'pauses-of-one-length', what: 'the pauses between attempts that fail do not grow',
    file: 'back_off.js', expression: 'this.#pauseMs * 2', replacement: 'this.#pauseMs',
  },
  {
    name: 'turn-taken-in-vain', what: 'rows that wait for their turn are sent though the server has just been out of reach',
    file: 'outbox/lane.js', expression: ' || (this.backOff.isPaused && !keepalive)', replacement: '', scene: 'rows.test.js',
  },
  {
    name: 'turn-not-given-back', what: 'a row that was sent goes on taking the place of another',
    file: 'waits.js', expression: 'else running -= 1;', replacement: '',
  },
  {
    name: 'keepalive-always', what: 'all requests outlive their page',
    file: 'outbox/lane.js', expression: 'else void this.#send(row, false);', replacement: 'else void this.#send(row, true);',
  },
  {
    name: 'keepalive-inherited', what: 'retries of a page that went away outlive the page as well',
    file: 'driver.js', expression: 'this.#keepalive = false;', replacement: '',
  },
  {
    name: 'crash-for-good', what: 'a module that has crashed is not started again',
    file: 'load.js', expression: 'this.#module = undefined;', replacement: '',
  },

  // Likes.
  {
    name: 'first-wish-sent', what: 'of several wishes for one key the first is sent',
    file: 'outbox/lane.js', expression: 'if (press.order > row.order) Object.assign(row.stored, { wanted, made: press.order });', replacement: '',
  },
  {
    name: 'wish-changed-when-sent', what: 'a wish that is under way is changed, and settled as if it had been sent so',
    file: 'outbox/lane.js', expression: "row.stored.member !== member || !row.to('add')", replacement: 'row.stored.member !== member || row.isOver',
  },
  {
    name: 'wish-does-not-wait', what: 'a wish overtakes an earlier one for the same key',
    file: 'outbox/lane.js', expression: 'this.place.members.firstWish(member, this.user) !== row', replacement: 'false', first: 470,
  },
  {
    name: 'wish-repeated', what: 'a call goes on that makes a wish come true again',
    file: 'outbox/outbox.js', expression: 'row.calls?.abort();', replacement: '', scene: 'rows.test.js',
  },
  {
    name: 'another-choice-sent', what: 'the first choice is sent in place of the one wanted',
    file: 'outbox/sender.js', expression: 'choice: choices && (stored.wanted || undefined) };', replacement: 'choice: choices && (stored.wanted ? choices[0] : undefined) };',
  },
  {
    name: 'waiting-choice-forgotten', what: 'of a choice that waits it is known only that there is one',
    file: 'members.js', expression: 'const wishes = keys.map((key) => this.wanted(key));', replacement: 'const wishes = keys.map((key) => this.wanted(key) && true);',
  },
  {
    name: 'wishes-by-the-clock', what: 'wishes are sorted by the clocks of their pages',
    file: 'members.js', expression: 'return Math.max(Date.now(), ...this.#wishes(key).map(({ order = 0 }) => order + 1));', replacement: 'return Date.now();',
  },
  {
    name: 'wish-not-reckoned-with', what: 'has() tells what is, though a wish waits',
    file: 'members.js', expression: 'return this.#wishes(key).at(-1)?.wish?.wanted;', replacement: 'return undefined;',
  },

  // Totals.
  {
    name: 'settled-shown-again', what: 'a watch adds what was counted to a total that has it',
    file: 'seen_total.js', expression: 'if (end?.at) return end.at > readTime;', replacement: 'if (end?.at) return true;',
  },
  {
    name: 'settled-shown-no-more', what: 'a watch leaves out what was counted after its total was read',
    file: 'outbox/place.js', expression: 'if (this.#counted.push({ id, value, sentAt, wish, end: part.end }) > MOST_ENDED) this.#counted.shift();', replacement: '',
  },
  {
    name: 'watch-guesses', what: 'a watch shows a total at once of which nobody knows what it has',
    file: 'seen_total.js', expression: 'if (isClear) this.#adopt(reading, made);', replacement: 'if (made) this.#adopt(reading, made);',
  },
  {
    name: 'watch-goes-back', what: 'a watch whose total cannot be known for long goes back from what it has shown',
    file: 'seen_total.js', expression: 'this.#missing = subtract(shown, /** @type {Total} */ (this.value));', replacement: 'void shown;', scene: 'totals.test.js',
  },
  {
    name: 'watch-takes-out-twice', what: 'a part that is refused is taken out of a total that never had it',
    file: 'seen_total.js', expression: 'if (!this.#doubtful.delete(part)) return;', replacement: 'this.#doubtful.delete(part); if (!this.reading) return;', scene: 'doubt.test.js',
  },
  {
    name: 'watch-has-twice', what: 'a part that comes back after it was given up as counted is in the total twice',
    file: 'seen_total.js', expression: '=== undefined) this.#doubtful.add(part);', replacement: '=== undefined) return;', scene: 'doubt.test.js',
  },
  {
    name: 'watch-leaves-out', what: 'a watch whose total cannot be known for long leaves out what is under way',
    file: 'seen_total.js', expression: 'this.#missing = add(this.#missing, value);', replacement: 'void value;', scene: 'totals.test.js',
  },

  // Listening.
  {
    name: 'moment-of-one-target', what: 'a state is shown before all targets have it',
    file: 'listen/targets.js', expression: 'targets.every(({ isCurrent }) => isCurrent)', replacement: 'targets.some(({ isCurrent }) => isCurrent)', scene: '../listen/world.test.js', seed: 10,
  },
  {
    name: 'token-too-early', what: 'a resume token is taken before the moment is whole',
    file: 'listen/targets.js', expression: 'if (target.isFree) bill(target, 1);', replacement: 'if (target.isFree) bill(target, 1); target.token = resumeToken;', scene: '../listen/world.test.js', seed: 1,
  },
  {
    name: 'token-of-others', what: 'a target that is not whole takes the token of the others',
    file: 'listen/targets.js', expression: 'if (!target.isCurrent) continue;', replacement: '', scene: '../listen/targets.test.js',
  },
  {
    name: 'filter-ignored', what: 'an existence filter that does not match changes nothing',
    file: 'listen/targets.js', expression: 'if (!target || target.documents.size === count) return;', replacement: 'if (target || targetId) return;', scene: '../listen/world.test.js', seed: 4,
  },
  {
    name: 'removed-believed-alive', what: 'a target that the server has removed is believed alive',
    file: 'listen/targets.js', expression: "if (targetChangeType === 'REMOVE') this.#onRemoved(target, cause);", replacement: "if (targetChangeType === 'REMOVE') continue;", scene: '../listen/world.test.js', seed: 3,
  },
  {
    name: 'half-a-moment-kept', what: 'what came after the last whole moment is kept when the stream breaks',
    file: 'listen/targets.js', expression: 'target.documents = target.whole ?? target.documents;', replacement: '', scene: '../listen/targets.test.js',
  },
  {
    name: 'moment-costs-one', what: 'a live total charges its budget one read for all shards that a stream sends',
    file: 'listen/live_count.js', expression: 'this.#spend(moment.reads);', replacement: 'this.#spend(moment.reads && 1);', scene: '../listen/world.test.js', seed: 7,
  },
  {
    name: 'target-ends-the-moment', what: 'the embedded Firestore ends a moment for a new target, though another target lacks a change',
    file: 'simulator/streams/listen_stream.js', expression: '    this.refresh();\n  }\n', replacement: '    this.#client.send({ targetChange: momentOf(state) });\n  }\n', scene: '../listen/world.test.js', seed: 2,
  },
  {
    name: 'array-taken-twice', what: 'an array of the stream that comes again is taken again',
    file: 'listen/channel.js', expression: 'if (number <= this.#last) continue;', replacement: '', scene: '../listen/channel.test.js',
  },
];

/**
 * Plants a fault in the files that are imported from now on.
 * @param {string} name
 */
export function plant(name) {
  const fault = PLANTED_FAULTS.find((each) => each.name === name);
  if (!fault) throw new Error(`There is no planted fault ${name}.`);
  const url = new URL(`../../../web/library/${fault.file}`, import.meta.url);
  const pieces = readFileSync(url, 'utf8').split(fault.expression);
  if (pieces.length !== 2) throw new Error(`${fault.file} has “${fault.expression}” ${pieces.length - 1} times, not once: plant ${name} where the decision is made by now.`);
  register('./planting_loader.js', { parentURL: import.meta.url, data: { url: url.href, source: pieces.join(fault.replacement) } });
}
