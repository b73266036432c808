import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { runIn } from '../../cli/test/knudge.ts';
import { resyncLease } from '../../packages/controller/domain/names.ts';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { jsonOf, runKnudge } from './command-line.ts';
import { openPlaces } from './places.ts';
import { home, site as openSite } from './site.ts';
import { told, untilProcessed } from './told.ts';

const site = openSite();
const { namespace, name } = told;
/** Where a replay keeps its place. */
const dir = mkdtempSync(join(tmpdir(), 'knudge-told-'));

before(async () => {
  await openPlaces(site);
  await site.put(message(name, 'first', { namespace }));
  await untilProcessed(site);
});
after(async () => {
  await kubectl('--namespace', namespace, 'delete', 'messages', '--all', '--timeout=60s');
  rmSync(dir, { recursive: true });
});

/** What changes when anybody writes. */
async function versions(): Promise<readonly unknown[]> {
  const at = { namespace, name };
  const found = await Promise.all([
    site.get('myorg.dev/v1', 'Message', at),
    site.get('v1', 'Pod', { namespace, name: `msg-${name}` }),
  ]);
  return found.map((object) => object?.metadata.resourceVersion);
}

interface Listed {
  readonly events: readonly {
    readonly seq: number;
    readonly id: string;
    readonly type: string;
    readonly kind?: string;
  }[];
  readonly total: number;
}

const ofMessage = ['--kind', 'msg', '--object', `${namespace}/${name}`];

async function listed(): Promise<Listed> {
  const [page] = (await jsonOf(['events', 'list', ...ofMessage])) as readonly Listed[];
  return page ?? assert.fail('events list says nothing');
}

test('events: the log has what happened to an object, and gives it as YAML that can be applied', async () => {
  const { events, total } = await listed();
  assert.equal(total, events.length);
  const [first] = events.filter(({ type }) => type === 'dev.knative.apiserver.resource.add');
  const [shown] = (await jsonOf(['events', 'show', String(first?.seq)])) as readonly { readonly id: string }[];
  assert.equal(shown?.id, first?.id);
  const { out } = await runKnudge('events', 'export', '--objects', '--object', `${namespace}/${name}`);
  const [object] = parseAllDocuments(out).map((each) => each.toJS() as ReturnType<typeof message>);
  assert.deepEqual([object?.kind, object?.spec.text], ['Message', 'first']);
});

interface Sent {
  readonly sent: number;
  readonly refused: number;
  readonly end: string;
}

test('replay: what is right stays as it is, whether it is only told, planned or sent', async () => {
  const before = await versions();
  const command = ['replay', ...ofMessage, '--dir', dir];
  const { total } = await listed();
  // The next resync may ask after it meanwhile.
  assert.ok((await jsonOf([...command, '--dry-run'])).length >= total);
  const planned = (await jsonOf([...command, '--plan', '--limit', '2'])).at(-1);
  assert.deepEqual(planned, { events: 2, writes: 0, failed: 0, withoutFunction: 0 });
  const { sent, refused, end } = (await jsonOf(command)).at(-1) as Sent;
  assert.ok(sent >= total, `${String(sent)} of ${String(total)} were sent`);
  assert.deepEqual({ refused, end }, { refused: 0, end: 'all' });
  assert.deepEqual(await versions(), before);
});

test('replay --plan asks the functions that the Triggers of the cluster wake, also where somebody has changed one', async () => {
  const at = ['--namespace', home, 'trigger/message-changed'];
  const patch = (filters: unknown) =>
    kubectl('patch', ...at, '--type=merge', '--patch', JSON.stringify({ spec: { filters } }));
  const { stdout } = await kubectl('get', ...at, '--output=json');
  const { spec } = JSON.parse(stdout) as { readonly spec: { readonly filters: unknown } };
  await patch([{ exact: { kind: 'nobody' } }]);
  try {
    const planned = (await jsonOf(['replay', ...ofMessage, '--dir', dir, '--plan', '--limit', '1'])).at(-1);
    assert.deepEqual(planned, { events: 1, writes: 0, failed: 0, withoutFunction: 1 });
  } finally {
    await patch(spec.filters);
    await kubectl('wait', ...at, '--for=condition=Ready', '--timeout=60s');
  }
});

interface Counts {
  readonly equal: number;
  readonly different: number;
  readonly failed: number;
}

test('shadow: without a token the function of the cluster plans nothing, and says what to do', async () => {
  await runKnudge('reconcile', 'msg', `${namespace}/${name}`);
  let address: string | undefined;
  await until('message-changed is awake', async () => {
    const pods = (await site.list('v1', 'Pod', home)) as readonly unknown[] as readonly {
      readonly metadata: { readonly labels?: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
      readonly status?: { readonly podIP?: string; readonly phase: string };
    }[];
    const awake = pods.find(
      ({ metadata, status }) =>
        metadata.labels?.['serving.knative.dev/service'] === 'message-changed' &&
        metadata.deletionTimestamp === undefined &&
        status?.phase === 'Running',
    );
    address = awake?.status?.podIP;
    return address !== undefined;
  });
  const url = `http://${address ?? ''}:8080`;
  const lines = await jsonOf(['shadow', 'message-changed', '--url', url, ...ofMessage, '--limit', '2'], 1);
  const { equal, different, failed } = lines.at(-1) as Counts;
  assert.deepEqual({ equal, different, failed }, { equal: 0, different: 0, failed: 2 });
  assert.match(JSON.stringify(lines), /in a cluster a dry run needs a token: set OIDC_ISSUER and send one/);
});

interface Ways {
  readonly ways: readonly { readonly to: readonly { readonly trigger: string; readonly function: string }[] }[];
}

interface Leading {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly channel?: { readonly name: string } };
  readonly status: {
    readonly subscriberUri?: string;
    readonly physicalSubscription?: { readonly subscriberUri: string };
  };
}

/** Where the Triggers lead, those that lead to a channel by way of what subscribes to it. */
async function leading(): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await kubectl(
    '--namespace',
    home,
    'get',
    'triggers,subscriptions.messaging.knative.dev',
    '--output=json',
  );
  const { items } = JSON.parse(stdout) as { readonly items: readonly Leading[] };
  const behind = (channel: string) =>
    items.find(({ kind, spec }) => kind === 'Subscription' && spec.channel?.name === channel)?.status
      .physicalSubscription?.subscriberUri;
  const triggers = items.filter(({ kind }) => kind === 'Trigger');
  return Object.fromEntries(
    triggers.map(({ metadata, status }) => {
      const { subscriberUri = '' } = status;
      // What Knative calls the Service of a channel.
      const [, channel] = /^(.+)-kn-channel\./.exec(new URL(subscriberUri).hostname) ?? [];
      const end = channel === undefined ? undefined : behind(channel);
      return [metadata.name, functionAt(end ?? subscriberUri)];
    }),
  );
}

/** Of http://event-log.knudge.svc.cluster.local/event-recorded it is event-log/event-recorded. */
function functionAt(address: string): string {
  const { hostname, pathname } = new URL(address);
  return `${hostname.split('.')[0] ?? ''}${pathname === '/' ? '' : pathname}`;
}

test('map: it shows the Triggers that are there, and the function to which each leads', async () => {
  const { out } = await runIn('.', ['map', '--json']).ended;
  const { ways } = JSON.parse(out) as Ways;
  const shown = ways.flatMap(({ to }) => to).map(({ trigger, function: to }) => [trigger, to] as const);
  assert.deepEqual(Object.fromEntries(shown), await leading());
});

test('resync: a round begins', async () => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${resyncLease}`;
  const began = Math.floor(Date.now() / 1000) * 1000;
  const { code, out, said } = await runKnudge('resync');
  assert.equal(code, 0, said);
  assert.match(out, /took the event .*: a resync has begun/);
  await until('the Lease tells of it', async () => {
    const { spec } = (await site.api('GET', path)).body as { readonly spec: { readonly renewTime: string } };
    return Date.parse(spec.renewTime) >= began || spec;
  });
});
