import { greeting } from '../../../../test/build/greeting.ts';
import type { Resource } from '../../decide/resource.ts';
import { type KubeObject, refOf } from '../../domain/kube-object.ts';
import type { Observed, Plan, Write } from '../../domain/plan.ts';

/** A Greeting whose plan is spoilt. */
function spoiling(spoil: (plan: Plan, observed: Observed, made: number) => Plan): Resource {
  let made = 0;
  return {
    ...greeting,
    decide: (observed, given) => {
      made += 1;
      return spoil(greeting.decide(observed, given), observed, made);
    },
  };
}

const withWrites = (plan: Plan, change: (write: Write) => readonly Write[]): Plan => ({
  ...plan,
  writes: plan.writes.flatMap(change),
});

/** The same Greeting, with another text in each child that is to be written. */
function texting(text: (observed: Observed, now: string) => string): Resource {
  return {
    ...greeting,
    decide: (observed, given) => {
      const owner = {
        ...observed.owner,
        spec: { ...Object(Reflect.get(observed.owner, 'spec')), person: text(observed, given.now) },
      };
      return greeting.decide({ ...observed, owner }, given);
    },
  };
}

let numbers = 0;
function aNumber(): string {
  numbers += 1;
  return String(numbers);
}

const applied = (object: KubeObject, live: KubeObject, live2: Partial<KubeObject['metadata']>): Write => ({
  do: 'apply',
  object,
  live: { ...live, metadata: { ...live.metadata, ...live2 } },
});

interface Broken {
  readonly resource: Resource;
  /** Which finds the mistake. */
  readonly oracle: string;
  /** In which scenario; `create` if absent. */
  readonly during?: 'change' | 'delete';
}

/** Greetings with one mistake each. */
export const broken: Readonly<Record<string, Broken>> = {
  'what is desired is another at each decision, as by Math.random': {
    resource: texting(aNumber),
    oracle: 'nothing-at-rest',
  },
  'what is desired hangs on the clock': {
    resource: texting((_, now) => now),
    oracle: 'nothing-at-rest',
  },
  'the status is written first': {
    resource: spoiling((plan) => ({
      ...plan,
      writes: plan.writes.toSorted(({ do: one }) => (one === 'status' ? -1 : 1)),
    })),
    oracle: 'status-last',
  },
  'the status is not written after a child': {
    resource: spoiling((plan) => withWrites(plan, (write) => (write.do === 'status' ? [] : [write]))),
    oracle: 'status-last',
  },
  'a child is written over any version': {
    resource: spoiling((plan) =>
      withWrites(plan, (write) =>
        write.do === 'delete'
          ? [{ ...write, precondition: { ...write.precondition, resourceVersion: '1' } }]
          : write.do === 'apply'
            ? [applied(write.object, write.live, { resourceVersion: '1' })]
            : [write],
      ),
    ),
    oracle: 'over-what-was-read',
    during: 'change',
  },
  'a child has no owner': {
    resource: spoiling((plan) =>
      withWrites(plan, (write) =>
        write.do === 'create'
          ? [{ ...write, object: { ...write.object, metadata: { ...write.object.metadata, ownerReferences: [] } } }]
          : [write],
      ),
    ),
    oracle: 'nothing-left',
    during: 'delete',
  },
  'a child is written that is not among the children': {
    resource: spoiling((plan, { owner }) => {
      const { namespace = '', name } = refOf(owner);
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-other`, namespace } };
      return plan.writes.length === 0
        ? plan
        : { ...plan, writes: [{ do: 'create', object, mayExist: true }, ...plan.writes] };
    }),
    oracle: 'children-first',
  },
  'it is never done': {
    resource: spoiling((plan) => ({ ...plan, again: true })),
    oracle: 'answered',
  },
  'what is somebody else’s is deleted': {
    resource: spoiling((plan, { children }) => {
      const foreign = [...children.values()].filter(
        (child) => child !== undefined && child.metadata.ownerReferences === undefined,
      );
      const writes = foreign.map((child): Write => {
        const { uid = '', resourceVersion = '' } = child?.metadata ?? {};
        return {
          do: 'delete',
          ref: refOf(child as KubeObject),
          precondition: { uid, resourceVersion },
          propagation: 'Background',
        };
      });
      return { ...plan, writes: [...writes, ...plan.writes] };
    }),
    oracle: 'no-foreign-touch',
  },
  'one more child is made at each decision': {
    resource: spoiling((plan, { owner }) => {
      const { namespace = '', name } = refOf(owner);
      const { uid = '' } = owner.metadata;
      const ownerReferences = [{ apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true }];
      const metadata = { name: `${name}-${aNumber()}`, namespace, ownerReferences };
      return { ...plan, writes: [{ do: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } }] };
    }),
    oracle: 'comes-to-rest',
  },
  'from the seventh decision on it makes nothing': {
    resource: spoiling((plan, _, made) => (made < 7 ? plan : { ...plan, writes: [] })),
    oracle: 'decides-the-same',
  },
  'where something is in the way, it takes the rest away and makes it again': {
    resource: spoiling((plan, { children }) => {
      const [hello, farewell] = ['hello', 'farewell'].map((role) => children.get(role));
      const isForeign = (child: KubeObject | undefined): boolean =>
        child !== undefined && child.metadata.ownerReferences === undefined;
      const own = [hello, farewell].find((child) => child !== undefined && !isForeign(child));
      if (!isForeign(hello) && !isForeign(farewell)) return plan;
      if (own === undefined) return { ...plan, again: plan.writes.length > 0 };
      const { uid = '', resourceVersion = '' } = own.metadata;
      const gone: Write = {
        do: 'delete',
        ref: refOf(own),
        precondition: { uid, resourceVersion },
        propagation: 'Background',
      };
      return { ...plan, writes: [gone, ...plan.writes], again: true };
    }),
    oracle: 'bounded-writes',
  },
  'a child is made when the status says nothing yet, and never again': {
    resource: spoiling((plan, { owner }) =>
      Reflect.get(owner, 'status') === undefined
        ? plan
        : withWrites(plan, (write) => (write.do === 'create' ? [] : [write])),
    ),
    oracle: 'same-end',
  },
};
