import type { ObjectRef } from '../../controller/domain/kube-object.ts';
import { childrenOf } from '../../controller/functions/child-kinds.ts';
import type { Controller } from '../../controller/functions/define-controller.ts';
import type { EventRow, FunctionRow } from '../../controller/functions/rows.ts';
import type { FirstEvent } from './compile.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** The parent of an object, which is gone, and the labels that name it. */
interface Concerning {
  readonly owner: Kind | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Two changes of an object of this kind (`group/Kind`): one that concerns no parent, and one whose parent is read and found gone. */
export function changesOf(rowKind: string, { owner, labels = {} }: Concerning): readonly FirstEvent[] {
  const [group = '', kind = ''] = rowKind.split('/');
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  const metadata = { name: 'first', namespace: 'build', uid: '1', resourceVersion: '1' };
  const owners = owner === undefined ? [] : [{ ...owner, name: 'gone', uid: '2', controller: true }];
  return [metadata, { ...metadata, labels, ownerReferences: owners }].map((meta, index) => ({
    ...event,
    headers: {
      ...attributes(index),
      'content-type': 'application/json',
      'ce-type': 'dev.knative.apiserver.resource.update',
      'ce-subject': `/apis/${apiVersion}/namespaces/build/${kind.toLowerCase()}s/first`,
      'ce-apiversion': apiVersion,
      'ce-kind': kind,
      'ce-namespace': 'build',
      'ce-name': 'first',
    },
    body: JSON.stringify({ apiVersion, kind, metadata: meta }),
  }));
}

/** An event of each type that a function takes. */
export function eventsOf({ types }: Pick<EventRow, 'types'>): readonly FirstEvent[] {
  const all = types === 'every' ? ['dev.knative.apiserver.resource.update'] : types;
  return all.map((type, index) => ({ ...event, headers: { ...attributes(index), 'ce-type': type }, body: '' }));
}

/** The first work of a Service of any controller after it woke. A function that answers questions gets none: nobody knows which it takes. */
export function firstEventsOf(controller: Controller, service: string): readonly FirstEvent[] {
  const stems = controller.stemsOf(service);
  const isAlone = stems.length === 1 && stems[0] === service;
  return stems.flatMap((stem) =>
    ofRow(controller, controller.functions[stem]).map((one) => (isAlone ? one : { ...one, path: `/${stem}` })),
  );
}

function ofRow({ resources }: Controller, row: FunctionRow | undefined): readonly FirstEvent[] {
  if (row === undefined || row.wakes === 'question') return [];
  if (row.wakes === 'event') return eventsOf(row);
  const kind = row.kind.slice(row.kind.indexOf('/') + 1);
  const owner = resources.find((one) => childrenOf(one).some((child) => child.kind === kind)) ?? resources[0];
  return changesOf(row.kind, { owner: owner && { apiVersion: owner.apiVersion, kind: owner.kind } });
}

const event = { path: '/', status: 204 } as const;

function attributes(index: number): Readonly<Record<string, string>> {
  return {
    'ce-specversion': '1.0',
    'ce-id': `first-${String(index)}`,
    'ce-source': 'https://10.96.0.1:443',
    'ce-time': '2026-01-01T00:00:00.123456789Z',
  };
}
