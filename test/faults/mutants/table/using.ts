import type { Mutant } from '../mutant.ts';

/** What is foreign is not used either, and nothing leads back to itself. */
export const usingMutants: readonly Mutant[] = [
  {
    id: 'foreign-files-run',
    says: 'A tunnel is made and runs although its files are of somebody who took their names first',
    after: 'M3 of the findings',
    edits: [
      {
        file: 'src/decide/distributed-service/plan.ts',
        from: 'const mounts = mountsOf(observed, profile);',
        to: 'const mounts = mountsOf({ ...observed, children: new Map() }, profile);',
      },
    ],
    near: ['squatted-config', 'squatted-identity'],
  },
  {
    id: 'foreign-files-kept-running',
    says: 'A tunnel that runs goes on when somebody puts files of his own in the place of ours',
    after: 'M3 of the findings',
    edits: [
      {
        file: 'src/decide/distributed-service/foreign-mounts.ts',
        from: "if (mounts !== 'foreign' || tunnel",
        to: "if (mounts !== 'outgoing' || tunnel",
      },
    ],
    near: ['squatter-of-config-comes', 'squatter-of-endpoints-comes'],
  },
  {
    id: 'tunnel-behind-itself',
    says: 'A selector that fits the Pod of the tunnel makes it its own backend',
    after: 'M2 of the findings',
    edits: [
      {
        file: 'src/decide/distributed-service/backends.ts',
        from: 'if (own.isAt(backend.address)) problems',
        to: 'if (own.isAt(backend.address) && backend.weight > 1) problems',
      },
    ],
    near: ['backend-is-the-tunnel'],
  },
];
