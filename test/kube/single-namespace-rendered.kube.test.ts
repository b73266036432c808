import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { processNames } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { kustomized, withKustomization } from './kustomized.ts';
import { singleNamespace } from './single-namespace.ts';

let usual: readonly KubeObject[];
let renamed: readonly KubeObject[];

before(async () => {
  usual = await kustomized('deploy/overlays/single-namespace');
  renamed = await singleNamespace('team-a');
});

/** Every text of these objects with its place. */
function texts(value: unknown, place = ''): readonly { readonly place: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ place, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${place}.${key}`));
}

/** `knudge` where it is the name of something else: an image, a folder, an event type, a label, the Broker, an object. */
const elsewhere =
  /^knudge\/knudge:|\/var\/lib\/knudge$|\bdev\.knudge\.|\bknudge\.dev\/|cluster\.local\/team-a\/knudge$|^knudge-[a-z-]+(\.team-a)?$/;
const isBroker = /^\.Broker\.metadata\.name$|\.spec\.broker$|\.sink\.ref\.name$/;

describe('the overlay single-namespace with another name', () => {
  it('says that name wherever the namespace is meant', () => {
    const left = renamed
      .filter(({ kind }) => kind !== 'CustomResourceDefinition' && kind !== 'ConfigMap')
      .flatMap((one) => texts(one, `.${one.kind}`))
      .filter(({ place, text }) => text.includes('knudge') && !elsewhere.test(text) && !isBroker.test(place));
    assert.deepEqual(left, []);
  });

  it('says it to each function that has a Service of its own', async () => {
    const components = ['per-function', 'single-namespace'].map((name) => `deploy/components/${name}`);
    const transformers = ['deploy/overlays/single-namespace/renamed'];
    const objects = await withKustomization(
      { namespace: 'team-a', resources: ['deploy/base'], components, transformers },
      kustomized,
    );
    const sinks = texts(objects).filter(({ text }) => /broker-ingress/.test(text) && text.startsWith('http'));
    assert.deepEqual(
      sinks.map(({ text }) => text),
      Array(11).fill('http://broker-ingress.knative-eventing.svc.cluster.local/team-a/knudge'),
    );
  });

  it('says it in the components kafka and postgres too', async () => {
    const components = ['postgres', 'kafka', 'single-namespace', 'prometheus'].map(
      (name) => `deploy/components/${name}`,
    );
    const transformers = ['deploy/overlays/single-namespace/renamed'];
    const objects = await withKustomization(
      { namespace: 'team-a', resources: ['deploy/base'], components, transformers },
      kustomized,
    );
    const sinks = texts(objects).filter(({ text }) => /broker-ingress/.test(text) && text.startsWith('http'));
    assert.deepEqual(
      sinks.map(({ text }) => text),
      Array(4).fill('http://kafka-broker-ingress.knative-eventing.svc.cluster.local/team-a/knudge'),
    );
    assert.deepEqual(
      objects.filter(({ metadata }) => metadata.namespace === 'knudge'),
      [],
    );
  });

  it('is otherwise the same', () => {
    const named = (objects: readonly KubeObject[]): readonly string[] =>
      objects.map((one) => JSON.stringify(one)).sort();
    const back = named(renamed).map((one) => one.replaceAll('team-a', 'knudge'));
    assert.deepEqual(back.sort(), named(usual));
  });

  it('shares nothing with another such installation but the CRDs', () => {
    const names = (objects: readonly KubeObject[]): readonly string[] =>
      objects
        .filter(({ kind, metadata }) => kind !== 'CustomResourceDefinition' && metadata.namespace === undefined)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
        .sort();
    assert.deepEqual(names(renamed), [
      'ClusterRole knudge-event-log-reader.team-a',
      'ClusterRole knudge-event-log.team-a',
      'ClusterRoleBinding knudge-event-log-reader.team-a',
      'ClusterRoleBinding knudge-event-log.team-a',
      'Namespace team-a',
      ...['Policy', 'PolicyBinding'].flatMap((kind) =>
        ['children', 'claims', 'itself'].map((name) => `ValidatingAdmission${kind} knudge-${name}.team-a`),
      ),
    ]);
    assert.deepEqual(
      names(usual).filter((name) => names(renamed).includes(name)),
      [],
    );
  });
});

type Labels = Readonly<Record<string, string>>;

interface Policy extends KubeObject {
  readonly spec: {
    readonly podSelector: {
      readonly matchLabels?: Labels;
      readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
    };
    readonly policyTypes: readonly string[];
  };
}

/** The NetworkPolicies that choose a Pod with these labels. */
function choosing(labels: Labels, objects = usual): readonly string[] {
  const policies = objects.filter((one): one is Policy => one.kind === 'NetworkPolicy');
  const chosen = policies.filter(({ spec: { podSelector } }) => {
    const { matchLabels = {}, matchExpressions = [] } = podSelector;
    const fits = matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      return values.includes(value ?? '') === (operator === 'In');
    });
    return fits && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  });
  return chosen.map(({ metadata }) => metadata.name);
}

describe('the NetworkPolicies of the overlay single-namespace', () => {
  const others: readonly (readonly [what: string, labels: Labels])[] = [
    ['tunnels', { 'app.kubernetes.io/managed-by': 'knudge', 'frp.io/tunnel': 'web' }],
    ['Messages', { 'app.kubernetes.io/managed-by': 'knudge', 'knudge.dev/owner-uid': 'u' }],
    ['others', { app: 'shop' }],
    ['nobody knows whom', {}],
  ];
  for (const [what, labels] of others) {
    it(`say nothing of the Pods of ${what}, with those of prometheus neither`, async () => {
      assert.deepEqual(choosing(labels), []);
      const resources = ['deploy/overlays/single-namespace'];
      const scraped = await withKustomization({ resources, components: ['deploy/components/prometheus'] }, kustomized);
      assert.deepEqual(choosing(labels, scraped), []);
      for (const name of processNames)
        assert.ok(choosing({ 'serving.knative.dev/service': name }, scraped).includes('prometheus'), name);
    });
  }

  for (const name of processNames) {
    it(`shut ${name} off as those of the usual installation do`, () => {
      const chosen = choosing({ 'serving.knative.dev/service': name });
      for (const policy of ['nothing-else', 'names', 'functions', 'functions-to-api-server'])
        assert.ok(chosen.includes(policy), policy);
    });
  }

  it('shut the sources and the first resync off too', () => {
    assert.deepEqual(choosing({ 'eventing.knative.dev/source': 'apiserver-source-controller' }), [
      'sources-nothing-else-but-names',
      'sources-to-api-server',
      'sources-to-broker',
    ]);
    assert.deepEqual(choosing({ 'app.kubernetes.io/name': 'first-resync' }), [
      'first-resync-nothing-else-but-names',
      'first-resync-to-api-server',
      'first-resync-to-broker',
    ]);
  });
});
