import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import type { Claim } from '../../resources/distributed-service/claims/types.ts';
import { useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices();
const many = 20;
const names = Array.from({ length: many }, (_, index) => `s${String(index).padStart(2, '0')}`);

interface Audited {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI?: string;
  readonly objectRef?: { readonly resource?: string; readonly name?: string };
}

/**
 * What the API server was asked since its log was this long to learn who has what somebody wants: one Claim by its name, who had it by a
 * label of before, what there is above and below it, and who waits for it. A service's own Claims are its own matter.
 */
function askedSince(start: number): readonly Audited[] {
  const file = process.env['KNUDGE_TEST_AUDIT_LOG'];
  if (file === undefined) throw new Error('KNUDGE_TEST_AUDIT_LOG is not set: use `npm run test:kube`');
  const lines = readFileSync(file).subarray(start).toString().split('\n');
  const all = lines.flatMap((line) =>
    line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Audited] : [],
  );
  return all.filter((one) => one.stage === 'ResponseComplete' && kindOf(one) !== undefined);
}

function kindOf({ verb, objectRef, requestURI = '' }: Audited): string | undefined {
  const uri = decodeURIComponent(requestURI);
  if (objectRef?.resource === 'services')
    return verb === 'list' && uri.includes('claim.frp.io/') ? 'labels' : undefined;
  if (objectRef?.resource !== 'claims') return undefined;
  if (verb === 'get') return objectRef.name?.startsWith('claim-') === true ? 'claim' : undefined;
  if (verb !== 'list') return undefined;
  return /labelSelector=(under\.frp\.io|frp\.io\/wildcard|frp\.io\/claim=)/.test(uri) ? 'others' : undefined;
}

function logLength(): number {
  return statSync(process.env['KNUDGE_TEST_AUDIT_LOG'] ?? '').size;
}

/** The Claims of this test's namespace, by their state. */
async function claims(state: Claim['spec']['state']): Promise<readonly Claim[]> {
  const { arena, namespace } = services();
  const all = (await arena.list('frp.io/v1beta1', 'Claim', arena.home)) as readonly Claim[];
  return all.filter(({ spec }) => spec.namespace === namespace && spec.state === state);
}

test('20 services that want one port at once: one has it, 19 wait, and looking for who has it costs at most 60 reads', async (context) => {
  const { arena, build } = services();
  const start = logLength();
  await Promise.all(names.map((name) => arena.put(build(name, { expose: { remotePort: 7100 } }))));
  await until('19 wait', async () => (await claims('Waiting')).length === many - 1);
  await Promise.all(names.map((name) => arena.settled(build(name))));
  assert.equal((await claims('Held')).length, 1);
  const asked = Map.groupBy(askedSince(start), (one) => kindOf(one) ?? '');
  const counts = [...asked].map(([kind, reads]) => `${kind} ${String(reads.length)}`).join(', ');
  const all = [...asked.values()].flat().length;
  context.diagnostic(`counted: ${String(all)} reads beyond their own by ${String(many)} services (${counts})`);
  assert.ok(all <= 60, counts);
});

test('the one that has waited longest holds it within 10 s after the holder has gone, woken by the event of the Claim', async (context) => {
  const { arena, build, namespace } = services();
  const [held] = await claims('Held');
  const inLine = (await claims('Waiting')).toSorted((one, other) => {
    const [left, right] = [one, other].map(({ spec, metadata }) => `${spec.since} ${metadata.name}`);
    return (left ?? '') < (right ?? '') ? -1 : 1;
  });
  const holder = held?.spec.services[0]?.name ?? assert.fail();
  await arena.remove(build(holder));
  await until('the holder is gone', async () => (await arena.service(namespace, holder)) === undefined, 60);
  const began = performance.now();
  await until('another holds it', async () => (await claims('Held')).length === 1, 10);
  context.diagnostic(`counted: held again after ${(performance.now() - began).toFixed(0)} ms`);
  const [next] = await claims('Held');
  assert.equal(next?.spec.services[0]?.name, inLine[0]?.spec.services[0]?.name);
});
