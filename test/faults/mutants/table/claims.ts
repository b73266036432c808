import type { Mutant } from '../mutant.ts';

const steps = 'resources/distributed-service/claims/claim-steps.ts';
const holders = 'resources/distributed-service/claims/claim-holders.ts';
const claims = 'resources/distributed-service/claims/claims.ts';

/** Who has what two services want of one server, and who hears that it is free. */
export const claimMutants: readonly Mutant[] = [
  {
    id: 'taken-is-free',
    says: 'What another of its namespace holds a service takes too',
    after: 'decision 0039: who is first has it',
    edits: [
      {
        file: steps,
        from: "const others = spec.state === 'Held' ? living : [];",
        to: "const others = spec.state === 'Waiting' ? living : [];",
      },
    ],
    near: ['claim-a-port-that-is-taken'],
  },
  {
    id: 'published-before-it-is-held',
    says: 'The tunnel gets its proxy in the pass that asks for the Claim',
    after: 'decision 0039: first the Claim, then the proxy',
    edits: [
      {
        file: claims,
        from: 'return { writes, pending: writes.length > 0 };',
        to: 'return { writes, pending: writes.length > 999 };',
      },
    ],
    near: ['claim-a-port-that-is-taken', 'create-tcp'],
  },
  {
    id: 'let-go-for-ever',
    says: 'What was kept a minute for its namespace is kept for ever',
    after: 'decision 0039: the grace',
    edits: [
      {
        file: steps,
        from: 'return secondsOf(now) - secondsOf(since) >= grace;',
        to: 'return secondsOf(now) - secondsOf(since) >= grace * 9e9;',
      },
    ],
    near: ['change-expose-remote-port', 'claim-let-go-by-another-spec'],
  },
  {
    id: 'waiting-asleep',
    says: 'That a Claim is gone wakes nobody who waits for it',
    after: 'decision 0039: the event of its deletion',
    edits: [
      {
        file: 'functions/claim-changed.ts',
        from: '...(await claimantsOf(change, reader))',
        to: '...(await claimantsOf(change, reader)).slice(99)',
      },
    ],
    near: ['claim-let-go-by-deletion'],
  },
  {
    id: 'woken-and-not-looking',
    says: 'Who is woken does not look at the Claim again',
    after: 'decision 0039: who waits looks when it is woken, or asked by the resync',
    edits: [
      {
        file: 'resources/distributed-service/claims/claim-queries.ts',
        from: 'if (isWaiting && !asking.tries) return [];',
        to: 'if (isWaiting) return [];',
      },
    ],
    near: ['claim-let-go-by-deletion', 'claim-held-by-nobody-who-lives'],
  },
  {
    id: 'dead-hand',
    says: 'A Claim of a service that is gone is never taken from it',
    after: 'decision 0039: a lost holder',
    edits: [
      {
        file: holders,
        from: 'return !holders.some(({ metadata }) => isThat(metadata, { uid, name }));',
        to: "return !holders.some(({ metadata }) => isThat(metadata, { uid, name })) && name === '';",
      },
    ],
    near: ['claim-held-by-nobody-who-lives'],
  },
  {
    id: 'gate-believes-the-spec',
    says: 'The gate lets in what a spec says before anybody has looked whether it is held',
    after: 'decision 0039: the gate asks what is held',
    edits: [
      {
        file: 'resources/distributed-service/gate/admit.ts',
        from: 'if (lacking.length > 0 || status?.exposureDigest !== exposureDigest(service, { server, hash }))',
        to: "if (lacking.length > 0 || exposureDigest(service, { server, hash }) === '')",
      },
    ],
    near: ['change-expose-remote-port'],
  },
  {
    id: 'held-whatever-is-written',
    says: 'The gate is told that a service holds a proxy, whichever that is',
    after: 'decision 0039: the gate asks what is held',
    edits: [
      {
        file: 'resources/distributed-service/frp/exposed-proxy.ts',
        from: 'hash(canonical({ server, ...proxy }))',
        to: 'hash(canonical({ server, name: proxy.name }))',
      },
    ],
    near: ['change-expose-remote-port'],
  },
  {
    id: 'dead-hand-above',
    says: 'A wildcard of a service that is gone keeps hosts from others for ever',
    after: 'decision 0039: a lost holder',
    edits: [{ file: steps, from: 'isFree(rival, now) || isLost(rival, scene.wants, scene)', to: 'isFree(rival, now)' }],
    near: ['claim-below-nobody-who-lives'],
  },
  {
    id: 'hosts-of-all-namespaces',
    says: 'Services of two namespaces share a host by their paths',
    after: 'decision 0039: a host is held by one namespace',
    edits: [
      {
        file: steps,
        from: 'if (spec.namespace !== owner.metadata.namespace) {',
        to: "if (spec.namespace !== owner.metadata.namespace && spec.kind !== 'Host') {",
      },
    ],
    near: ['claim-a-path-of-a-host-elsewhere'],
  },
  {
    id: 'wildcards-not-seen',
    says: 'A host below the wildcard of another namespace is taken',
    after: 'decision 0039: a wildcard, and all that it stands for, belong to one namespace',
    edits: [
      {
        file: holders,
        from: "spec.state !== 'Waiting' && overlap(spec, want)",
        to: "spec.state === 'Waiting' && overlap(spec, want)",
      },
    ],
    near: ['claim-a-host-below-a-wildcard-elsewhere'],
  },
  {
    id: 'label-claims-forgotten',
    says: 'What an older version has left as a label holds nothing',
    after: 'decision 0039: an upgrade loses no name',
    edits: [
      {
        file: steps,
        from: 'const elder = holderByLabel(owner, want, scene);',
        to: 'const elder = owner.spec.serverProfile === want.value ? holderByLabel(owner, want, scene) : undefined;',
      },
    ],
    near: ['claim-held-by-a-label-of-before'],
    layer: 'turns',
  },
];
