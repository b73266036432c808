import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Finding, Trace } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { isNotice, isOk, isRead, keyOfObject, ownerUidOf } from '../oracles/accessors.ts';
import type { Marks } from './run-storm.ts';

/** Once one version is alone it wins: no child gets its images more than once, and none gets back one that it had before. */
export function flapping(trace: Trace, alone: number): readonly Finding[] {
  const seen = new Map<string, string[]>();
  return trace.changes.flatMap(({ at, by, type, object, before }): readonly Finding[] => {
    if (at < alone || by.who !== 'run' || type !== 'MODIFIED' || before === undefined) return [];
    const uid = ownerUidOf(object);
    const [now, was] = [imagesOf(object), imagesOf(before)];
    if (uid === undefined || now === undefined || now === was) return [];
    const key = `${keyOfObject(object)} ${object.metadata.uid ?? ''}`;
    const known = [...(seen.get(key) ?? []), was ?? ''];
    seen.set(key, known);
    if (!known.includes(now)) return [];
    return [{ oracle: 'O3', what: `${nameOf(refOf(object))} goes back to ${now} although one version is alone`, at }];
  });
}

function imagesOf(object: KubeObject): string | undefined {
  const containers = pick(object, 'spec', 'template', 'spec', 'containers');
  if (!Array.isArray(containers)) return undefined;
  return containers.map((container) => String(pick(container, 'image'))).join(' ');
}

/** What comes after all has come to rest, however old it is, writes nothing. */
export function writesOfLateEvents({ calls, marks: { rest } }: Trace, { belated }: Marks): readonly Finding[] {
  return calls
    .filter((call) => call.at > belated && call.at < rest && !isRead(call) && !isNotice(call) && isOk(call.done.status))
    .map(({ verb, ref, at }) => ({
      oracle: 'O3',
      what: `${verb} of ${nameOf(ref)} for an event that came too late`,
      at,
    }));
}
