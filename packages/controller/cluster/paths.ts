import { KnudgeError } from '../domain/errors.ts';
import { howToAdd, type KnownKind, knownKind } from '../domain/known-kinds.ts';
import { describe, groupOf, type ObjectRef } from '../domain/kube-object.ts';

/** `/apis/apps/v1/namespaces/shop/deployments/web`, with its subresource if one is named. */
export function objectPath(ref: ObjectRef, subresource?: 'status' | 'scale'): string {
  const path = `${collectionPath(ref)}/${segment(ref.name, ref)}`;
  if (known(ref).namespaced && ref.namespace === '') {
    throw new KnudgeError('invalid-request', `${describe(ref)} has no namespace: name one`);
  }
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `/api/v1/namespaces/shop/pods`; an empty namespace means all of them. */
export function collectionPath(ref: Omit<ObjectRef, 'name'>): string {
  const { plural, namespaced } = known(ref);
  const root = groupOf(ref.apiVersion) === '' ? '/api' : '/apis';
  const version = ref.apiVersion.split('/').map(encodeURIComponent).join('/');
  const home = namespaced && ref.namespace !== '' ? `/namespaces/${segment(ref.namespace, { ...ref, name: '' })}` : '';
  return `${root}/${version}${home}/${plural}`;
}

/** The plural that metrics and errors name, with the subresource. */
export function resourceName(ref: Omit<ObjectRef, 'name'>, subresource?: string): string {
  const { plural } = known(ref);
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

function known({ apiVersion, kind }: Omit<ObjectRef, 'name'>): KnownKind {
  const resource = knownKind({ apiVersion, kind });
  if (resource !== undefined) return resource;
  throw new KnudgeError(
    'internal',
    `Knudge knows no kind ${kind} of ${apiVersion}: ${howToAdd(`${apiVersion}/${kind}`)}`,
  );
}

/**
 * One encoded segment. The API server decodes the path before it splits it, so an encoded slash would reach another
 * object or a subresource: such names exist nowhere (apimachinery `validation/path`) and are refused.
 */
function segment(name: string, ref: ObjectRef): string {
  if (/^$|^\.\.?$|[/%]/.test(name)) {
    throw new KnudgeError(
      'invalid-request',
      `${describe(ref)}: ${JSON.stringify(name.slice(0, 80))} is not a name in Kubernetes`,
    );
  }
  return encodeURIComponent(name);
}
