import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Write } from '../../../packages/controller/domain/plan.ts';
import { isTime } from '../../../packages/controller/domain/time.ts';
import type { Given } from '../given.ts';
import { annotations } from '../names.ts';
import { type Authorities, authorityWrites, isFixed } from './ca-secret.ts';
import type { GeneratedQuestion } from './question.ts';
import { renewalOf } from './renewal.ts';

/**
 * The writes of a rotation, which are two: the first stores the successor and adds its certificate to the bundle, the last puts the
 * successor in the place of the older authority. Between them nothing is written, because the clock decides which of the two signs.
 */
export function rotationWrites(live: KubeObject, question: GeneratedQuestion, given: Given): readonly Write[] {
  const stored = wantedOf(question, given);
  return stored === undefined ? [] : authorityWrites(live, question.profile, stored);
}

function wantedOf({ authority, next }: GeneratedQuestion, { certificates }: Given): Authorities | undefined {
  const { turn, isNextBroken, authority: made } = certificates;
  // Knudge does not overwrite a successor that a person has broken: the status asks a person to mend it.
  if (authority === undefined || turn === undefined || isNextBroken) return undefined;
  switch (turn.kind) {
    case 'alone':
      return { authority };
    case 'due':
      return made === undefined ? undefined : { authority, next: made };
    case 'overlap':
    case 'handing-over':
      return next === undefined ? undefined : { authority, next };
    case 'over':
      return next === undefined ? undefined : { authority: next };
  }
}

/** A note for the status about the rotation of the authority: what a person has to do, and until when; empty if nothing. */
export function rotationNote(live: KubeObject, { certificates, now }: Given): string {
  const { turn, signerFacts } = certificates;
  const where = `${live.metadata.namespace ?? ''}/${live.metadata.name}`;
  const wanted = live.metadata.annotations?.[annotations.rotate];
  if (turn?.kind === 'overlap')
    return `from ${turn.until} another authority signs, so until then the FRP server must be started with ca.crt of Secret ${where}`;
  if (wanted !== undefined && !isTime(wanted))
    return `the annotation ${annotations.rotate} of Secret ${where} is not a time`;
  if (!isFixed(live) || signerFacts === undefined || now < renewalOf(signerFacts)) return '';
  return `Secret ${where} is immutable, so that its authority, which ends at ${signerFacts.notAfter}, gets no successor: delete it before that`;
}
