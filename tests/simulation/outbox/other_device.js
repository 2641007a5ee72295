// Another device whose batches go into the same ledger, as its user has chosen the client id. What it adds to the shards is left out:
// totals stay this browser's.

/** How many a ledger lists: see src/delivery/ledger.h. */
const LEDGER_BATCHES = 20;

/**
 * @param {any} engine The embedded Firestore.
 * @param {number} now
 * @param {string} ledger Its path.
 * @param {string[]} ids The batches', of 20 letters and digits.
 */
export function sendFromOtherDevice(engine, now, ledger, ids) {
  const handle = (/** @type {string} */ method, /** @type {string} */ path, /** @type {object | undefined} */ body = undefined) => {
    const request = { method, target: `/v1/projects/demo/databases/(default)/documents${path}`, body: body && new TextEncoder().encode(JSON.stringify(body)) };
    const answer = engine.handle(request, now);
    return { status: answer.status, said: JSON.parse(new TextDecoder().decode(answer.body)) };
  };
  const { fields = {} } = handle('GET', `/${ledger}`).said;
  const batches = [...fields.batches?.arrayValue.values ?? [], ...ids.map((stringValue) => ({ stringValue }))].slice(-LEDGER_BATCHES);
  const seq = { integerValue: `${Number(fields.seq?.integerValue ?? 0) + ids.length}` };
  const update = { name: `projects/demo/databases/(default)/documents/${ledger}`, fields: { ...fields, seq, batches: { arrayValue: { values: batches } } } };
  const { status, said } = handle('POST', ':commit', { writes: [{ update }] });
  if (status !== 200) throw new Error(`Another device may not write its ledger: ${JSON.stringify(said)}`);
}
