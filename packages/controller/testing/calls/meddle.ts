import { setTimeout as sleep } from 'node:timers/promises';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { Meddling } from '../fault.ts';
import { Refused, type User } from '../user.ts';
import { bareCopy, squatter } from './bare-copy.ts';
import type { DescribedCall } from './describe-call.ts';

export interface Meddler {
  readonly user: User;
  readonly parents: readonly ObjectRef[];
  /** Waits a moment; real time if absent. */
  readonly pause?: () => Promise<void>;
}

/**
 * Somebody else's write at the moment of a call. Where it makes no sense (the object is not there, or is there already)
 * or the API server refuses it, nothing is written.
 */
export async function meddle(how: Meddling, call: Pick<DescribedCall, 'ref'>, meddler: Meddler): Promise<void> {
  try {
    await write(how, call, meddler);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

async function write(how: Meddling, { ref }: Pick<DescribedCall, 'ref'>, meddler: Meddler): Promise<void> {
  const { user } = meddler;
  const at = how.endsWith('-parent') ? parentOf(ref, meddler) : ref;
  const there = at === undefined || at.name === '' ? undefined : await user.get(at);
  if (there === undefined || at === undefined) {
    if (how === 'squat' && ref.name !== '') await user.create(squatter(ref));
    return;
  }
  switch (how) {
    case 'squat':
      return;
    case 'touch':
      return void (await user.patch(at, { metadata: { labels: { 'example.com/touched': valueFor(there) } } }));
    case 'edit-parent':
      return void (await user.patch(at, { metadata: { annotations: { 'example.com/edited': valueFor(there) } } }));
    case 'delete':
    case 'delete-parent':
      return user.delete(at);
    case 'replace':
    case 'recreate-parent':
      return makeAgain(there, meddler);
  }
}

/** Another at each version: the same once more would be no write. */
function valueFor({ metadata }: KubeObject): string {
  return `v${metadata.resourceVersion ?? ''}`;
}

/** The parent that a child is named for; the only one where nothing shows it. */
function parentOf({ name }: ObjectRef, { parents }: Meddler): ObjectRef | undefined {
  return parents.find((parent) => parent.name === name || name.includes(parent.name)) ?? parents[0];
}

/** The person who makes it again takes finalizers off by hand: else the name is not free. */
async function makeAgain(object: KubeObject, { user, pause = () => sleep(20) }: Meddler): Promise<void> {
  const ref = refOf(object);
  await user.delete(ref);
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const left = await user.get(ref);
    if (left === undefined) {
      await user.create(bareCopy(object));
      return;
    }
    if ((left.metadata.finalizers ?? []).length > 0)
      await unlessGone(user.patch(ref, { metadata: { finalizers: null } }));
    else await pause();
  }
  throw new Error(`${ref.kind} ${ref.name} does not go, so nobody can make it again`);
}

/** With `pause` as it is by itself: three seconds, more than the grace of any Pod in the scenarios. */
const mostLooks = 150;

async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!/\b404\b/.test(String(error))) throw error;
  });
}
