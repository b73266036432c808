import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json, JsonObject } from '../../../kube-api/json.ts';
import { tryApi } from '../../../kube-api/test/handle.ts';
import { applyObject } from '../../cluster/apply.ts';
import type { Call } from '../../cluster/call.ts';
import { createObject } from '../../cluster/create.ts';
import { trialOver } from '../../cluster/trial.ts';
import { applied } from '../../decide/applied.ts';
import { shapeOf } from '../../decide/shapes.ts';
import { straysOf } from '../../decide/strays.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import type { Plan } from '../../domain/plan.ts';
import { tryOut } from '../../reconcile/try-out.ts';

const { call } = tryApi();
const transport = async ({ method, path, query = {}, body, contentType }: Call): Promise<unknown> => {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const answer = call(`${method} ${path}?${new URLSearchParams(query)}`, body as Json, headers);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

const object = (apiVersion: string, kind: string, more: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'web', namespace: 'default' }, ...more }) as KubeObject;
const config = (data: object, metadata: object = {}): KubeObject =>
  object('v1', 'ConfigMap', { metadata: { name: 'web', namespace: 'default', ...metadata }, data });
const service = (...ports: readonly object[]): KubeObject =>
  object('v1', 'Service', { spec: { selector: { app: 'web' }, ports } });
const port = (name: string, number: number): object => ({ name, port: number, protocol: 'TCP', targetPort: number });
const deployment = (containers: readonly object[], more: object = {}, spec: object = {}): KubeObject => {
  const labels = { app: 'web' };
  const template = { metadata: { labels, ...more }, spec: { containers } };
  return object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: labels }, template, ...spec } });
};
const container = { name: 'a', image: 'one' };

type Row = readonly [
  sentence: string,
  one: {
    readonly made: KubeObject;
    readonly others?: JsonObject;
    readonly desired: KubeObject;
    readonly before?: KubeObject;
  },
];

const rows: readonly Row[] = [
  ['a value that differs', { made: config({ a: '1', b: '2' }), desired: config({ a: '3', b: '2' }) }],
  ['a value that is no longer named', { made: config({ a: '1', b: '2' }), desired: config({ a: '1' }) }],
  ['all values of it', { made: config({ a: '1' }), desired: object('v1', 'ConfigMap', {}) }],
  ['a value of somebody else', { made: config({ a: '1' }), others: { data: { c: '4' } }, desired: config({ a: '2' }) }],
  [
    'a value that somebody else has set too',
    { made: config({ a: '1', b: '2' }), others: { data: { b: '5' } }, desired: config({ a: '2' }) },
  ],
  [
    'labels of somebody else beside none of ours',
    {
      made: config({ a: '1' }, { labels: { own: 'yes' } }),
      others: { metadata: { labels: { other: 'yes' } } },
      desired: config({ a: '1' }),
    },
  ],
  [
    'a port of a Service that moves',
    {
      made: service(port('one', 80), port('two', 81)),
      desired: service(port('one', 80), port('three', 82)),
    },
  ],
  [
    'a container of somebody else, and an image that differs',
    {
      made: deployment([container]),
      others: {
        spec: {
          template: {
            spec: {
              containers: [
                { ...container, readinessProbe: { exec: { command: ['no'] } } },
                { name: 'b', image: 'x' },
              ],
            },
          },
        },
      },
      desired: deployment([{ ...container, image: 'two' }]),
    },
  ],
  [
    'arguments, which are one value',
    {
      made: deployment([{ ...container, args: ['a', 'b'], env: [{ name: 'x', value: '1' }] }]),
      desired: deployment([{ ...container, args: ['b'] }]),
    },
  ],
  [
    'the second apply, after which another field is no longer named',
    {
      made: config({ a: '1', b: '2' }),
      before: config({ a: '1', b: '3', c: '4' }),
      desired: config({ a: '1', c: '5' }, { annotations: { x: 'y' } }),
    },
  ],
];

/** At the first apply after a creation they go, or fall back to their defaults: that the API server knows alone. */
const rowsOfTrial: readonly Row[] = [
  [
    'fields that were posted and are no longer named',
    {
      made: deployment([container], {}, { minReadySeconds: 5, revisionHistoryLimit: 3 }),
      desired: deployment([container]),
    },
  ],
  [
    'a field that was posted and that somebody else has set too',
    {
      made: deployment([container], {}, { minReadySeconds: 5 }),
      others: { spec: { minReadySeconds: 6 } },
      desired: deployment([{ ...container, image: 'two' }]),
    },
  ],
];

suite('what an apply leaves is what the API server leaves', () => {
  for (const [sentence, row] of rows) {
    test(sentence, async () => {
      const { desired, live, strays, carryOut } = await setUp(row);
      const foreseen = applied(desired, live, { shape: shapeOf(live), strays });
      const after = await carryOut();
      assert.deepEqual(withoutVersion(foreseen), withoutVersion(after));
      assert.notDeepEqual(withoutVersion(foreseen), withoutVersion(live));
    });
  }
});

suite('what the API server says beforehand of an apply is what the apply leaves', () => {
  for (const [sentence, row] of [...rows, ...rowsOfTrial]) {
    test(sentence, async () => {
      const { desired, live, strays, carryOut } = await setUp(row);
      const plan: Plan = { writes: [{ do: 'apply', object: desired, live, strays }], notices: [], again: false };
      const observed = { owner: live, children: new Map(), inputs: new Map() };
      const [change] = await tryOut(plan, observed, { shapeOf, trial: trialOver(transport, () => {}) });
      assert.equal(change?.refusal, undefined);
      const after = await carryOut();
      assert.deepEqual(change?.after, withoutVersion(after));
      assert.notDeepEqual(change?.after, withoutVersion(live));
    });
  }
});

/** Makes the objects of a row; `carryOut` applies what is desired, and takes the object away again. */
async function setUp({ made, others, before, desired }: Row[1]) {
  let live = await createObject(transport, made);
  if (before !== undefined) live = await applyObject(transport, { object: before, live });
  const { kind } = made;
  const path = `${kind === 'Deployment' ? '/apis/apps/v1' : '/api/v1'}/namespaces/default/${kind.toLowerCase()}s/web`;
  if (others !== undefined) {
    const headers = { 'content-type': 'application/strategic-merge-patch+json' };
    live = call(`PATCH ${path}?fieldManager=a-person`, others, headers).body as unknown as KubeObject;
  }
  const strays = straysOf(desired, live, []);
  const carryOut = async (): Promise<KubeObject> => {
    const after = await applyObject(transport, { object: desired, live, strays });
    call(`DELETE ${path}`);
    return after;
  };
  return { desired, live, strays, carryOut };
}

/** Each write moves them. */
function withoutVersion({ metadata, ...others }: KubeObject): object {
  const { managedFields: _, resourceVersion: __, generation: ___, ...kept } = metadata;
  return { ...others, metadata: kept };
}
