import { signingOf } from '../../../src/decide/distributed-service/authority-turn.ts';
import { isLeafDue } from '../../../src/decide/distributed-service/certificates.ts';
import type {
  CertificateQuestion,
  Certificates,
  Controllers,
  NamedQuery,
  Resource,
} from '../../../src/decide/resource.ts';
import { resourceOf } from '../../../src/decide/resources.ts';
import { controllerOf, groupOf, type KubeObject, refOf } from '../../../src/domain/kube-object.ts';
import { lifetimes } from '../../../src/domain/lifetimes.ts';
import type { Plan, Query } from '../../../src/domain/plan.ts';
import { timeOf } from '../../../src/domain/time.ts';
import { selects } from '../../build/memory/rules.ts';
import { keyOf, keyOfObject } from './accessors.ts';
import type { OraclesWith } from './inspection.ts';

/**
 * What a decision would do about a parent if these objects were all there is: the product's `decide` on all of its
 * inputs at one moment, without the product's reads, restarts and writes. `now` in milliseconds.
 */
export function wantedFor(
  parent: KubeObject,
  objects: readonly KubeObject[],
  { now, ...parts }: OraclesWith & { readonly now: number },
): Plan | undefined {
  const resource = resourceOf(parent);
  if (resource === undefined) return undefined;
  const { controllerNamespace, images, hash, apiServer } = parts;
  const owner = { ...parent, apiVersion: resource.apiVersion };
  const byKey = new Map(objects.map((object) => [keyOfObject(object), object]));
  const children = new Map([...resource.children(refOf(owner))].map(([role, ref]) => [role, byKey.get(keyOf(ref))]));
  const inputs = inputsAmong(resource.inputs(owner, controllerNamespace), objects);
  const observed = { owner, children, inputs };
  const time = timeOf(now / 1000);
  const certificates = certificatesOf(resource, observed, { time, inspect: parts.inspect });
  const outside = { hash, newToken: () => 'a-new-token', images, controllerNamespace, apiServer, lifetimes };
  return resource.decide(observed, { now: time, ...outside, certificates });
}

function inputsAmong(
  queries: readonly NamedQuery[],
  objects: readonly KubeObject[],
): ReadonlyMap<string, readonly KubeObject[]> {
  const inputs = new Map<string, readonly KubeObject[]>();
  const isDue = ({ after }: NamedQuery): boolean =>
    after === undefined || (inputs.get(after.name) ?? []).length > 0 === after.found;
  const first = queries.filter(({ after }) => after === undefined);
  const second = queries.filter(({ after }) => after !== undefined);
  for (const round of [first, second]) {
    const found = round.filter(isDue).map(({ name, query }) => [name, objectsFor(query, objects)] as const);
    for (const [name, more] of found) inputs.set(name, [...(inputs.get(name) ?? []), ...more]);
  }
  for (const { name, query } of queries) {
    if (query.what === 'controllers') inputs.set(name, controllersOf(inputs.get(query.of) ?? [], query, objects));
  }
  return inputs;
}

function controllersOf(
  owned: readonly KubeObject[],
  { kind, except }: Controllers,
  objects: readonly KubeObject[],
): readonly KubeObject[] {
  const names = owned.flatMap((object) => {
    const controller = controllerOf(object);
    if (controller?.kind !== kind || controller.uid === except) return [];
    return [`${object.metadata.namespace ?? ''}/${controller.name}`];
  });
  return objects.filter(
    ({ kind: of, metadata }) => of === kind && names.includes(`${metadata.namespace}/${metadata.name}`),
  );
}

/** What the API server would answer to that query. */
function objectsFor(query: Query | Controllers, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (query.what === 'controllers') return [];
  if (query.what === 'object') return objects.filter((object) => keyOfObject(object) === keyOf(query.ref));
  return objects.filter(
    ({ apiVersion, kind, metadata }) =>
      kind === query.kind &&
      groupOf(apiVersion) === groupOf(query.apiVersion) &&
      (query.namespace === '' || query.namespace === metadata.namespace) &&
      selects(query.labelSelector, metadata.labels ?? {}),
  );
}

/** What certify would find. What would be made is a placeholder: that it is due is all that matters. */
function certificatesOf(
  resource: Resource,
  observed: Parameters<Resource['decide']>[0],
  { time, inspect }: { readonly time: string; readonly inspect: OraclesWith['inspect'] },
): Certificates {
  const question: CertificateQuestion | undefined = resource.certificates?.(observed);
  if (question === undefined) return {};
  if (question.about === 'supplied') {
    const facts = inspect(question.pair);
    return facts === undefined ? {} : { suppliedFacts: facts };
  }
  const { authority, next, leaf, names } = question;
  if (authority === undefined) return { authority: due };
  const facts = { authority: inspect(authority, authority.certificate), next: next && inspect(next, next.certificate) };
  const { signer, ...stored } = signingOf(question, facts, { now: time, lifetimes });
  const found = { ...stored, ...(stored.turn?.kind === 'due' && { authority: due }) };
  if (signer === undefined) return found;
  const leafFacts = leaf && inspect(leaf, signer.authority.certificate);
  if (leafFacts === undefined || isLeafDue(leafFacts, names, { now: time, until: signer.until })) {
    return { ...found, leaf: due, leafFacts: { notBefore: time, notAfter: time, dnsNames: names } };
  }
  return { ...found, leafFacts };
}

const due = { certificate: 'a new certificate', key: 'a new key' };
