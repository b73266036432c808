import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import type { ObjectNow } from '../../cli/console/now.ts';
import { runIn } from '../../cli/test/knudge.ts';
import { message } from '../build/objects.ts';
import { kubectl } from '../kube/kubectl.ts';
import { until } from '../kube/until.ts';
import { openPlaces } from './places.ts';
import { home, site as openSite } from './site.ts';
import { told, untilProcessed } from './told.ts';

const site = openSite();
const { namespace, name } = told;
const running = runIn('.', ['console', '--kubeconfig', site.kubeconfig, '--json']);
const printed = once(running.child.stdout as NodeJS.ReadableStream, 'data') as Promise<[Buffer]>;
/** Asks as a page does whose browser has shown the token of the address. */
let ask: (path: string, body?: object) => Promise<Response>;

before(async () => {
  await openPlaces(site);
  await site.put(message(name, 'first', { namespace }));
  await untilProcessed(site);
  const [line] = await printed;
  const { origin, hash } = new URL((JSON.parse(line.toString()) as { readonly console: string }).console);
  const json = { 'content-type': 'application/json' };
  const shown = { method: 'POST', headers: json, body: JSON.stringify({ token: hash.slice('#token='.length) }) };
  const cookie = (await fetch(`${origin}/console/session`, shown)).headers.get('set-cookie') ?? '';
  ask = (path, body) => {
    const posted = body !== undefined && { method: 'POST', body: JSON.stringify(body) };
    return fetch(`${origin}/console/${path}`, { headers: { ...json, cookie }, ...posted });
  };
});
after(async () => {
  running.child.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);
  await kubectl('--namespace', namespace, 'delete', 'messages', '--all', '--timeout=60s');
});

const about = `kind=Message&namespace=${namespace}&name=${name}`;
type Page = { readonly events: readonly { readonly seq: number; readonly id: string; readonly type: string }[] };
const events = async (): Promise<Page['events']> => ((await (await ask(`api/events?${about}`)).json()) as Page).events;

test('through a port-forward of a real kubelet, the pages and the events of the cluster are there', async () => {
  const page = await ask('');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'self'/);
  assert.ok((await events()).some(({ type }) => type === 'dev.knative.apiserver.resource.add'));
});

test('an object is there as its kubelet reports it now, with its Pod', async () => {
  const now = (await (await ask(`api/objects/Message/${namespace}/${name}/now`)).json()) as ObjectNow;
  assert.deepEqual(now.object?.shown, { Phase: 'Processed', Pod: `msg-${name}` });
  assert.deepEqual(now.unread, []);
  const [pod, ...others] = now.children;
  assert.deepEqual(
    [pod?.kind, pod?.name, pod?.shown['Ready'], pod?.shown['Status']],
    ['Pod', `msg-${name}`, '1/1', 'Running'],
  );
  assert.deepEqual(others, []);
});

test('what happens comes by the stream, a plan is made, and an event is sent again', async () => {
  const stream = await ask('api/stream');
  assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  await site.put(message(name, 'second', { namespace }));
  let seen = '';
  await until('the stream has the change', async () => {
    const { value } = await reader.read();
    seen += Buffer.from(value ?? []).toString();
    return new RegExp(`"kind":"Message"[^\\n]*"name":"${name}"`).test(seen) || seen.slice(-500);
  });
  await reader.cancel();
  await untilProcessed(site);
  const plan = await ask('api/plan', { kind: 'Message', namespace, name });
  assert.equal(plan.status, 200, await plan.clone().text());
  const { failed, events: asked } = (await plan.json()) as {
    readonly failed: readonly object[];
    readonly events: number;
  };
  assert.deepEqual([failed, asked], [[], 1]);
  const [last] = await events();
  const again = await ask('api/replay', { id: last?.id, after: (last?.seq ?? 0) - 1 });
  assert.partialDeepStrictEqual(await again.json(), { failed: 0 });
});

test('when the Pod of the event log is replaced, the console finds the next one', async () => {
  const pods = ['--namespace', home, 'delete', 'pods', '--selector=serving.knative.dev/service=event-log'];
  // Knative's queue-proxy would drain for 30 s.
  await kubectl(...pods, '--grace-period=5', '--wait=true', '--timeout=90s');
  await until(
    'the console asks the Pod that came after it',
    async () => {
      const answer = await ask('api/events?limit=1').catch((error: unknown) => String(error));
      if (typeof answer === 'string') return answer;
      return answer.status === 200 || `${String(answer.status)} ${await answer.text()}`;
    },
    90,
  );
});
