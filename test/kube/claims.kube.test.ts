import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import type { Claim } from '../../src/domain/claim.ts';
import { useServices } from './services.ts';
import { until } from './until.ts';

const services = useServices();
const many = 20;
const names = Array.from({ length: many }, (_, index) => `s${String(index).padStart(2, '0')}`);

interface Audited {
  readonly stage: string;
  readonly verb: string;
  readonly objectRef?: { readonly resource?: string; readonly name?: string };
}

/** What the API server was asked about Claims since its log was so long. */
function askedSince(start: number): readonly Audited[] {
  const file = process.env['KNUDGE_TEST_AUDIT_LOG'];
  if (file === undefined) throw new Error('KNUDGE_TEST_AUDIT_LOG is not set: use `npm run test:kube`');
  const lines = readFileSync(file).subarray(start).toString().split('\n');
  const all = lines.flatMap((line) =>
    line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Audited] : [],
  );
  return all.filter(({ stage, objectRef }) => stage === 'ResponseComplete' && objectRef?.resource === 'claims');
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
  const asked = askedSince(start);
  const gets = asked.filter(({ verb, objectRef }) => verb === 'get' && objectRef?.name?.startsWith('claim-'));
  context.diagnostic(
    `counted: ${String(gets.length)} reads of one Claim by ${String(many)} services, ${String(asked.length)} calls about Claims in all`,
  );
  assert.ok(gets.length <= 60, String(gets.length));
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
