import type { Mutant } from '../mutant.ts';

/** What is foreign is not used either, and nothing leads back to itself. */
export const usingMutants: readonly Mutant[] = [
  {
    id: 'foreign-files-run',
    says: 'A tunnel is made and runs although its files are of somebody who took their names first',
    after: 'M3 of the findings',
    edits: [
      {
        file: 'resources/distributed-service/plan.ts',
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
        file: 'resources/distributed-service/children/foreign-mounts.ts',
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
        file: 'resources/distributed-service/discovery/backends.ts',
        from: 'if (own.isAt(backend.address)) problems',
        to: 'if (own.isAt(backend.address) && backend.weight > 1) problems',
      },
    ],
    near: ['backend-is-the-tunnel'],
  },
  {
    id: 'digest-of-the-foreign',
    says: 'The gate is told of the token in a Secret that somebody else has put under the name of ours',
    after: 'O8: a digest of a token that is not its own',
    edits: [
      {
        file: 'resources/distributed-service/frp/identity-secret.ts',
        from: "live !== undefined && belongsTo(live, owner) === 'ours' && !isLeaving(live)",
        to: 'live !== undefined && !isLeaving(live)',
      },
    ],
    near: ['squatted-identity'],
  },
  {
    id: 'digest-forgotten',
    says: 'The gate is told of the token by the pass that makes it, and by no later one',
    after: 'O8: a digest of no token',
    edits: [
      {
        file: 'resources/distributed-service/frp/identity-secret.ts',
        from: 'textOf(write === undefined ? stays : made, tokenKey)',
        to: 'textOf(write === undefined && live === undefined ? stays : made, tokenKey)',
      },
    ],
    near: ['create-tcp'],
  },
  {
    id: 'token-for-all-servers',
    says: 'A service that goes to another server shows it the token that the server before has seen',
    after: 'finding 12: the identity of one server is good at another',
    edits: [
      {
        file: 'resources/distributed-service/frp/identity-secret.ts',
        from: 'isOfAnotherServer(live, profile) ? undefined : textOf(live, tokenKey)',
        to: 'textOf(live, tokenKey)',
      },
    ],
    near: ['profile-address'],
  },
  {
    id: 'address-before-token',
    says: 'The configuration names another server while the token of the server before is still there',
    after: 'finding 12: a frpc that logs in just then shows the new server the token of the one before',
    edits: [
      {
        file: 'resources/distributed-service/desired.ts',
        from: 'if (identity && isOfAnotherServer(live, profile)) {',
        to: 'if (identity && live === undefined && isOfAnotherServer(live, profile)) {',
      },
    ],
    near: ['profile-address'],
  },
];
