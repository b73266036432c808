import type { Action } from '../fault.ts';
import { always, type CallSite, every, type FaultKind, isList, isOfParent, isRead, type Sight, seen } from './kind.ts';
import { refused } from './words.ts';

const expired = refused(410, 'Expired', 'The resourceVersion for the provided list is too old.');
const shorten = (to: 'nothing' | 'half') => (): Action => ({ do: 'shorten', to });
const spoiltFor = seen({ read: 'read-failed', write: 'unknown-done' });

/** What becomes of an answer's body. */
const bodies: Readonly<Record<Extract<Action, { do: 'garble' }>['how'], string>> = {
  cut: 'is cut off in the middle',
  'not-json': 'is the page of a proxy',
  'other-kind': 'is of another kind',
  huge: 'is larger than Knudge takes',
};

/** Of what a deletion or a scaling answers Knudge wants to know nothing but that it is JSON. */
function seesOtherKind(call: CallSite): Sight {
  return call.verb === 'delete' || call.resource.endsWith('/scale') ? 'nothing' : spoiltFor(call);
}

/** A success that says nonsense, and lists that do not say everything. */
export const spoilt: readonly FaultKind[] = [
  ...(Object.keys(bodies) as (keyof typeof bodies)[]).map(
    (how): FaultKind => ({
      id: `W16-${how}`,
      says: `the answer ${bodies[how]}`,
      when: 'after',
      appliesTo: every,
      action: () => ({ do: 'garble', how }),
      sees: how === 'other-kind' ? seesOtherKind : spoiltFor,
    }),
  ),
  {
    id: 'R3-expired',
    says: 'the list has become too old: Knudge begins it again',
    when: 'before',
    appliesTo: isList,
    action: expired,
    sees: always('nothing'),
  },
  {
    id: 'R3-expired-thrice',
    says: 'the list has become too old three times: once more than Knudge begins it again',
    when: 'before',
    appliesTo: isList,
    action: expired,
    times: 3,
    sees: always('read-failed'),
  },
  {
    id: 'R4-empty-list',
    says: 'the list is empty although it should not be',
    when: 'after',
    appliesTo: isList,
    action: shorten('nothing'),
    sees: always('too-little'),
  },
  {
    id: 'R4-half-list',
    says: 'the list has but its first half',
    when: 'after',
    appliesTo: isList,
    action: shorten('half'),
    sees: always('too-little'),
  },
  {
    id: 'R4-empty-list-on',
    says: 'each such list is empty although it should not be, until it is lifted',
    when: 'after',
    appliesTo: isList,
    action: shorten('nothing'),
    times: 'on',
    sees: always('too-little'),
  },
  {
    id: 'X9-not-served',
    says: 'the kind is not served at the moment: its definition is being replaced',
    when: 'before',
    appliesTo: isOfParent,
    action: () => ({ do: 'answer', status: 404, contentType: 'text/plain', body: '404 page not found\n' }),
    // Of a single object it says that there is none; a write begins again for that, as after a conflict.
    sees: (call) => (isList(call) ? 'read-failed' : isRead(call) ? 'old' : 'conflict'),
  },
];
