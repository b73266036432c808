import { type Case, core, get, post } from '../case.ts';
import { image, pod } from './bodies.ts';

const log = (query: string): string => `${core('pods', 'web')}/log${query}`;
const containers = ['web', 'side'].map((name) => ({ name, image }));

/** What the API server refuses of a log before it asks a kubelet: neither server has one here. */
export const logsCases: readonly Case[] = [
  {
    name: 'the log of a container that the Pod does not have is refused, and of a Pod that is not there',
    given: [post(core('pods'), pod())],
    steps: [get(log('?container=other')), get(`${core('pods', 'nobody')}/log`)],
  },
  {
    name: 'the log of a Pod with several containers needs the name of one',
    given: [post(core('pods'), pod({ containers }))],
    steps: [get(log('')), get(log('?container='))],
  },
  {
    name: 'the log of a Pod with several containers offers its init containers too',
    given: [post(core('pods'), pod({ containers, initContainers: [{ name: 'first', image }] }))],
    steps: [get(log(''))],
  },
  {
    name: 'a log is refused for numbers that are none or too small, before anything else',
    steps: [
      get(log('?tailLines=x')),
      get(log('?tailLines=-1')),
      get(log('?limitBytes=0')),
      get(log('?sinceSeconds=0')),
      get(log('?tailLines=-1&limitBytes=0&container=other')),
      get(log('?sinceSeconds=1&sinceTime=2026-11-21T08:00:00Z')),
    ],
  },
];
