import type { Mutant } from '../mutant.ts';

const reconcile = 'packages/controller/reconcile/reconcile.ts';
const transport = 'packages/controller/cluster/transport.ts';

/** When to begin again, how often, and how long to wait: efforts without a bound, and none where one is owed. */
export const restartMutants: readonly Mutant[] = [
  {
    id: 'restarts-without-end',
    says: 'A reconcile begins again after every conflict, for ever',
    after: 'W5: retries without a bound',
    edits: [
      {
        file: reconcile,
        from: 'const most = { restarts: 3, passes: 8 };',
        to: 'const most = { restarts: Number.POSITIVE_INFINITY, passes: Number.POSITIVE_INFINITY };',
      },
    ],
    near: ['message-create', 'change-expose-remote-port'],
    shownBy: { kind: 'W5' },
    layer: 'faults',
  },
  {
    id: 'conflict-swallowed',
    says: 'A conflict counts as done: whoever wrote first will have been right',
    after: 'a 2xx on failure; kopf 732: a change is lost under load',
    edits: [
      {
        file: reconcile,
        from: '      restarts += 1;\n',
        to: "      restarts += 1;\n      if (error instanceof KnudgeError && error.code === 'conflict') return { result: 'done', known: [] };\n",
      },
    ],
    near: ['message-create', 'change-expose-remote-port'],
    shownBy: { kind: 'W5' },
    layer: 'faults',
  },
  {
    id: 'old-observation-kept',
    says: 'After a conflict the same plan is written over the newest version, without reading what it rests on again',
    after: 'R3; "retry on conflict" that keeps the old decision',
    edits: [
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: '      await writer.apply(write.object, write.live, write.strays);\n',
        to: `      await writer.apply(write.object, write.live).catch(async (error: unknown) => {
        if (!(error instanceof KnudgeError) || error.code !== 'conflict') throw error;
        const { uid } = write.live.metadata;
        await writer.apply(write.object, { ...write.live, metadata: { name: write.live.metadata.name, ...(uid && { uid }) } });
      });\n`,
      },
    ],
    near: ['drift-endpoints-changed', 'change-expose-remote-port'],
    layer: 'schedules',
  },
  {
    id: 'refusal-forgotten',
    says: 'What the API server refused is tried again at once, until the passes are used up',
    after: 'W10: a denied write retried like a conflict',
    edits: [{ file: reconcile, from: '      refused = step.refused;\n', to: '' }],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W10-webhook-403-on' },
    layer: 'faults',
  },
  {
    id: 'throttled-without-waiting',
    says: 'A throttled call is sent again at once, as long as it is throttled',
    after: 'W12: 429 ignored',
    edits: [
      {
        file: transport,
        from: 'const ms = Math.max(asked, firstWaitMs * 2 ** tries.throttled);',
        to: 'const ms = 0;',
      },
    ],
    near: ['message-create'],
    shownBy: { kind: 'W12-throttled-on' },
    layer: 'faults',
  },
  {
    id: 'throttled-is-refused',
    says: 'A 429 is taken for a quota that is used up: the event is done',
    after: 'W12: 429 ignored',
    edits: [
      {
        file: 'packages/controller/cluster/errors.ts',
        from: "if (status === 429) return 'throttled';",
        to: "if (status === 429) return 'quota-exceeded';",
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W12-throttled-date-ahead' },
    layer: 'faults',
  },
  {
    id: 'reads-repeated-without-end',
    says: 'A read is repeated as long as the API server answers with 5xx',
    after: 'W13: a retry loop without an end',
    edits: [{ file: transport, from: '  tries.repeated = true;\n', to: '' }],
    near: ['message-create'],
    shownBy: { kind: 'W13', call: 'get' },
    layer: 'faults',
  },
  {
    id: 'calls-without-time-out',
    says: 'A call waits for its answer for as long as it takes',
    after: 'W17: a slow call',
    edits: [
      { file: transport, from: 'timeout: Math.max(tries.deadline - began, 1),', to: 'timeout: 2_000_000_000,' },
      {
        file: 'packages/controller/server/deadline.ts',
        from: 'return await Promise.race([work, promise])',
        to: 'promise.catch(() => {});\n    return await work',
      },
    ],
    near: ['message-create'],
    shownBy: { kind: 'W3-time-out' },
    layer: 'faults',
  },
  {
    id: 'deadline-dropped',
    says: 'An event is answered only when its work is done, however long the Broker has given up waiting',
    after: 'E7: a handler slower than its Trigger',
    edits: [
      {
        file: 'packages/controller/server/deadline.ts',
        from: 'return await Promise.race([work, promise])',
        to: 'promise.catch(() => {});\n    return await work',
      },
    ],
    near: ['create-tcp'],
    shownBy: { kind: 'W17-all' },
    layer: 'faults',
  },
];
