import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Notice } from '../../../packages/controller/domain/plan.ts';
import { type Arena, type Case, field, message } from '../arena.ts';

const notice: Notice = { type: 'Normal', reason: 'Created', note: 'made the Pod' };

async function events({ cluster, namespace, name }: Arena): Promise<readonly unknown[]> {
  const all = await cluster.list({ apiVersion: 'events.k8s.io/v1', kind: 'Event', namespace, labelSelector: '' });
  return all
    .filter(
      (event) =>
        field(event, 'regarding', 'name') === name && field(event, 'reportingController') === 'knudge.dev/controller',
    )
    .map((event) => ['type', 'reason', 'note'].map((key) => field(event, key)));
}

export const noticeCases: readonly Case[] = [
  {
    name: 'a notice is an Event about the object',
    run: async (arena) => {
      await arena.cluster.notice(await arena.user.put(message(arena, 'a')), notice);
      return events(arena);
    },
    want: [['Normal', 'Created', 'made the Pod']],
  },
  {
    name: 'the same notice about the same version is one Event',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      await arena.cluster.notice(live, notice);
      await arena.cluster.notice(live, notice);
      return (await events(arena)).length;
    },
    want: 1,
  },
  {
    name: 'the same notice about another version is another Event',
    run: async (arena) => {
      await arena.cluster.notice(await arena.user.put(message(arena, 'a')), notice);
      await arena.cluster.notice(await arena.user.put(message(arena, 'b')), notice);
      return (await events(arena)).length;
    },
    want: 2,
  },
  {
    name: 'a notice that is far too long is cut, not lost',
    run: async (arena) => {
      await arena.cluster.notice(await arena.user.put(message(arena, 'a')), { ...notice, note: 'ä'.repeat(4000) });
      return events(arena);
    },
    want: [['Normal', 'Created', 'ä'.repeat(512)]],
  },
  {
    name: 'a notice about what is gone is still told',
    run: async (arena) => {
      const live = await arena.user.put(message(arena, 'a'));
      await arena.user.remove(refOf(live));
      await arena.cluster.notice(live, notice);
      return (await events(arena)).length;
    },
    want: 1,
  },
];
