import { defineResource, notYet, yes } from '@knudge/controller';
import type { Greeting } from './types.ts';

/** A Greeting becomes a ConfigMap with its text. The engine does the rest: owner, labels, drift, status, Events, back-off. */
export const greeting = defineResource<Greeting>()({
  apiVersion: 'demo.example.org/v1',
  kind: 'Greeting',
  children: ({ name }) => ({ text: { apiVersion: 'v1', kind: 'ConfigMap', name: `greeting-${name}` } }),
  desired: ({ owner: { spec } }) => ({ text: { data: { text: spec.text } } }),
  ready: ({ children }) =>
    children.text ? yes('Written', 'The ConfigMap has the text') : notYet('Writing', 'The ConfigMap is being made'),
});
