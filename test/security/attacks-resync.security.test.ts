import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { recorded } from '../build/event.ts';
import { message } from '../build/objects.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { type Broker, startBroker } from '../kube/broker.ts';
import { postRaw } from '../kube/post.ts';
import { until } from '../kube/until.ts';

let arena: Arena;
let broker: Broker;
let url: string;

before(async () => {
  broker = await startBroker();
  arena = await openArena({ withSource: false, stems: ['resync-due'], env: { K_SINK: broker.url } });
  url = arena.functions.of('resync-due').url;
  const namespace = await arena.namespace('rounds');
  for (let at = 0; at < 3; at += 1) await arena.put(message(`m${String(at)}`, 'x', { namespace }));
});
after(async () => {
  await arena.close();
  broker.close();
});

const { headers, body } = recorded('resync-due/pingsource-through-broker');

interface Answer {
  readonly status: number;
  readonly outcome: string;
}

async function answerTo(event: Parameters<typeof postRaw>[1]): Promise<Answer> {
  const answer = await postRaw(url, event);
  await answer.arrayBuffer();
  return { status: answer.status, outcome: answer.headers.get('knudge-outcome') ?? '' };
}

const tick = (id: string): Promise<Answer> => answerTo({ headers: { ...headers, 'ce-id': id }, body });

const lease = async (): Promise<unknown> =>
  (await arena.api('GET', `/apis/coordination.k8s.io/v1/namespaces/${arena.home}/leases/knudge-resync`)).body;

/** What the alert of a resync that does not come looks at. */
async function secondsSinceResync(): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^knudge_seconds_since_resync\{\} (\d+)$/m.exec(text)?.[1] ?? assert.fail(text));
}

/** That of finding 7: a time of the future, which the Lease and so the alert then had. */
const forged = {
  round: 'zz',
  began: '2099-01-01T00:00:00Z',
  step: 1,
  kind: 'DistributedService',
  token: '',
  after: '',
  restarts: 0,
};

test('7: a forged round from the future writes nothing: the Lease stays as it is, and the alert sees what it saw', async () => {
  // Whatever other tests have begun is over.
  await until(
    'a round is whole',
    async () => {
      const { outcome } = await tick(`real-${String(Date.now())}`);
      return outcome.startsWith('done') || outcome;
    },
    60,
  );
  const before = await lease();
  await until('some time passes', async () => (await secondsSinceResync()) >= 2);
  broker.taken.splice(0);
  for (const data of [forged, { ...forged, key: 'guessed' }, { ...forged, step: 0 }]) {
    const event = {
      headers: { ...headers, 'ce-type': 'dev.knudge.resync.due', 'ce-time': forged.began },
      body: Buffer.from(JSON.stringify(data)),
    };
    const { 'content-length': _, ...rest } = event.headers as Record<string, string>;
    assert.deepEqual(await answerTo({ headers: rest, body: event.body }), {
      status: 204,
      outcome: 'ignored; reads=1; writes=0',
    });
  }
  assert.deepEqual(await lease(), before);
  assert.ok((await secondsSinceResync()) >= 2, 'nobody has asked after all parents meanwhile');
  assert.deepEqual(broker.taken, []);
});

test('7: thirty ticks at once are one round, in which each object is asked after once', async () => {
  broker.taken.splice(0);
  const held = Promise.withResolvers<void>();
  broker.onEvent = () => held.promise;
  let ignored = 0;
  const answers = Array.from({ length: 30 }, async (_, at) => {
    const answer = await tick(`forged-${String(at)}`);
    if (answer.outcome.startsWith('ignored')) ignored += 1;
    return answer;
  });
  await until('29 are told that a round is under way', async () => ignored === 29 || ignored);
  held.resolve();
  const done = (await Promise.all(answers)).filter(({ outcome }) => !outcome.startsWith('ignored'));
  assert.deepEqual(
    done.map(({ outcome }) => outcome.split(';')[0]),
    ['done'],
  );
  const keys = broker.taken.map(
    ({ extensions }) => `${extensions.get('kind')} ${extensions.get('namespace')}/${extensions.get('name')}`,
  );
  assert.ok(keys.length >= 3, keys.join());
  assert.equal(new Set(keys).size, keys.length, 'each once');
});
