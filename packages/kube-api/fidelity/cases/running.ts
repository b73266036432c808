import { at, group, post, type Step, until } from '../case.ts';
import { image } from './bodies.ts';

const labels = { app: 'web' };
/** Of the Deployment. */
export const path = group('apps/v1', 'deployments', 'web');
const deployment = (replicas: number, more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image }] } },
    ...more,
  },
});
export const items = (body: unknown): readonly unknown[] => {
  const found = at(body, 'items');
  return Array.isArray(found) ? found : [];
};
export const isReady = (replicas: number) => (body: unknown) =>
  at(body, 'status.readyReplicas') === replicas &&
  (at(body, 'status.terminatingReplicas') ?? 0) === 0 &&
  at(body, 'status.updatedReplicas') === replicas &&
  at(body, 'status.replicas') === replicas &&
  at(body, 'status.observedGeneration') === at(body, 'metadata.generation');
/** A Deployment web whose Pods are ready. */
export const made = (replicas: number): readonly Step[] => [
  post(group('apps/v1', 'deployments'), deployment(replicas)),
  until(path, isReady(replicas)),
];
export const gone = (_: unknown, code: number) => code === 404;
export const none = (body: unknown) => items(body).length === 0;

export function count(body: unknown): unknown {
  return items(body).length;
}
