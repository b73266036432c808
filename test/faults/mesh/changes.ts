import type { Stem } from '../../../functions/table.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { distributedService, message } from '../../build/objects.ts';
import type { Random } from '../input/random.ts';
import type { Wanted } from './at-rest.ts';
import { damages, type Make, type UserChange } from './damages.ts';
import { backendsIn, manual, servicesIn } from './objects.ts';
import type { Person } from './person.ts';

/** A namespace with Messages and services of every discovery in it, and what a person does to them, as a seed decides. */
export interface Tenant {
  /** What is there at the beginning, the namespace first. */
  readonly given: readonly KubeObject[];
  /** The next change that wakes this function; any, without a stem. */
  next(stem?: Stem): UserChange;
  /** What must come of all that was done. */
  wanted(): Wanted;
}

interface Given {
  readonly random: Random;
  readonly person: Person;
  /** Parents that are there besides. */
  readonly crowd?: readonly KubeObject[];
}

export function createTenant(namespace: string, { random, person, crowd = [] }: Given): Tenant {
  const { below, oneOf } = random;
  const home = { namespace };
  const messages = ['a', 'b', 'c'].map((name) => message(name, `first ${name}`, home));
  const services = servicesIn(namespace);
  const all = [...messages, ...services, ...crowd];
  const parents = new Map(all.map((parent) => [keyOf(parent), parent]));
  let count = 0;
  const counted = (): number => {
    count += 1;
    return count;
  };
  const pick = (kind: 'Message' | 'DistributedService'): KubeObject => {
    return oneOf([...parents.values()].filter((one) => one.kind === kind));
  };
  const pickExposed = (): DistributedService =>
    oneOf([...parents.values()].filter(isService).filter(({ spec }) => spec.expose?.remotePort !== undefined));
  const change = (wakes: Stem, say: string, work: () => Promise<void>): UserChange => ({ wakes, say, do: work });
  const fresh = (name: string): KubeObject => message(name, `text ${counted()} $(HOME) $$ "ü"`, home);
  const respec = (service: KubeObject): KubeObject => {
    const loadBalancing = { algorithm: oneOf(['round-robin', 'random', 'least-conn']) };
    const spec = { ...Object(Reflect.get(service, 'spec')), loadBalancing, expose: { remotePort: 10_000 + counted() } };
    return { ...service, spec } as KubeObject;
  };
  const rewrite = (parent: KubeObject): KubeObject =>
    parent.kind === 'Message' ? fresh(parent.metadata.name) : respec(parent);
  const stemOf = ({ kind }: KubeObject): Stem =>
    kind === 'Message' ? 'message-changed' : 'distributed-service-changed';
  const edit = (kind: 'Message' | 'DistributedService') => (): UserChange => {
    const next = rewrite(pick(kind));
    parents.set(keyOf(next), next);
    return change(stemOf(next), `edit ${keyOf(next)}`, () =>
      person.patch(refOf(next), { spec: Reflect.get(next, 'spec') }),
    );
  };
  const recreate = (kind: 'Message' | 'DistributedService') => (): UserChange => {
    const next = rewrite(pick(kind));
    parents.set(keyOf(next), next);
    const work = async (): Promise<void> => {
      await person.delete(refOf(next));
      await person.create(next);
    };
    return change(stemOf(next), `delete ${keyOf(next)} and create it again`, work);
  };
  const addOrRemove = (): UserChange => {
    const extra = [...parents.values()].filter((one) => one.metadata.name.startsWith('extra'));
    const [oldest] = extra;
    if (oldest !== undefined && extra.length > 1) {
      parents.delete(keyOf(oldest));
      return change(stemOf(oldest), `delete ${keyOf(oldest)}`, () => person.delete(refOf(oldest)));
    }
    const name = `extra-${counted()}`;
    const next = below(2) === 0 ? fresh(name) : distributedService(name, manual, home);
    parents.set(keyOf(next), next);
    return change(stemOf(next), `create ${keyOf(next)}`, () => person.create(next));
  };
  const damage = damages({ namespace, pick, pickExposed, random: { below, oneOf }, person });
  const makes: Readonly<Partial<Record<Stem, readonly Make[]>>> = {
    'message-changed': [edit('Message'), recreate('Message')],
    'distributed-service-changed': [edit('DistributedService'), recreate('DistributedService')],
    ...damage,
  };
  return {
    given: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ...backendsIn(namespace),
      ...parents.values(),
    ],
    next: (stem) => {
      const some = stem === undefined ? [...Object.values(makes).flat(), addOrRemove, addOrRemove] : makes[stem];
      return oneOf(some ?? [addOrRemove])();
    },
    wanted: () => ({ namespace, parents: [...parents.values()] }),
  };
}

function isService(parent: KubeObject): parent is DistributedService {
  return parent.kind === 'DistributedService';
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
