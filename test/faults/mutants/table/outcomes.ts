import type { Mutant } from '../mutant.ts';

const errors = 'packages/controller/cluster/errors.ts';

/** What the answer to a write is taken for. */
export const outcomeMutants: readonly Mutant[] = [
  {
    id: 'exists-already-is-fine',
    says: 'A create that finds the name taken counts as done, whoever owns what is there',
    after: 'Crossplane: an unknown outcome taken for a success',
    edits: [
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: "      if (!(error instanceof KnudgeError) || error.retry !== 'refused'",
        to: "      if (error instanceof KnudgeError && error.code === 'already-exists') continue;\n      if (!(error instanceof KnudgeError) || error.retry !== 'refused'",
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W6-ours' },
    layer: 'faults',
  },
  {
    id: 'unknown-is-success',
    says: 'A write whose answer never came counts as done',
    after: 'Crossplane: an unknown outcome taken for a success',
    edits: [
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: "      if (!(error instanceof KnudgeError) || error.retry !== 'refused'",
        to: "      if (error instanceof KnudgeError && error.code === 'outcome-unknown') continue;\n      if (!(error instanceof KnudgeError) || error.retry !== 'refused'",
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W3-time-out' },
    layer: 'faults',
  },
  {
    id: 'refused-is-skipped',
    says: 'A write that was refused for good is passed over, and the status never says so',
    after: 'an error that is logged and forgotten',
    edits: [
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: '      return { code: error.code, ref: target, message: error.message };\n',
        to: '      continue;\n',
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W10' },
    layer: 'faults',
  },
  {
    id: 'server-error-is-a-refusal',
    says: 'A 5xx to a write is taken for a refusal: the event is done, and a condition blames the object',
    after: 'W13: 5xx taken for the last word',
    edits: [
      {
        file: errors,
        from: "if (status >= 500) return 'outcome-unknown';",
        to: "if (status >= 500) return 'admission-denied';",
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W13-500', call: 'apply messages/status' },
    layer: 'faults',
  },
  {
    id: 'other-uid-is-a-refusal',
    says: 'The 422 of an apply to an object that was made anew is taken for an invalid object',
    after: 'W8: an object recreated between read and write',
    edits: [
      {
        file: errors,
        from: "return causes.some(({ field }) => field === 'metadata.uid') ? 'conflict' : undefined;",
        to: 'return undefined;',
      },
    ],
    near: ['drift-endpoints-changed', 'change-expose-remote-port'],
    shownBy: { kind: 'W8-other-uid' },
    layer: 'faults',
  },
  {
    id: 'conflict-is-a-refusal',
    says: 'A 409 to a write is taken for an invalid object',
    after: 'W5: a conflict that nobody retries',
    edits: [{ file: errors, from: "'already-exists' : 'conflict';", to: "'already-exists' : 'invalid-object';" }],
    near: ['change-expose-remote-port', 'message-create'],
    shownBy: { kind: 'W5-conflict', call: 'apply distributedservices/status' },
    layer: 'faults',
  },
  {
    id: 'secret-quoted-in-an-error',
    says: 'An error about a write without an answer repeats what was sent, be it a Secret',
    after: 'S13: secrets in logs',
    edits: [
      {
        file: 'packages/controller/cluster/conclude.ts',
        from: '; it may have happened, so read again`',
        to: "; it may have happened, so read again` + JSON.stringify(call.body ?? '')",
      },
    ],
    near: ['create-tcp', 'create-generated-mtls'],
    shownBy: { kind: 'W4-unreachable', call: 'create secrets' },
    layer: 'faults',
  },
  {
    id: 'post-repeated-blindly',
    says: 'A POST is sent again after a broken connection or a 5xx, as a read is',
    after: 'cert-manager 8514: a key is made twice',
    edits: [
      {
        file: 'packages/controller/cluster/transport.ts',
        from: 'if (!isRead(call) || tries.repeated) return false;',
        to: 'if (tries.repeated) return false;',
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W3-reset-after' },
    layer: 'faults',
  },
];
