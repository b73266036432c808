import type { Mutant } from '../mutant.ts';

/** What the Broker gets as an answer: what it brings again, and what it never does. */
export const answerMutants: readonly Mutant[] = [
  {
    id: 'failure-among-many-ignored',
    says: 'When an event concerns several parents, one that fails is forgotten',
    after: 'a 2xx on failure',
    edits: [
      {
        file: 'packages/controller/functions/reconcile-all.ts',
        from: '  if (worst !== undefined) throw others.length === 0 ? worst : ofSeveral(worst, others);\n',
        to: '',
      },
    ],
    near: ['drift-balanced-deleted', 'several-share-a-profile'],
    shownBy: { kind: 'W13', call: 'get' },
    layer: 'faults',
  },
  {
    id: 'success-on-failure',
    says: 'An event that could not be dealt with now is answered with 204, and the Broker does not bring it again',
    after: 'a 2xx on failure',
    edits: [
      {
        file: 'packages/controller/server/respond.ts',
        from: "if (error.retry === 'refused') return",
        to: "if (error.retry === 'refused' || error.retry === 'later') return",
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W13' },
    layer: 'faults',
  },
  {
    id: 'later-is-never',
    says: 'While the API server is away events are answered with 400, which goes to the dead letters at once',
    after: 'O9: what can be retried is not',
    edits: [
      {
        file: 'packages/controller/domain/errors.ts',
        from: "unavailable: { retry: 'later', status: 503 },",
        to: "unavailable: { retry: 'never', status: 400 },",
      },
    ],
    near: ['message-create'],
    shownBy: { kind: 'W13', call: 'get' },
    layer: 'faults',
  },
  {
    id: 'refused-comes-again',
    says: 'A write that no retry can help is answered with 503',
    after: 'W8 and W10: a denial that is retried',
    edits: [
      {
        file: 'packages/controller/domain/errors.ts',
        from: "'admission-denied': { retry: 'refused', status: 204 },",
        to: "'admission-denied': { retry: 'later', status: 503 },",
      },
    ],
    near: ['message-create', 'create-tcp'],
    shownBy: { kind: 'W10' },
    layer: 'faults',
  },
  {
    id: 'ending-namespace-comes-again',
    says: 'What cannot be made because the namespace is going is answered with 503, for as long as it goes',
    after: 'kopf 1088: a namespace that does not go',
    edits: [
      {
        file: 'packages/controller/domain/errors.ts',
        from: "'namespace-terminating': { retry: 'refused', status: 204 },",
        to: "'namespace-terminating': { retry: 'later', status: 503 },",
      },
    ],
    near: ['message-create', 'delete-namespace'],
    shownBy: { kind: 'W11' },
    layer: 'faults',
  },
];
