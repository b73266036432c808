import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import {
  type Case,
  deployment,
  distributedService,
  field,
  liveOf,
  onLive,
  outcomeOf,
  preconditionOf,
  withOtherUid,
} from '../arena.ts';

export const scaleCases: readonly Case[] = [
  {
    name: 'scale sets the replicas of a DistributedService and counts a generation',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 1));
      await arena.cluster.scale(refOf(live), preconditionOf(live), 3);
      const after = await liveOf(arena, live);
      return [field(after, 'spec', 'backends', 'replicas'), after.metadata.generation];
    },
    want: [3, 2],
  },
  {
    name: 'scale sets the replicas of a Deployment',
    run: async (arena) => {
      const created = await arena.cluster.create(deployment(arena, 'scaled'));
      await onLive(arena, created, (live) => arena.cluster.scale(refOf(live), preconditionOf(live), 1));
      return field(await liveOf(arena, created), 'spec', 'replicas');
    },
    want: 1,
  },
  {
    name: 'scale of an older version is a conflict and changes nothing',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 1));
      await arena.user.put(distributedService(arena, 2));
      const outcome = await outcomeOf(arena.cluster.scale(refOf(live), preconditionOf(live), 3));
      return [outcome, field(await liveOf(arena, live), 'spec', 'backends', 'replicas')];
    },
    want: ['conflict', 2],
  },
  {
    name: 'scale of another uid is a conflict and changes nothing',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 1));
      const outcome = await outcomeOf(arena.cluster.scale(refOf(live), preconditionOf(withOtherUid(live)), 3));
      return [outcome, field(await liveOf(arena, live), 'spec', 'backends', 'replicas')];
    },
    want: ['conflict', 1],
  },
  {
    name: 'scale of an older version of a Deployment is a conflict',
    run: async (arena) => {
      const created = await arena.cluster.create(deployment(arena, 'older'));
      await onLive(arena, created, (live) => arena.cluster.scale(refOf(live), preconditionOf(live), 1));
      return outcomeOf(arena.cluster.scale(refOf(created), preconditionOf(created), 2));
    },
    want: 'conflict',
  },
  {
    name: 'scale of another uid of a Deployment is a conflict',
    run: async (arena) => {
      const created = await arena.cluster.create(deployment(arena, 'other'));
      const live = await liveOf(arena, created);
      return outcomeOf(arena.cluster.scale(refOf(live), preconditionOf(withOtherUid(live)), 2));
    },
    want: 'conflict',
  },
  {
    name: 'scale of what does not exist finds it gone',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 1));
      await arena.user.remove(refOf(live));
      return outcomeOf(arena.cluster.scale(refOf(live), preconditionOf(live), 3));
    },
    want: 'gone',
  },
  {
    name: 'the same scale again changes no version',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 1));
      await arena.cluster.scale(refOf(live), preconditionOf(live), 2);
      const first = await liveOf(arena, live);
      await arena.cluster.scale(refOf(live), preconditionOf(first), 2);
      return (await liveOf(arena, live)).metadata.resourceVersion === first.metadata.resourceVersion;
    },
    want: true,
  },
  {
    name: 'scale works from nothing and to nothing',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 0));
      await arena.cluster.scale(refOf(live), preconditionOf(live), 2);
      const up = await liveOf(arena, live);
      await arena.cluster.scale(refOf(live), preconditionOf(up), 0);
      return [up, await liveOf(arena, live)].map((object) => field(object, 'spec', 'backends', 'replicas'));
    },
    want: [2, 0],
  },
  {
    name: 'scale below nothing is an invalid object',
    run: async (arena) => {
      const live = await arena.user.put(distributedService(arena, 1));
      return outcomeOf(arena.cluster.scale(refOf(live), preconditionOf(live), -1));
    },
    want: 'invalid-object',
  },
];
