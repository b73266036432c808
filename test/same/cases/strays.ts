import { type Case, deployment, field, liveOf, onLive, service, withFields } from '../arena.ts';
import { portsOf } from './ownership.ts';

/** What an apply takes away although somebody else has set it. */
export const strayCases: readonly Case[] = [
  {
    name: "somebody else's port under the name of ours goes as a stray, and the object stays the one it was",
    run: async (arena) => {
      const first = await arena.cluster.create(service(arena, [80]));
      const ports = [{ name: 'p80', port: 8080, protocol: 'TCP' }];
      const theirs = await arena.user.put(withFields(first, { spec: { ...Object(field(first, 'spec')), ports } }));
      const strays = [['f:spec', 'f:ports', 'k:{"port":8080,"protocol":"TCP"}']];
      const after = await arena.cluster.apply(service(arena, [80]), theirs, strays);
      return [portsOf(after), after.metadata.uid === first.metadata.uid];
    },
    want: [[80], true],
  },
  {
    name: "somebody else's field goes as a stray with all below it, and what else is theirs stays",
    run: async (arena) => {
      const made = deployment(arena, 'stray');
      await arena.cluster.create(made);
      const theirs = { template: { spec: { nodeSelector: { disk: 'none' } } }, minReadySeconds: 9 };
      await onLive(arena, made, (live) =>
        arena.user.put(withFields(live, { spec: merged(field(live, 'spec'), theirs) })),
      );
      const strays = [['f:spec', 'f:template', 'f:spec', 'f:nodeSelector']];
      await onLive(arena, made, (live) => arena.cluster.apply(made, live, strays));
      const after = await liveOf(arena, made);
      return [field(after, 'spec', 'template', 'spec', 'nodeSelector'), field(after, 'spec', 'minReadySeconds')];
    },
    want: [undefined, 9],
  },
];

/** Objects over objects, whatever else over whatever else. */
function merged(below: unknown, above: unknown): unknown {
  if (typeof below !== 'object' || typeof above !== 'object' || below === null || above === null) return above;
  const there = new Map(Object.entries(below));
  return {
    ...below,
    ...Object.fromEntries(
      Object.entries(above).map(([key, value]) => [key, there.has(key) ? merged(there.get(key), value) : value]),
    ),
  };
}
