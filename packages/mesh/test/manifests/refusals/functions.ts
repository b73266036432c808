import type { Refusal } from './refusal.ts';

const service = (spec: string, annotations = '{}'): Readonly<Record<string, string>> => ({
  'deploy/functions/f.yaml': `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: f, namespace: home }
spec:
  template:
    metadata: { annotations: ${annotations} }
    spec:
${spec}
`,
});
const container = '      containers: [{ image: f }]';
const scaled = (annotation: string) => service(container, `{ autoscaling.knative.dev/${annotation} }`);
const inService = (line: number, rest: string): string => `deploy/functions/f.yaml:${line}: spec.template.${rest}`;

export const functions: readonly Refusal[] = [
  [
    'more requests at a time than Knative takes',
    service(`${container}\n      containerConcurrency: 1001`),
    inService(9, 'spec.containerConcurrency: invalid value: 1001, must be a whole number from 0 to 1000'),
  ],
  [
    'a time-out over the longest',
    service(`${container}\n      timeoutSeconds: 601`),
    inService(9, 'spec.timeoutSeconds: invalid value: 601, must be a whole number from 1 to 600'),
  ],
  [
    'two containers',
    service('      containers: [{ image: a }, { image: b }]'),
    inService(8, 'spec.containers: expected exactly one container: locally a function is one'),
  ],
  [
    'PORT',
    service('      containers: [{ env: [{ name: PORT, value: "1" }] }]'),
    inService(8, 'spec.containers[0].env[0].name: PORT is a reserved environment variable'),
  ],
  [
    'a variable that cannot be one',
    service('      containers: [{ env: [{ name: A=B, value: "1" }] }]'),
    inService(8, 'spec.containers[0].env[0].name: invalid value: "A=B" is not the name of a variable'),
  ],
  [
    'a scale that is no text',
    scaled('max-scale: 5'),
    inService(6, "metadata.annotations[autoscaling.knative.dev/max-scale]: must be a text: write '5'"),
  ],
  [
    'a scale that is no number',
    scaled("min-scale: '-1'"),
    inService(
      6,
      'metadata.annotations[autoscaling.knative.dev/min-scale]: invalid value: "-1", must be a whole number',
    ),
  ],
  [
    'a least scale over the most',
    scaled("max-scale: '1', autoscaling.knative.dev/min-scale: '2'"),
    inService(6, 'metadata.annotations[autoscaling.knative.dev/min-scale]: is more than max-scale 1'),
  ],
  [
    'a target of nothing',
    scaled("target: '0'"),
    inService(
      6,
      'metadata.annotations[autoscaling.knative.dev/target]: invalid value: "0", must be a number of at least 0.01',
    ),
  ],
  [
    'a window that is too short',
    scaled("window: '5s'"),
    inService(
      6,
      'metadata.annotations[autoscaling.knative.dev/window]: invalid value: "5s", must be a duration from 6s to 1h',
    ),
  ],
];
