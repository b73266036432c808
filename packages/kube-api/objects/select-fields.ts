import { badRequest } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { groupResource } from '../schema/kind.ts';

interface Term {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

/** Fields by which a kind can be selected besides its name and namespace; measured on kube-apiserver 1.35. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  events: [
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
      (field) => `involvedObject.${field}`,
    ),
    ...['reason', 'reportingComponent', 'source', 'type'],
  ],
  'events.events.k8s.io': [
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
      (field) => `regarding.${field}`,
    ),
    ...['reason', 'reportingController', 'type'],
  ],
  'jobs.batch': ['status.successful'],
};

/** A field selector as a test of objects of a kind; throws 400 for a field that the kind cannot be selected by. */
export function parseFieldSelector(text: string, kind: Kind): (object: JsonObject) => boolean {
  // As on the real server only one fault is reported: the one in the first term by the alphabet.
  const terms = splitTerms(text)
    .toSorted()
    .map((term) => parseTerm(term, text));
  for (const { field } of terms) insistOnField(field, kind);
  const read = kind.custom ? textAt : valueAt;
  return (object) => terms.every(({ field, isEqual, value }) => (read(object, field) === value) === isEqual);
}

function splitTerms(text: string): readonly string[] {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
}

function parseTerm(term: string, text: string): Term {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
  const [, field = '', sign, value = ''] = match;
  return { field, isEqual: sign !== '!=', value: unescaped(value) };
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|=/gs, (found, escaped: string) => {
    if (found === '=') throw badRequest('invalid field selector: unescaped character in value: 61');
    if (/^[\\,=]$/.test(escaped)) return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}

function insistOnField(field: string, kind: Kind): void {
  const resource = groupResource(kind);
  const special = Object.hasOwn(fieldsOf, resource) ? fieldsOf[resource] : undefined;
  const hasNamespace = kind.custom ? kind.namespaced : resource !== 'namespaces';
  const isKnown = field === 'metadata.name' || (field === 'metadata.namespace' && hasNamespace);
  if (isKnown || special?.includes(field) === true || kind.selectable?.includes(field) === true) return;
  if (resource === 'jobs.batch') throw badRequest(`field label "${field}" not supported for Job`);
  if (special !== undefined || kind.custom) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** For a built-in kind, whose flags are never absent. */
function valueAt(object: JsonObject, field: string): string {
  if (field === 'source') return valueAt(object, 'source.component') || valueAt(object, 'reportingComponent');
  const text = textAt(object, field);
  return text === '' && isFlag(field) ? 'false' : text;
}

/** Empty if there is no such field. */
function textAt(object: JsonObject, field: string): string {
  let found: Json | undefined = object;
  for (const key of field.split('.')) found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found === undefined || found === null || typeof found === 'object' ? '' : String(found);
}

function isFlag(field: string): boolean {
  return field === 'spec.unschedulable' || field === 'spec.hostNetwork';
}
