import type { Mutant } from '../mutant.ts';

const claims = 'src/decide/distributed-service/claims.ts';

/** Who has what two services want of one server, and who hears that it is free. */
export const claimMutants: readonly Mutant[] = [
  {
    id: 'younger-keeps-it',
    says: 'Of two who want the same the younger has it',
    after: 'decision 0018: the older one',
    edits: [
      {
        file: claims,
        from: 'return left < right ? -1 : left > right ? 1 : 0;',
        to: 'return left < right ? 1 : left > right ? -1 : 0;',
      },
    ],
    near: ['claim-a-port-that-is-taken', 'claim-of-a-younger-one'],
  },
  {
    id: 'label-is-enough',
    says: 'Whoever carries the label has it, whatever his spec wants',
    after: 'decision 0018: labels only find the others',
    edits: [
      {
        file: claims,
        from: 'const claim = [...claims].find(([one, key]) => wants.has(one) && told[key] === held);',
        to: 'const claim = [...claims].find(([, key]) => wants.size >= 0 && told[key] !== undefined);',
      },
    ],
    near: ['claim-let-go-by-the-older'],
  },
  {
    id: 'let-go-in-silence',
    says: 'What is wanted no more loses its label, so the event of that change says nothing to those who wait',
    after: 'decision 0018: the value released',
    edits: [
      {
        file: claims,
        from: 'return Object.fromEntries((news.length > 0 ? news : gone).map(([key]) => [key, released]));',
        to: 'return Object.fromEntries((news.length > 9999 ? news : []).map(([key]) => [key, released]));',
      },
    ],
    near: ['claim-let-go-by-the-older'],
  },
  {
    id: 'rivals-asleep',
    says: 'An event about a balanced Service wakes its owner alone',
    after: 'decision 0018: all that have a label in common',
    edits: [
      {
        file: 'functions/service-changed.ts',
        from: 'return reconcileAll([...labelledServiceOf(service), ...claimants], context);',
        to: 'return reconcileAll([...labelledServiceOf(service), ...claimants.slice(0, 1)], context);',
      },
    ],
    near: ['claim-let-go-by-deletion', 'claim-of-a-younger-one'],
  },
  {
    id: 'gone-and-not-believed',
    says: 'What the event of a deletion says of claims counts for nothing, for nobody can read it any more',
    after: 'decision 0018: the event of a deletion carries the labels as they were',
    edits: [
      {
        file: 'src/parents/rivals.ts',
        from: '...(await sharing(heldIn(hint).slice(0, mostBelieved), reader))',
        to: '...(await sharing(heldIn(hint).slice(mostBelieved), reader))',
      },
    ],
    near: ['claim-let-go-by-deletion'],
  },
  {
    id: 'claims-untold',
    says: 'The tunnel gets its proxy before anybody can see what the service wants',
    after: 'decision 0018: first the labels, then those of the others',
    edits: [
      {
        file: claims,
        from: 'const pending = Object.keys(wanted).some((key) => live[key] !== held);',
        to: 'const pending = Object.keys(wanted).some((key) => live[key] === undefined && key === held);',
      },
    ],
    near: ['claim-at-the-same-time', 'claim-a-port-that-is-taken'],
  },
];
