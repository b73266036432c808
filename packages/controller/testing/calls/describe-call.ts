import { howToAdd, kindOfPlural } from '../../domain/known-kinds.ts';
import type { ObjectRef } from '../../domain/kube-object.ts';
import type { CallVerb } from '../fault.ts';

/** The line and the content type of a request to the API server. */
export interface RequestLine {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
}

export interface DescribedCall {
  readonly verb: CallVerb;
  /** Plural, with the subresource: `deployments/scale`. */
  readonly resource: string;
  /** The name is empty for a list, and for a creation until `withCreatedName` gives it. */
  readonly ref: ObjectRef;
}

/** What a request asks for, as the faults and the oracles name it; throws where it is no call on a resource. */
export function describeCall({ method, path, contentType }: RequestLine): DescribedCall {
  const { apiVersion, namespace, plural, name, subresource } = partsOf(path);
  return {
    verb: verbOf(method, name, contentType),
    resource: subresource === '' ? plural : `${plural}/${subresource}`,
    ref: { apiVersion, kind: kindOf(plural), namespace, name },
  };
}

/** A creation has its name in its body; every other call stays as it is. */
export function withCreatedName(call: DescribedCall, body: unknown): DescribedCall {
  if (call.verb !== 'create' || call.ref.name !== '') return call;
  const { name } = (body as { metadata?: { name?: unknown } } | null | undefined)?.metadata ?? {};
  return typeof name === 'string' ? { ...call, ref: { ...call.ref, name } } : call;
}

interface PathParts {
  readonly apiVersion: string;
  readonly namespace: string;
  readonly plural: string;
  readonly name: string;
  readonly subresource: string;
}

/** `/api/v1/…` and `/apis/<group>/<version>/…`; `/namespaces/<name>` alone, or with one of its subresources, is an object. */
function partsOf(path: string): PathParts {
  const [root, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const version = root === 'api' ? rest.splice(0, 1) : rest.splice(0, 2);
  const isHome = rest[0] === 'namespaces' && rest.length > 2 && !ofNamespace.has(rest[2] ?? '');
  const namespace = isHome ? (rest.splice(0, 2)[1] ?? '') : '';
  const [plural, name = '', subresource = '', ...tooMuch] = rest;
  if ((root !== 'api' && root !== 'apis') || plural === undefined || tooMuch.length > 0) {
    throw new Error(`${path} is not the path of a resource`);
  }
  return { apiVersion: version.join('/'), namespace, plural, name, subresource };
}

const ofNamespace: ReadonlySet<string> = new Set(['status', 'finalize']);

function verbOf(method: string, name: string, contentType = ''): CallVerb {
  const [type = ''] = contentType.split(';');
  switch (method) {
    case 'GET':
      return name === '' ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'DELETE':
      return 'delete';
    case 'PATCH':
      return patchVerbOf(type.trim());
    default:
      throw new Error(`${method} is not a method of Knudge's calls`);
  }
}

function patchVerbOf(type: string): CallVerb {
  const verb = patches[type];
  if (verb === undefined) throw new Error(`a patch of type ${JSON.stringify(type)}: Knudge sends none such`);
  return verb;
}

const patches: Readonly<Record<string, CallVerb>> = {
  'application/apply-patch+yaml': 'apply',
  'application/json-patch+json': 'patch-json',
  'application/merge-patch+json': 'patch-merge',
};

function kindOf(plural: string): string {
  const kind = kindOfPlural(plural) ?? otherKinds[plural];
  if (kind === undefined)
    throw new Error(`there is no kind for ${plural}: ${howToAdd('<group>/<version>/<Kind>', plural)}`);
  return kind;
}

/** Those that Knudge does not write, and tests do. */
const otherKinds: Readonly<Record<string, string>> = { endpoints: 'Endpoints', resourcequotas: 'ResourceQuota' };
