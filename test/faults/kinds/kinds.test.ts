import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../../../packages/controller/cluster/errors.ts';
import { type CallSite, isRead, isWrite, type Sight } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import { sights } from '../../../packages/controller/testing/kinds/sights.ts';
import { sites } from './sites.ts';

const byId = new Map(kinds.map((kind) => [kind.id, kind]));

test('each kind has a name of its own, that begins with its row of the fault model, and a sentence', () => {
  assert.equal(byId.size, kinds.length);
  for (const { id, says } of kinds) {
    assert.match(id, /^[WRX]\d+-[a-z0-9-]+$/);
    assert.match(says, /^[a-z].*[a-z0-9L]$/);
  }
});

test('each row of the fault model at one API call has a kind', () => {
  const rows = new Set(kinds.map(({ id }) => id.split('-')[0]));
  const wanted = [
    'W1',
    'W2',
    'W3',
    'W4',
    'W5',
    'W6',
    'W7',
    'W8',
    'W9',
    'W10',
    'W11',
    'W12',
    'W13',
    'W14',
    'W15',
    'W16',
    'W17',
    'R1',
    'R2',
    'R3',
    'R4',
  ];
  assert.deepEqual(
    wanted.filter((row) => !rows.has(row)),
    [],
  );
});

test('each kind fits some call and, but for those that can hit any, not every call', () => {
  for (const { id, appliesTo } of kinds) assert.ok(Object.values(sites).some(appliesTo), id);
  const fitting = (name: keyof typeof sites) =>
    kinds.filter(({ appliesTo }) => appliesTo(sites[name])).map(({ id }) => id);
  assert.ok(!fitting('getParent').includes('W7-deleted'));
  assert.ok(!fitting('getAbsentChild').includes('W7-deleted'));
  assert.ok(fitting('getAbsentChild').includes('R2-squatted'));
  assert.ok(fitting('getChild').includes('W7-deleted') && !fitting('getChild').includes('R2-input-deleted'));
  assert.ok(fitting('getInput').includes('R2-input-deleted') && !fitting('getInput').includes('W7-deleted'));
  assert.ok(fitting('createChild').includes('W6-foreign') && !fitting('createEvent').includes('W6-foreign'));
  assert.ok(fitting('applyStatus').includes('W5-conflict') && !fitting('createChild').includes('W5-conflict'));
  assert.ok(!fitting('applyStatus').includes('W7-deleted') && fitting('deleteChild').includes('W7-deleted'));
});

test('what needs an effect is at writes alone, and what spoils a read at reads alone', () => {
  for (const { id, when, appliesTo, action } of kinds) {
    for (const call of Object.values(sites).filter(appliesTo)) {
      const { do: what } = action(call);
      if (what === 'stale' || what === 'shorten') assert.ok(isRead(call), id);
      if (when === 'after' && ['crash', 'hang', 'reset', 'answer'].includes(what)) assert.ok(isWrite(call), id);
    }
  }
});

test('a refusal is understood as what its kind says', () => {
  const codes: Readonly<Record<string, string>> = {
    'W6-ours': 'already-exists',
    'W8-other-uid': 'conflict',
    'W8-invalid': 'invalid-object',
    'W8-wrong-type': 'invalid-object',
    'W8-too-large': 'invalid-object',
    'W9-quota': 'quota-exceeded',
    'W9-quota-wants-limits': 'quota-exceeded',
    'W10-webhook-400': 'admission-denied',
    'W10-webhook-403': 'admission-denied',
    'W10-webhook-409': 'admission-denied',
    'W10-webhook-422': 'admission-denied',
    'W10-webhook-500': 'admission-denied',
    'W10-policy-422': 'admission-denied',
    'W10-policy-403': 'admission-denied',
    'W10-pod-security': 'admission-denied',
    'W10-not-permitted': 'not-permitted',
    'W11-namespace-terminating': 'namespace-terminating',
    'W12-throttled-huge': 'throttled',
    'W13-500': 'outcome-unknown',
    'W13-502': 'outcome-unknown',
    'W15-unauthorized': 'unauthorized',
  };
  for (const [id, code] of Object.entries(codes)) {
    const call = Object.values(sites).find((site) => isWrite(site) && byId.get(id)?.appliesTo(site));
    assert.ok(call, id);
    assert.equal(codeOf(id, call), code, id);
  }
  assert.equal(codeOf('R3-expired', sites.list), 'expired');
});

test('a refusal names the object of the call', () => {
  const action = byId.get('W11-namespace-terminating')?.action(sites.createChild);
  assert.match(JSON.stringify(action), /configmaps \\"frp-web-config\\" is forbidden: .*in namespace shop because/);
  for (const { id, action: of, appliesTo } of kinds) {
    for (const call of Object.values(sites).filter(appliesTo))
      assert.doesNotMatch(JSON.stringify(of(call)), /\{[a-z]+\}/, id);
  }
});

test('every sight has a kind that stands for it and is seen so somewhere', () => {
  for (const [sight, { by }] of Object.entries(sights)) {
    const kind = byId.get(by);
    assert.ok(kind, `${sight}: there is no ${by}`);
    assert.ok(kind.times === undefined, `${by} is one fault`);
    const all = Object.values(sites).filter(kind.appliesTo);
    assert.ok(
      all.some((call) => kind.sees(call) === sight),
      `${by} is never seen as ${sight}`,
    );
  }
  const seen = new Set(kinds.flatMap(({ appliesTo, sees }) => Object.values(sites).filter(appliesTo).map(sees)));
  assert.deepEqual([...seen].sort(), (Object.keys(sights) as Sight[]).sort());
});

/** The code that Knudge makes of the answer of a kind. */
function codeOf(id: string, { verb, resource, ref }: CallSite): string {
  const action = byId.get(id)?.action({ verb, resource, ref, done: { status: 0, body: undefined } });
  assert.ok(action?.do === 'answer', id);
  const { status, reason, message, details, body } = action;
  const method = verb === 'get' || verb === 'list' ? 'GET' : 'PATCH';
  const said = body === undefined ? { kind: 'Status', status: 'Failure', reason, message, details } : undefined;
  return refusal(
    { method, verb, resource, target: ref.name, path: '/' },
    { status, body: said, retryAfterSeconds: undefined },
  ).code;
}
