import type { KubeObject, ObjectRef } from '../../../src/domain/kube-object.ts';
import type { Meddling } from '../plan.ts';
import type { Recorder } from './recorder.ts';
import type { PendingCall } from './run.ts';
import { type Ask, pathOf } from './user.ts';

export interface Meddler {
  readonly ask: Ask;
  readonly recorder: Recorder;
  readonly parents: readonly ObjectRef[];
  /** Counts what was made, so that each has a value of its own. */
  count: number;
}

/** Somebody who is not Knudge writes, right now. What there is nothing of to write to is left alone. */
export function meddle(how: Meddling, call: PendingCall, meddler: Meddler): void {
  const { recorder } = meddler;
  const before = recorder.by;
  recorder.by = { who: 'user' };
  meddler.count += 1;
  const { ref } = call.described;
  const parent = parentOf(ref, meddler);
  if (how.endsWith('-parent')) onParent(how, parent, meddler);
  else if (ref.name !== '') onObject(how, ref, meddler);
  recorder.by = before;
}

function onObject(how: Meddling, ref: ObjectRef, { ask, count }: Meddler): void {
  const path = pathOf(ref);
  const there = ask('GET', path) as KubeObject | undefined;
  if (how === 'squat') {
    if (there === undefined) ask('POST', pathOf({ ...ref, name: '' }), squatter(ref));
    return;
  }
  if (there === undefined) return;
  if (how === 'touch') {
    ask('MERGE', path, { metadata: { labels: { 'example.com/touched': `t${count}` } } });
    return;
  }
  remove(there, path, ask);
  if (how === 'replace') ask('POST', pathOf({ ...ref, name: '' }), bare(there));
}

function onParent(how: Meddling, parent: ObjectRef | undefined, { ask, count }: Meddler): void {
  const there = parent && (ask('GET', pathOf(parent)) as KubeObject | undefined);
  if (parent === undefined || there === undefined) return;
  const path = pathOf(parent);
  if (how === 'edit-parent') {
    ask('MERGE', path, { metadata: { annotations: { 'example.com/edited': `e${count}` } } });
    return;
  }
  ask('DELETE', path, {});
  if (how === 'recreate-parent') {
    // Whoever recreates takes the finalizer off by hand: else the name is not free.
    if (ask('GET', path) !== undefined) ask('MERGE', path, { metadata: { finalizers: null } });
    ask('POST', pathOf({ ...parent, name: '' }), bare(there));
  }
}

/** The parent that a child is named for; the only one where nothing tells. */
function parentOf({ name }: ObjectRef, { parents }: Meddler): ObjectRef | undefined {
  return parents.find((parent) => parent.name === name || name.includes(parent.name)) ?? parents[0];
}

function remove({ metadata }: KubeObject, path: string, ask: Ask): void {
  if ((metadata.finalizers ?? []).length > 0) ask('MERGE', path, { metadata: { finalizers: null } });
  ask('DELETE', path, { gracePeriodSeconds: 0 });
}

/** What a person would keep of it in a file. */
function bare({ apiVersion, kind, metadata, ...fields }: KubeObject): KubeObject {
  const { name, namespace = '', labels = {}, annotations = {} } = metadata;
  const { status, ...rest } = fields as { status?: unknown };
  return { apiVersion, kind, metadata: { name, namespace, labels, annotations }, ...rest };
}

/** Somebody else's object of that name, as small as its kind allows. */
function squatter({ apiVersion, kind, namespace, name }: ObjectRef): KubeObject {
  const metadata = { name, namespace, labels: { 'example.com/owner': 'somebody' } };
  return { apiVersion, kind, metadata, ...smallest(kind, name) };
}

function smallest(kind: string, name: string): object {
  const containers = [{ name: 'main', image: 'example.com/image:1' }];
  switch (kind) {
    case 'Service':
      return { spec: { ports: [{ port: 80 }] } };
    case 'Pod':
      return { spec: { containers } };
    case 'Deployment': {
      const labels = { 'example.com/app': name };
      return { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } };
    }
    default:
      return {};
  }
}
