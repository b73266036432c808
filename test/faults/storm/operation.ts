import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { User } from '../../../packages/controller/testing/user.ts';
import type { Place } from '../scenario.ts';

/** Something that a person does, and how long nobody does anything after it. */
export interface Operation {
  readonly kind: string;
  /** Which of the objects; as a number that is taken modulo how many there are. */
  readonly who: number;
  /** In which of its ways. */
  readonly how: number;
  /** This many turns pass before the next operation. */
  readonly turns: number;
  /** Who has those turns: a seed of its own, so that taking one operation away leaves the others as they are. */
  readonly order: number;
}

/** What a deed is given. */
export interface Doing {
  readonly user: User;
  readonly who: number;
  readonly how: number;
}

/** Does it and says in words what was done; undefined where there was nothing to do it to. */
export type Deed = (doing: Doing) => Promise<string | undefined>;

export interface DeedRow {
  /** How often it comes, beside the others. */
  readonly weight: number;
  readonly deed: Deed;
}

export type Deeds = Readonly<Record<string, DeedRow>>;

/** The places of a storm: one namespace with several parents, another with namesakes. */
export const shop: Place = { namespace: 'shop', controller: 'knudge' };
const town: Place = { namespace: 'town', controller: 'knudge' };
export const places: readonly Place[] = [shop, town];

const service = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' };
const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' };

/** Names that nearly meet: what one calls its tunnel another calls its certificate. */
export const services: readonly ObjectRef[] = [
  { ...service, namespace: 'shop', name: 'web' },
  { ...service, namespace: 'shop', name: 'web-tls' },
  { ...service, namespace: 'town', name: 'web' },
];
export const messages: readonly ObjectRef[] = [
  { ...message, namespace: 'shop', name: 'hello' },
  { ...message, namespace: 'town', name: 'hello' },
];
export const parents: readonly ObjectRef[] = [...services, ...messages];

/** One of a list, whatever the number. */
export function pickFrom<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
