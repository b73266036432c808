import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Delivery } from '../../packages/controller/domain/delivery.ts';
import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { causesOf, isEnd, versionOf } from '../../packages/event-log/api/causes.ts';
import { type Became, eventsOf, lineageOf } from '../../packages/event-log/api/lineage.ts';
import { readSqlite } from '../../packages/event-log/store/sqlite.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { install } from '../kube/install.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { auditMark, isOfKnudge, writesSince } from '../kube/writes.ts';
import { startProcess } from './running-mesh.ts';

const namespace = 'chain';
const oldest = { order: 'oldest-first', limit: 1000 } as const;

interface Owned {
  readonly metadata?: {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly managedFields?: readonly { readonly manager?: string; readonly time?: string }[];
  };
  readonly status?: { readonly phase?: string };
}

/** Absent where somebody only asks after an object. */
const dataOf = ({ data }: RecordedEvent): Owned | undefined => data as Owned | undefined;

/** The places of all events below a delivery. */
const below = (became: readonly Became[]): readonly number[] =>
  became.flatMap(({ made }) =>
    made.flatMap(({ events }) => events.flatMap((one) => [one.seq, ...below(one.deliveries)])),
  );

/** Each object that was written, once for each version and each end of it: `messages chain/hello`. */
function namedIn(deliveries: readonly Delivery[]): readonly string[] {
  const all = deliveries.flatMap(({ written }) =>
    written.map((one) => [`${one.uid} ${one.resourceVersion}`, one] as const),
  );
  return [...new Map(all).values()].map(({ kind, namespace, name }) => `${kind.toLowerCase()}s ${namespace}/${name}`);
}

test('from a kubectl apply to the last status: no write without its cause, no event of ours without its parent', async (context) => {
  await install(apiFrom(testKubeconfig()));
  const mark = auditMark();
  const mesh = await startProcess('--idle', '30', '--kubeconfig', testKubeconfig());
  context.after(mesh.remove);
  const log = readSqlite(join(mesh.dir, 'events.db'));
  context.after(() => log.close());
  // Else it may ask after an object that is just being made, and come before the event that would lead on.
  const isAskedAfter = async () => (await log.deliveries({}, oldest)).some((one) => one.function === 'resync-due');
  await until('the first resync is over', isAskedAfter, 60);
  await kubectl('create', 'namespace', namespace);
  for (const file of ['server-profile', 'http-auto', 'message-hello'])
    await kubectl('apply', '--namespace', namespace, '--filename', `examples/${file}.yaml`);
  const inNamespace = { namespace };
  const lastStatus = async () =>
    (await log.events({ ...inNamespace, kind: 'Message', changed: 'status' }, oldest)).length > 0;
  await until('the status of the Message is in the log', lastStatus);
  const isWritten = async () =>
    (await log.deliveries({}, oldest)).some(({ written }) => written.some(({ kind }) => kind === 'Deployment'));
  await until('the tunnel is written', isWritten);
  const rest = async () => {
    let [before, now] = [-1, 0];
    const isAtRest = async () => {
      [before, now] = [now, (await log.events(inNamespace, oldest)).length + (await log.deliveries({}, oldest)).length];
      await new Promise((resolve) => setTimeout(resolve, 3000));
      return before === now;
    };
    await until('nothing comes any more', isAtRest, 90);
  };
  await rest();
  await kubectl('delete', '--namespace', namespace, 'distributedservice', 'shop');
  await rest();

  const events = await log.events(inNamespace, oldest);
  const deliveries = await log.deliveries({}, oldest);
  const ofParents = deliveries.filter(({ function: name }) => name !== 'resync-due');
  await context.test('no write without its cause: each that the API server knows of, and no other, is named', () => {
    const audited = writesSince(mark, isOfKnudge).filter(({ resource }) => resource !== 'events');
    const made = audited.filter(({ code }) => code < 300);
    assert.deepEqual(
      namedIn(deliveries).toSorted(),
      made.map((one) => `${one.resource} ${one.namespace}/${one.name}`).toSorted(),
    );
    const tried = audited.length - made.length;
    const inVain = ofParents.reduce((sum, one) => sum + (one.inVain ?? 0), 0);
    // Each event that shares a run counts what the run tried in vain.
    assert.ok(tried === 0 ? inVain === 0 : inVain >= tried, `${inVain} in vain of ${tried}`);
    for (const { function: name, written, writes, unlisted, event } of ofParents) {
      assert.deepEqual([written.length, unlisted], [writes, undefined], `${name} names all ${writes}`);
      if (writes > 0) assert.notEqual(event.seq, undefined, `${name} wrote for ${event.id}`);
    }
    assert.ok(
      deliveries.some(({ coldMs = 0 }) => coldMs > 0),
      'a function was cold',
    );
  });
  await context.test('each write of a kind that is watched is shown by an event', async () => {
    const kinds = new Set(events.filter((event) => versionOf(event) !== undefined).map(({ kind }) => kind));
    const written = ofParents.flatMap((one) => one.written).filter(({ kind }) => kinds.has(kind));
    assert.ok(written.length > 9 && kinds.size > 4, `${written.length} writes of ${[...kinds].join(', ')}`);
    for (const write of written) {
      const { kind, name, uid, resourceVersion: version } = write;
      const shown = (await eventsOf(log, write)).filter(
        (event) => isEnd(write) || versionOf(event)?.resourceVersion === version,
      );
      assert.ok(shown.length > 0, `${write.do} ${kind} ${name} ${uid} ${version}: no event shows it`);
    }
  });
  await context.test(
    'no event of ours without its parent: by who wrote the version, as the API server says',
    async () => {
      const own = events.filter((event) => {
        const fields = dataOf(event)?.metadata?.managedFields ?? [];
        const times = fields.map(({ time = '' }) => time).toSorted();
        const newest = fields.filter(({ time }) => time === times.at(-1));
        return newest.length > 0 && newest.every(({ manager }) => manager === 'knudge');
      });
      assert.ok(own.length >= 3, `${own.length} events`);
      for (const event of own) {
        const causes = await causesOf(log, event);
        assert.ok(causes.length > 0, `${event.kind} ${event.name} ${event.seq}: nobody wrote it`);
        assert.ok(
          causes.every((one) => one.event !== undefined),
          `${event.seq}: its cause is not in the log`,
        );
      }
      const made = events.filter(
        ({ type, name = '' }) => type.endsWith('.add') && ['msg-hello', 'frp-shop'].includes(name),
      );
      assert.ok(made.length >= 2, `${made.length} children`);
      const ends = events.filter(({ type, kind }) => type.endsWith('.delete') && kind === 'DistributedService');
      assert.equal(ends.length, 1);
      for (const event of ends) assert.equal((await causesOf(log, event))[0]?.write?.do, 'finalizers');
      for (const event of made)
        assert.equal((await causesOf(log, event))[0]?.by, 'version', `${event.kind} ${event.name}`);
    },
  );
  await context.test(
    'down from what was applied, the last status is reached; up from it, what was applied',
    async () => {
      const ofMessage = events.filter(({ kind, name }) => kind === 'Message' && name === 'hello').filter(dataOf);
      const [applied] = ofMessage;
      assert.ok(applied);
      const written = ofMessage.filter(({ seq }) => seq !== applied.seq);
      const reached = below((await lineageOf(log, applied)).deliveries);
      const last = written.at(-1);
      assert.ok(last && reached.includes(last.seq), `${last?.seq} is not among ${reached.join(', ')}`);
      const ups = async (event: RecordedEvent): Promise<readonly number[]> => {
        const all: number[] = [];
        const walk = (causes: Awaited<ReturnType<typeof lineageOf>>['causes']): void => {
          for (const one of causes) {
            if (one.event) all.push(one.event.seq);
            walk(one.causes);
          }
        };
        walk((await lineageOf(log, event)).causes);
        return all;
      };
      assert.ok((await ups(last)).includes(applied.seq));
    },
  );
});
