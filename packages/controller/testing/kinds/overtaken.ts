import type { Meddling } from '../fault.ts';
import {
  always,
  type CallSite,
  type FaultKind,
  isChange,
  isCreate,
  isEvent,
  isGet,
  isOfLiveChild,
  isOfLiveInput,
  isOfParent,
  isRead,
  seen,
} from './kind.ts';
import { refused, refusedBecause } from './words.ts';

const meddle = (how: Meddling) => () => ({ do: 'meddle', how }) as const;
const isCreateOfChild = (call: CallSite): boolean => isCreate(call) && !isEvent(call);
const notOfEvent = (call: CallSite): boolean => !isEvent(call);

const alreadyExists = refused(409, 'AlreadyExists', '{resource} "{name}" already exists');
const otherUid = refusedBecause(
  refused(422, 'Invalid', '{kind} "{name}" is invalid: metadata.uid: Invalid value: "x": field is immutable'),
  { reason: 'FieldValueInvalid', message: 'Invalid value: "x": field is immutable', field: 'metadata.uid' },
);

/** Somebody else is quicker, or a read says what is true no more. */
export const overtaken: readonly FaultKind[] = [
  {
    id: 'W5-conflict',
    says: 'somebody writes to the object just before',
    when: 'before',
    appliesTo: isChange,
    action: meddle('touch'),
    sees: always('conflict'),
  },
  {
    id: 'W5-conflicts',
    says: 'somebody writes to the object just before, four times in a row: once more than Knudge begins again',
    when: 'before',
    appliesTo: isChange,
    action: meddle('touch'),
    times: 4,
    sees: always('conflict'),
  },
  {
    id: 'W6-ours',
    says: 'another instance of Knudge has made the same object just before',
    when: 'after',
    appliesTo: isCreate,
    action: alreadyExists,
    sees: seen({ read: 'nothing', write: 'taken-by-ours' }),
  },
  {
    id: 'W6-foreign',
    says: 'somebody makes an object of that name just before',
    when: 'before',
    appliesTo: isCreateOfChild,
    action: meddle('squat'),
    sees: always('taken-by-another'),
  },
  {
    id: 'W7-deleted',
    says: 'somebody deletes the child just before',
    when: 'before',
    appliesTo: isOfLiveChild,
    action: meddle('delete'),
    sees: always('gone'),
  },
  {
    id: 'W7-replaced',
    says: 'somebody deletes the child just before and makes it again without an owner',
    when: 'before',
    appliesTo: isOfLiveChild,
    action: meddle('replace'),
    sees: always('replaced'),
  },
  {
    id: 'W8-other-uid',
    says: 'the API server says that the object is another than the one that was read',
    when: 'before',
    appliesTo: ({ verb, resource }) => verb === 'apply' && !resource.includes('/'),
    action: otherUid,
    sees: always('conflict'),
  },
  {
    id: 'R1-stale',
    says: 'the read says what was true before the last change',
    when: 'after',
    appliesTo: isRead,
    action: () => ({ do: 'stale' }),
    sees: always('old'),
  },
  {
    id: 'R1-stale-on',
    says: 'the first twelve such reads say what was true before the last change',
    when: 'after',
    appliesTo: isRead,
    action: () => ({ do: 'stale' }),
    times: 12,
    sees: always('old'),
  },
  {
    id: 'R2-squatted',
    says: 'somebody makes an object of that name just before Knudge looks whether there is one',
    when: 'before',
    appliesTo: (call) => isGet(call) && !isOfParent(call) && call.done.status === 404,
    action: meddle('squat'),
    sees: always('taken-by-another'),
  },
  {
    id: 'R2-input-deleted',
    says: 'somebody deletes something that the parent names, just before it is read',
    when: 'before',
    appliesTo: isOfLiveInput,
    action: meddle('delete'),
    sees: always('input-gone'),
  },
  {
    id: 'R2-parent-edited',
    says: 'somebody edits the parent just before',
    when: 'before',
    appliesTo: notOfEvent,
    action: meddle('edit-parent'),
    sees: always('parent-edited'),
  },
  {
    id: 'R2-parent-deleted',
    says: 'somebody deletes the parent just before',
    when: 'before',
    appliesTo: notOfEvent,
    action: meddle('delete-parent'),
    sees: always('parent-deleted'),
  },
  {
    id: 'R2-parent-recreated',
    says: 'somebody deletes the parent just before and makes it again',
    when: 'before',
    appliesTo: notOfEvent,
    action: meddle('recreate-parent'),
    sees: always('parent-recreated'),
  },
];
