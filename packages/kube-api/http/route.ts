import type { Kind } from '../schema/kind.ts';
import type { Kinds } from '../schema/kinds.ts';
import { ApiProblem } from './problem.ts';

/** What a path names: objects of a kind, one of them, or a part of one. */
export interface Target {
  readonly kind: Kind;
  /** Empty: cluster-scoped, or all namespaces. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  readonly subresource: string;
  /** `/api/v1/watch/…`, the old way to ask for a watch. */
  readonly watch: boolean;
}

/** `/api/v1/namespaces/x/pods/y/status` → its target; undefined for a group or version that is not served. */
export function route(path: string, kinds: Kinds): Target | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const [group, version, ...rest] = parts[0] === 'api' ? ['', ...parts.slice(1)] : parts.slice(1);
  if (group === undefined || version === undefined) return undefined;
  const ofGroup = kinds.all().filter((kind) => kind.group === group);
  // A built-in group answers for a version that it lacks; a group of definitions is not served at all then.
  if (!ofGroup.some((kind) => kind.version === version || !kind.custom)) return undefined;
  const watch = rest[0] === 'watch';
  const { namespace, plural, name, subresource, tooLong } = split(watch ? rest.slice(1) : rest);
  const kind = kinds.find({ group, version, plural });
  const isScope = kind?.namespaced === true ? namespace !== '' || name === '' : namespace === '';
  if (kind?.custom === true && !isScope) return undefined;
  if (kind === undefined || tooLong || !isScope) throw noResource();
  return { kind, namespace, name, subresource, watch };
}

function split(parts: readonly string[]) {
  // A namespace is an object too, and has subresources of its own.
  const isInside = parts[0] === 'namespaces' && parts.length > 2 && !ofNamespace.has(parts[2] ?? '');
  const [plural = '', name = '', subresource = '', ...more] = isInside ? parts.slice(2) : parts;
  return {
    namespace: isInside ? decode(parts[1]) : '',
    plural,
    name: decode(name),
    subresource,
    tooLong: more.length > 0,
  };
}

const ofNamespace = new Set(['status', 'finalize']);

function decode(part = ''): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The answer to a path that no route of a served version takes; measured on kube-apiserver 1.35. */
export function noResource(): ApiProblem {
  return new ApiProblem(404, 'NotFound', { message: 'the server could not find the requested resource', details: {} });
}

export function noMethod(): ApiProblem {
  return new ApiProblem(405, 'MethodNotAllowed', {
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}
