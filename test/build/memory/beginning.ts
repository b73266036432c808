import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { memoryJournal, type Snapshot } from '../../../packages/controller/testing/sim/snapshot.ts';
import { createApi } from '../../../packages/kube-api/api.ts';
import { readCrd } from '../../crds/read.ts';
import { greetingCrd } from '../greeting-crd.ts';
import { given } from '../objects.ts';

/** `none`: resources take any field, as for objects that were stored under another definition. */
export type Schemas = 'ours' | 'none';

/** What a cluster begins with. */
export type Beginning = Pick<Snapshot, 'revision' | 'objects'>;

const beginnings = new Map<Schemas, Beginning>();

/** A cluster with our definitions and the namespaces of most tests, made once. */
export function beginningWith(schemas: Schemas): Beginning {
  const made = beginnings.get(schemas) ?? prepared(schemas === 'ours' ? (crd) => crd : withoutSchema);
  beginnings.set(schemas, made);
  return made;
}

function prepared(definition: (crd: KubeObject) => KubeObject): Beginning {
  const { journal, read } = memoryJournal(undefined);
  const api = createApi({ journal, schedule: (task) => task() });
  const ours = ['messages', 'distributedservices', 'claims'].map((plural) => readCrd(plural) as unknown as KubeObject);
  for (const crd of [...ours, greetingCrd]) api.client.create(definition(crd));
  for (const name of ['shop', given().controllerNamespace]) api.client.create(namespace(name));
  api.close();
  return read();
}

function withoutSchema(crd: KubeObject): KubeObject {
  const { spec } = crd as unknown as { readonly spec: { readonly versions: readonly Record<string, unknown>[] } };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = spec.versions.map(({ selectableFields: _, ...version }) => ({ ...version, schema }));
  return { ...crd, spec: { ...spec, versions } } as KubeObject;
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
