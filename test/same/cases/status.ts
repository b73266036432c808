import type { Condition } from '../../../packages/controller/domain/conditions.ts';
import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Status } from '../../../packages/controller/domain/plan.ts';
import { type Case, field, liveOf, message, outcomeOf, preconditionOf, withFields, withOtherUid } from '../arena.ts';

function condition(type: string, status: Condition['status'] = 'True'): Condition {
  return { type, status, reason: 'Because', message: 'so it is', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

const ready: Status = { conditions: [condition('Ready')], observedGeneration: 1 };

function typesOf(object: unknown): readonly unknown[] {
  return Array.isArray(object) ? object.map((item: unknown) => new Map(Object.entries(Object(item))).get('type')) : [];
}

export const statusCases: readonly Case[] = [
  {
    name: 'status is written as it is given',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      const after = await arena.cluster.status(refOf(live), preconditionOf(live), ready);
      return [field(after, 'status', 'conditions'), field(after, 'status', 'observedGeneration')];
    },
    want: [ready.conditions, 1],
  },
  {
    name: 'status makes a new version and no new generation, and leaves the spec alone',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'hello'));
      const after = await arena.cluster.status(refOf(live), preconditionOf(live), ready);
      const isNew = after.metadata.resourceVersion !== live.metadata.resourceVersion;
      return [isNew, after.metadata.generation, field(after, 'spec', 'text')];
    },
    want: [true, 1, 'hello'],
  },
  {
    name: 'the same status again changes no version',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      const first = await arena.cluster.status(refOf(live), preconditionOf(live), ready);
      const second = await arena.cluster.status(refOf(live), preconditionOf(first), ready);
      return first.metadata.resourceVersion === second.metadata.resourceVersion;
    },
    want: true,
  },
  {
    name: 'a condition and a field that are no longer said go',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      const both = { ...ready, conditions: [condition('Accepted'), condition('Ready')] };
      const first = await arena.cluster.status(refOf(live), preconditionOf(live), both);
      const after = await arena.cluster.status(refOf(live), preconditionOf(first), {
        conditions: [condition('Ready', 'False')],
      });
      return [typesOf(field(after, 'status', 'conditions')), field(after, 'status', 'observedGeneration')];
    },
    want: [['Ready'], undefined],
  },
  {
    name: "somebody else's condition survives",
    run: async (arena) => {
      const live = await arena.user.put(
        withFields(message(arena, 'a'), { status: { conditions: [condition('Theirs')] } }),
      );
      const after = await arena.cluster.status(refOf(live), preconditionOf(live), ready);
      return [...typesOf(field(after, 'status', 'conditions'))].sort();
    },
    want: ['Ready', 'Theirs'],
  },
  {
    name: 'status of an older version is a conflict',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      await arena.user.put(message(arena, 'b'));
      const outcome = await outcomeOf(arena.cluster.status(refOf(live), preconditionOf(live), ready));
      return [outcome, typesOf(field(await liveOf(arena, live), 'status', 'conditions'))];
    },
    want: ['conflict', []],
  },
  {
    name: 'status of another uid is a conflict',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      return outcomeOf(arena.cluster.status(refOf(live), preconditionOf(withOtherUid(live)), ready));
    },
    want: 'conflict',
  },
  {
    name: 'status of what does not exist finds it gone and makes nothing',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      await arena.user.remove(refOf(live));
      const outcome = await outcomeOf(arena.cluster.status(refOf(live), preconditionOf(live), ready));
      return [outcome, await arena.cluster.get(refOf(live))];
    },
    want: ['gone', undefined],
  },
  {
    name: 'status of what is being deleted is written',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a', { finalizers: ['example.com/keep'] }));
      await arena.user.remove(refOf(live));
      const marked = await liveOf(arena, live);
      return outcomeOf(arena.cluster.status(refOf(live), preconditionOf(marked), ready));
    },
    want: 'done',
  },
];
