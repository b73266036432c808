import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CloudEvent } from '../../cloud-event.ts';
import type { Hop } from '../../hop.ts';
import { type Send, sendWithRetries } from '../../sources/send.ts';

const event: CloudEvent = {
  attributes: { specversion: '1.0', id: '1', type: 't', source: 's' },
  data: Buffer.alloc(0),
};

/** What a sink is asked, what is waited in between, and what is reported in the end. */
async function sent(send: Send, signal = new AbortController().signal) {
  const [waits, ids, hops]: [number[], (string | undefined)[], Hop[]] = [[], [], []];
  await sendWithRetries(event, {
    send: (one) => {
      ids.push(one.attributes['id']);
      return send(one);
    },
    report: (hop) => hops.push(hop),
    source: 's',
    signal,
    sleep: async (ms) => void waits.push(ms),
  });
  return { waits, ids, hop: hops.length === 1 ? hops[0] : assert.fail(`${hops.length} reports`) };
}

describe("a source's retries, as measured on Knative's", () => {
  for (const status of [404, 413, 425, 429, 502, 503, 504]) {
    it(`${status} is tried six times in 3.1 s with one id, and then lost`, async () => {
      const { waits, ids, hop } = await sent(async () => ({ status }));
      assert.deepEqual(waits, [100, 200, 400, 800, 1600]);
      assert.deepEqual(ids, ['1', '1', '1', '1', '1', '1']);
      assert.deepEqual(hop, { kind: 'lost', source: 's', event, why: `the sink answered ${status}` });
    });
  }

  for (const status of [301, 400, 403, 408, 409, 500, 501]) {
    it(`${status} is lost at once`, async () => {
      const { waits, hop } = await sent(async () => ({ status }));
      assert.deepEqual(waits, []);
      assert.equal(hop?.kind, 'lost');
    });
  }

  it('500 of a Broker that has given it to some Triggers loses nothing: the other Triggers report themselves', async () => {
    const { waits, hop } = await sent(async () => ({ status: 500, isTakenBySome: true }));
    assert.deepEqual(waits, []);
    assert.deepEqual(hop, { kind: 'sent', source: 's', event, attempts: 1, status: 500 });
  });

  it('a connection that breaks is tried again, whether it is an answer or a rejection', async () => {
    const broken = await sent(async () => ({ status: 0, why: 'refused' }));
    assert.equal(broken.ids.length, 6);
    assert.deepEqual(broken.hop, { kind: 'lost', source: 's', event, why: 'refused' });
    const rejected = await sent(() => Promise.reject(new Error('reset')));
    assert.equal(rejected.ids.length, 6);
    assert.deepEqual(rejected.hop, { kind: 'lost', source: 's', event, why: 'reset' });
  });

  it('a success on the third try is told with three attempts', async () => {
    const answers = [503, 503, 202];
    const { waits, hop } = await sent(async () => ({ status: answers.shift() ?? 0 }));
    assert.deepEqual(waits, [100, 200]);
    assert.deepEqual(hop, { kind: 'sent', source: 's', event, attempts: 3, status: 202 });
  });

  it('nobody waits for a sink that hangs once the source is stopped', async () => {
    const ending = new AbortController();
    const hangs = sent(() => new Promise(() => undefined), ending.signal);
    ending.abort();
    assert.deepEqual((await hangs).hop, { kind: 'lost', source: 's', event, why: 'the source was stopped' });
    const never = await sent(() => assert.fail('asked after the end'), ending.signal);
    assert.deepEqual(never.hop?.kind, 'lost');
  });

  it('a wait ends with the source', async () => {
    const ending = new AbortController();
    const hops: Hop[] = [];
    let asked = 0;
    const send: Send = async () => {
      asked += 1;
      if (asked === 5) setImmediate(() => ending.abort());
      return { status: 503 };
    };
    const began = performance.now();
    await sendWithRetries(event, { send, report: (hop) => hops.push(hop), source: 's', signal: abortSoon(ending) });
    assert.ok(performance.now() - began < 1000, 'it waited 3.1 s');
    assert.deepEqual(
      hops.map(({ kind }) => kind),
      ['lost'],
    );
  });
});

/** After the first wait has begun. */
function abortSoon(ending: AbortController): AbortSignal {
  setTimeout(() => ending.abort(), 20);
  return ending.signal;
}
