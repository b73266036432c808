import type { Mutant } from '../mutant.ts';

const state = 'resources/distributed-service/status/state.ts';
const conditions = 'resources/distributed-service/status/conditions.ts';

/** What is reported, to whom, and when it is not true yet. */
export const statusMutants: readonly Mutant[] = [
  {
    id: 'state-stepped-blindly',
    says: 'What was Provisioning is Running the next time, whatever is there',
    after: 'a phase that is stepped from the old phase',
    edits: [
      {
        file: state,
        from: "  if (running) return 'Running';\n",
        to: "  if (running || before === 'Provisioning') return 'Running';\n",
      },
    ],
    near: ['create-tcp'],
    layer: 'turns',
  },
  {
    id: 'state-jumps',
    says: 'The state goes to where the facts point, be there an edge or not',
    after: 'O8: an edge that nobody allows',
    edits: [
      {
        file: state,
        from: 'if (from === goal || edges[from].includes(goal)) return goal;',
        to: 'if (from === goal || edges[from].length > 0) return goal;',
      },
    ],
    near: ['supplied-secret-mended', 'create-tcp'],
    shownBy: { kind: 'W1-crash', call: 'apply distributedservices/status' },
    layer: 'faults',
  },
  {
    id: 'running-before-rolled-out',
    says: 'A service is Running while the Pod of an older spec still runs',
    after: 'Ready too early',
    edits: [
      {
        file: 'resources/distributed-service/status/status.ts',
        from: 'const isCurrent = isRolledOut(tunnel) && !touchesTunnel(owner, work) && !isLeft;',
        to: 'const isCurrent = true;',
      },
    ],
    near: ['change-expose-remote-port', 'drift-tunnel-image'],
  },
  {
    id: 'ready-without-running',
    says: 'Ready is the sum of the other conditions, whatever the state is',
    after: 'Ready too early',
    edits: [{ file: conditions, from: "is('Ready', isRunning),", to: "is('Ready', open === undefined)," }],
    near: ['change-expose-remote-port', 'create-tcp'],
  },
  {
    id: 'running-before-it-wants',
    says: 'A service is Running by the pass that only tells what its new spec wants at the server',
    after: 'Ready too early',
    edits: [
      {
        file: 'resources/distributed-service/status/status.ts',
        from: ' && !touchesTunnel(owner, work) && !isLeft;',
        to: ' && !touchesTunnel(owner, work);',
      },
    ],
    near: ['change-expose-remote-port'],
  },
  {
    id: 'generation-too-early',
    says: 'The generation is told by a pass that leaves its work to the next one',
    after: 'O8: observedGeneration that is not what was reconciled',
    edits: [
      {
        file: 'resources/distributed-service/status/status.ts',
        from: 'isUnderWay: seen.hasMore,',
        to: 'isUnderWay: false,',
      },
    ],
    near: ['change-expose-remote-port'],
  },
  {
    id: 'processed-before-ready',
    says: 'A Message is Processed when its Pod exists',
    after: 'Ready too early',
    edits: [
      {
        file: 'resources/message/message.ts',
        from: 'if (isReady) return yes(',
        to: 'if (isReady || (pod !== undefined && pod.metadata.deletionTimestamp === undefined)) return yes(',
      },
    ],
    near: ['message-create'],
    layer: 'turns',
  },
  {
    id: 'generation-behind',
    says: 'The status tells the generation that was observed the time before',
    after: 'O8: observedGeneration that is not what was reconciled',
    edits: [
      {
        file: 'resources/distributed-service/status/status.ts',
        from: ': (owner.metadata.generation ?? 0);',
        to: ': (before.observedGeneration ?? owner.metadata.generation ?? 0);',
      },
    ],
    near: ['change-expose-remote-port'],
  },
  {
    id: 'generation-ahead',
    says: 'The status of a Message tells the generation that the next change will have',
    after: 'O8: observedGeneration above the generation',
    edits: [
      {
        file: 'packages/controller/decide/defined/status.ts',
        from: 'const observedGeneration = owner.metadata.generation ?? 0;',
        to: 'const observedGeneration = (owner.metadata.generation ?? 0) + (owner.status === undefined ? 0 : 1);',
      },
    ],
    near: ['message-create'],
  },
  {
    id: 'told-again-and-again',
    says: 'A Kubernetes Event says at every event that a Message is processed',
    after: 'R4: writes at rest',
    edits: [
      {
        file: 'packages/controller/decide/defined/status.ts',
        from: 'const notices = stateIn(before) === state ? [] : tell(verdict);',
        to: 'const notices = tell(verdict);',
      },
    ],
    near: ['message-create'],
  },
  {
    id: 'done-and-not-reported',
    says: 'A Pod is replaced, another handler writes the status first, and nobody reads that the Pod was replaced',
    after: 'O12: the next pass finds nothing to write, and reports nothing',
    edits: [
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: 'if (so.isWhole || of?.every(isWritten) === true)',
        to: 'if (so.isWhole)',
      },
    ],
    near: ['change-text'],
    layer: 'schedules',
  },
  {
    id: 'key-in-the-status',
    says: 'The message of TunnelAvailable shows the private key that the tunnel proves itself with',
    after: 'S13: secrets in the status',
    edits: [
      {
        file: conditions,
        from: 'function tunnel({ tunnel: deployment, endpoints }: Seen)',
        to: 'function tunnel({ tunnel: deployment, endpoints, certificates: shown }: Seen)',
      },
      {
        file: conditions,
        from: "message: 'The Pod of the tunnel is ready' }",
        to: "message: 'The Pod of the tunnel is ready ' + (shown.leaf?.key ?? '') }",
      },
    ],
    near: ['create-generated-mtls'],
  },
];
