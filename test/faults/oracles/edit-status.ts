import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { editCalls, editChanges, put } from './edit-trace.ts';

type Path = readonly (string | number)[];

function isStatusOf(kind: string): (change: TracedChange) => boolean {
  return ({ by, type, object }) => by.who === 'run' && type === 'MODIFIED' && object.kind === kind;
}

/** The last status that a run wrote, with something else in it. */
export function told(trace: Trace, kind: string, edit: (object: KubeObject) => KubeObject): Trace {
  const last = trace.changes.findLast(isStatusOf(kind));
  return editChanges(
    trace,
    (change) => change === last,
    (change) => ({ ...change, object: edit(change.object) }),
  );
}

/** The service as it is at the end, with something else in it. */
export function endsWith(trace: Trace, edit: (object: KubeObject) => KubeObject): Trace {
  const objects = trace.objects.map((one) => (one.kind === 'DistributedService' ? edit(one) : one));
  return { ...trace, objects };
}

/** What was read before the last status was written. */
export function readAs(trace: Trace, kind: string, edit: (object: KubeObject) => KubeObject): Trace {
  const write = trace.calls.findLast(({ verb, resource }) => verb === 'apply' && resource.endsWith('/status'));
  const isRead = ({ verb, ref, at }: TracedCall): boolean =>
    verb === 'get' && ref.kind === kind && at < (write?.at ?? 0);
  const last = trace.calls.findLast(isRead);
  return editCalls(
    trace,
    (call) => call === last,
    (call) => ({ ...call, seen: { ...call.seen, body: edit(call.seen.body as KubeObject) } }),
  );
}

/** The last status that was sent, with something else in it. */
export function written(trace: Trace, edit: (call: TracedCall) => TracedCall): Trace {
  const last = trace.calls.findLast(({ verb, resource }) => verb === 'apply' && resource.endsWith('/status'));
  return editCalls(trace, (call) => call === last, edit);
}

/** No list has ever found a Pod. */
export function withoutPods(trace: Trace): Trace {
  return editCalls(
    trace,
    ({ verb, resource }) => verb === 'list' && resource === 'pods',
    (call) => ({ ...call, seen: { ...call.seen, body: { items: [] } } }),
  );
}

export const putIn =
  (path: Path, value: unknown) =>
  <Value>(object: Value): Value =>
    put(object, path, value);
