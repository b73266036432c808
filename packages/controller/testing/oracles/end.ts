import { resourceIn } from '../../decide/resource-in.ts';
import { describe, refOf } from '../../domain/kube-object.ts';
import { compare } from '../compare/differences.ts';
import type { Mask } from '../compare/mask.ts';
import { generalMasks } from '../compare/masks.ts';
import { pick } from '../trace-words.ts';
import { isNotice, isRead, type Judge, keyOf, parentUidOf } from './judged.ts';

/** Marks that the kit itself makes, as somebody who meddles. */
const meddled = 'example.com/';

const masksFor = new WeakMap<object, readonly Mask[]>();

function masksOf(resources: Parameters<Judge>[0]['resources']): readonly Mask[] {
  const known = masksFor.get(resources);
  if (known !== undefined) return known;
  const made: readonly Mask[] = [
    ...generalMasks((ref) => resourceIn(resources, ref) !== undefined),
    {
      hides: 'addresses',
      why: 'they are given out from ranges',
      text: (text, { nameAddresses }) => nameAddresses(text),
    },
    {
      hides: 'the marks of those who meddle',
      why: 'they are the fault',
      paths: [
        ['metadata', 'labels'],
        ['metadata', 'annotations'],
      ],
      shown: (map) => Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !key.startsWith(meddled))),
    },
  ];
  masksFor.set(resources, made);
  return made;
}

/** At rest all is as it is without the fault. */
export const sameEnd: Judge = ({ trace, clean, resources, altersEnd }) =>
  altersEnd || trace === clean
    ? []
    : compare({ trace, objects: trace.resting }, { trace: clean, objects: clean.resting }, masksOf(resources));

/** Once all is at rest nothing is written (R4). */
export const nothingAtRest: Judge = ({ trace: { calls, marks } }) =>
  calls
    .filter((call) => call.at > marks.rest && !isRead(call))
    .map(({ verb, resource, ref }) => `${verb} of ${resource} ${ref.name} by a resync, although nothing had changed`);

/** In the run without a fault, the resync finds nothing to do: each change had woken the parent. */
export const woken: Judge = ({ trace, clean }) =>
  trace !== clean
    ? []
    : trace.calls
        .filter((call) => call.at > trace.marks.lifted && call.at < trace.marks.rest && !isRead(call))
        .map(
          ({ verb, resource, ref }) => `${verb} of ${resource} ${ref.name} came with the resync alone: no event woke`,
        );

/** A parent that is gone leaves nothing behind. */
export const nothingLeft: Judge = ({ trace, resources }) => {
  const there = new Set(trace.objects.map(({ metadata }) => metadata.uid));
  const gone = trace.changes
    .filter(({ type, object }) => type === 'DELETED' && resourceIn(resources, object) !== undefined)
    .map(({ object }) => object)
    .filter(({ metadata }) => !there.has(metadata.uid));
  const present = new Set(trace.objects.map((object) => keyOf(refOf(object))));
  return gone
    .filter((parent) => !present.has(keyOf(refOf(parent))))
    .flatMap((parent) => {
      const names = new Set(
        [...(resourceIn(resources, parent)?.children(refOf(parent)).values() ?? [])].map((child) => keyOf(child)),
      );
      return trace.objects
        .filter((object) => isMade(object, trace))
        .filter((object) => names.has(keyOf(refOf(object))) || parentUidOf(object, resources) === parent.metadata.uid)
        .map((object) => `${describe(refOf(object))} is still there, and ${describe(refOf(parent))} is gone`);
    });
};

/** Whether a run has made this very object. */
function isMade(
  { metadata }: { readonly metadata: { readonly uid?: string } },
  { changes }: Parameters<Judge>[0]['trace'],
): boolean {
  return changes.some(
    ({ by, type, object }) => by.who === 'run' && type === 'ADDED' && object.metadata.uid === metadata.uid,
  );
}

/** As many writes as without the fault, and some for each try. */
export const bounded: Judge = ({ trace, clean }) => {
  const [here, there] = [trace, clean].map(
    ({ calls }) => calls.filter((call) => !isRead(call) && !isNotice(call)).length,
  ) as [number, number];
  const most = 3 * there + 12;
  return here > most
    ? [`${String(here)} writes, and ${String(there)} without the fault: ${String(most)} are enough`]
    : [];
};

/** Without a fault every event is answered with success. */
export const answered: Judge = ({ trace, clean }) =>
  trace !== clean
    ? []
    : trace.answers
        .filter(({ status }) => status >= 300)
        .map(({ stem, status, body }) => `an event of ${stem} was answered ${String(status)}: ${messageIn(body)}`);

function messageIn(body: string): string {
  try {
    return String(pick(JSON.parse(body), 'message') ?? body);
  } catch {
    return body;
  }
}
