import { at, core, post, type Step } from '../case.ts';
import { configMap, image } from './bodies.ts';

/** What is patched: a ConfigMap and the template of a Deployment. */
export const path = core('configmaps', 'web');
export const made: readonly Step[] = [
  post(core('configmaps'), configMap({ color: 'blue', size: 'small' }, { labels: { app: 'web' } }), {
    save: { uid: 'metadata.uid', version: 'metadata.resourceVersion' },
  }),
];
/** Its controller writes its status: of the answers only the template is compared. */
export const deployment = {
  metadata: { name: 'web' },
  spec: {
    paused: true,
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image,
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            args: ['one', 'two'],
          },
          { name: 'side', image },
        ],
        volumes: [{ name: 'data', emptyDir: {} }],
      },
    },
  },
};
export const template = { view: (body: unknown) => at(body, 'spec.template') ?? body };
