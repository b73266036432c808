import { defineResource } from '../../packages/controller/decide/define.ts';
import { notYet, yes } from '../../packages/controller/decide/defined/ready.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/** A resource of somebody else's: one ConfigMap that greets a person, and one that bids them farewell where that is wanted. */
export interface Greeting extends KubeObject {
  readonly spec: { readonly person: string; readonly farewell?: boolean };
}

export const greeting = defineResource<Greeting>()({
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  children: ({ name }) => ({
    hello: { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-hello` },
    farewell: { apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-farewell` },
  }),
  desired: ({ owner: { spec } }) => ({
    hello: { data: { text: `Hello, ${spec.person}` } },
    farewell: spec.farewell ? { data: { text: `Farewell, ${spec.person}` } } : undefined,
  }),
  ready: ({ children: { hello } }) =>
    hello === undefined ? notYet('Greeting', 'The greeting is being made') : yes('Greeted', 'The person is greeted'),
  status: ({ state }) => ({ phase: state }),
});
