import { inputRounds } from '../../../packages/controller/decide/input-rounds.ts';
import type { AskingWith, Resource } from '../../../packages/controller/decide/resource.ts';
import { groupOf, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed, Plan, Query } from '../../../packages/controller/domain/plan.ts';
import { timeOf } from '../../../packages/controller/domain/time.ts';
import { parseLabelSelector } from '../../../packages/kube-api/objects/select.ts';
import { signingOf } from '../../../resources/distributed-service/certificates/authority-turn.ts';
import { isLeafDue } from '../../../resources/distributed-service/certificates/certificates.ts';
import { lifetimes } from '../../../resources/distributed-service/certificates/lifetimes.ts';
import type { Certificates } from '../../../resources/distributed-service/certificates/question.ts';
import { keyOf, keyOfObject } from './accessors.ts';
import type { OraclesWith } from './inspection.ts';
import { resourceOf } from './managed.ts';
import { questionIn } from './question.ts';

/**
 * What a decision would do about a parent if these objects were all there is: the product's `decide` on all of its
 * inputs at one moment, without the product's reads, restarts and writes. `now` in milliseconds.
 */
export function wantedFor(
  parent: KubeObject,
  objects: readonly KubeObject[],
  { now, ...parts }: OraclesWith & { readonly now: number },
): Plan | undefined {
  const { controllerNamespace, images, hash, apiServer } = parts;
  const resource = resourceOf(parent, { images, newToken: () => 'a-new-token' });
  if (resource === undefined) return undefined;
  const owner = { ...parent, apiVersion: resource.apiVersion };
  const byKey = new Map(objects.map((object) => [keyOfObject(object), object]));
  const children = new Map([...resource.children(refOf(owner))].map(([role, ref]) => [role, byKey.get(keyOf(ref))]));
  const inputs = inputsAmong(resource, { owner, objects, controllerNamespace, hash, children, tries: true });
  const observed = { owner, children, inputs };
  const time = timeOf(now / 1000);
  const certificates = certificatesOf(observed, { time, inspect: parts.inspect });
  return resource.decide(observed, { now: time, hash, controllerNamespace, apiServer, facts: { certificates } });
}

function inputsAmong(
  resource: Resource,
  { owner, objects, ...asking }: AskingWith & { readonly owner: KubeObject; readonly objects: readonly KubeObject[] },
): Observed['inputs'] {
  const lists = resource.lists?.(refOf(owner), asking.controllerNamespace) ?? [];
  const before = new Map(lists.map(({ name, query }) => [name, objectsFor(query, objects)]));
  const rounds = inputRounds(resource, owner, { ...asking, before });
  let round = rounds.next();
  while (round.done !== true) round = rounds.next(round.value.map(({ query }) => objectsFor(query, objects)));
  return round.value;
}

/** What the API server would answer to that query. */
function objectsFor(query: Query, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (query.what === 'object') return objects.filter((object) => keyOfObject(object) === keyOf(query.ref));
  const hasLabels = parseLabelSelector(query.labelSelector);
  const hasFields = fieldTest(query.fieldSelector);
  return objects.filter(
    (object) =>
      object.kind === query.kind &&
      groupOf(object.apiVersion) === groupOf(query.apiVersion) &&
      (query.namespace === '' || query.namespace === object.metadata.namespace) &&
      hasLabels(object.metadata.labels ?? {}) &&
      hasFields(object),
  );
}

/** Whether an object has the values of `<path>=<value>,…`, as our queries write it. */
function fieldTest(selector = ''): (object: KubeObject) => boolean {
  const terms = selector.split(',').filter((term) => term !== '');
  return (object) =>
    terms.every((term) => {
      const [path = '', wanted] = term.split('=');
      const step = (value: unknown, key: string): unknown => Object(value)[key];
      return path.split('.').reduce(step, object) === wanted;
    });
}

/** What certify would find. What would be made is a placeholder: that it is due is all that matters. */
function certificatesOf(
  observed: Observed,
  { time, inspect }: { readonly time: string; readonly inspect: OraclesWith['inspect'] },
): Certificates {
  const question = questionIn(observed);
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
