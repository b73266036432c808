import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { historyOf } from '../../packages/event-log/api/history.ts';
import { summarised } from '../../packages/event-log/api/summaries.ts';
import { apiFrom, testKubeconfig } from './api.ts';
import { install } from './install.ts';
import { kubectl } from './kubectl.ts';

const namespace = `who-wrote-${process.pid}`;
const api = apiFrom(testKubeconfig());
const path = `/apis/myorg.dev/v1/namespaces/${namespace}/messages`;
const [merge, apply] = ['application/merge-patch+json', 'application/apply-patch+yaml'];

/** What is done to a Message, by whom: as people and Knudge do it, one after the other without a pause. */
interface Step {
  readonly manager: string;
  readonly body: object;
  readonly contentType?: string;
  readonly subresource?: string;
  /** It removes fields and sets none, which leaves no mark. */
  readonly isUnknown?: true;
}
const own = { apiVersion: 'myorg.dev/v1', kind: 'Message' };
const status = (phase: string): object => ({ ...own, metadata: { name: 'one' }, status: { phase } });
const steps: readonly Step[] = [
  // A finalizer comes.
  { manager: 'knudge', body: { metadata: { finalizers: ['knudge.dev/cleanup'] } } },
  // A status is applied.
  { manager: 'knudge', body: status('Pending'), contentType: apply, subresource: '/status' },
  // An edit.
  { manager: 'kubectl-edit', body: { spec: { text: 'b' } } },
  // The status after it.
  { manager: 'knudge', body: status('Processed'), contentType: apply, subresource: '/status' },
  // The same edit again.
  { manager: 'kubectl-edit', body: { spec: { text: 'c' } } },
  // A label comes.
  { manager: 'kubectl-label', body: { metadata: { labels: { team: 'shop' } } } },
  // Another edit by another program.
  { manager: 'argocd', body: { spec: { text: 'd' } } },
  // A status of another program.
  { manager: 'somebody', body: { status: { phase: 'Failed' } }, subresource: '/status' },
  // The label goes.
  { manager: 'kubectl-label', body: { metadata: { labels: { team: null } } }, isUnknown: true },
  // A status is applied again.
  { manager: 'knudge', body: status('Pending'), contentType: apply, subresource: '/status' },
  // The finalizer goes.
  { manager: 'knudge', body: { metadata: { finalizers: null } }, isUnknown: true },
];

before(async () => {
  await install(api);
  await kubectl('create', 'namespace', namespace);
});
after(() => kubectl('delete', 'namespace', namespace, '--wait=false'));

test('history and list name who wrote each version, also of several in a second, and nobody where no one can know', async () => {
  const made = { ...own, metadata: { name: 'one' }, spec: { text: 'a' } };
  const versions = [await asked('POST', path, { body: made, query: { fieldManager: 'kubectl-create' } })];
  for (const { manager, body, contentType = merge, subresource = '' } of steps) {
    const query = { fieldManager: manager, ...(contentType === apply && { force: 'true' }) };
    versions.push(await asked('PATCH', `${path}/one${subresource}`, { body, query, contentType }));
  }
  const events = versions.map(eventOf).toReversed();
  const log = {
    events: async () => events,
    deliveries: async () => [],
    causes: async () => [],
    effects: async () => [],
  };
  const [list, { versions: history }] = await Promise.all([
    summarised(log, events),
    historyOf(log, { kind: 'Message', namespace, name: 'one' }, { limit: events.length }),
  ]);
  const expected = ['kubectl-create', ...steps.map(({ manager, isUnknown }) => (isUnknown ? undefined : manager))];
  assert.deepEqual(list.map(({ by }) => by).toReversed(), expected);
  assert.deepEqual(history.map(({ by }) => by?.manager).toReversed(), expected);
  const seconds = versions.map(({ metadata: { managedFields = [] } }) =>
    managedFields
      .map(({ time = '' }) => time)
      .toSorted()
      .at(-1),
  );
  assert.ok(new Set(seconds).size < versions.length / 2, `${seconds}: most fall into the second of another`);
});

async function asked(...call: Parameters<typeof api>): Promise<KubeObject> {
  const { status, body } = await api(...call);
  assert.ok(status < 300, JSON.stringify(body));
  return body as KubeObject;
}

/** As the event log has it. */
function eventOf(data: KubeObject, index: number): RecordedEvent {
  const time = new Date(index).toISOString();
  const type = `dev.knative.apiserver.resource.${index === 0 ? 'add' : 'update'}`;
  const about = { kind: 'Message', namespace, name: 'one', extensions: {}, source: '/test' };
  return { seq: index + 1, id: `e-${index}`, recorded: time, time, type, ...about, data };
}
