import { apart, together } from './facts.ts';
import { brokerAccess, tokensOf } from './secure.ts';
import { serviceApart } from './service.ts';
import { indented, listed } from './text.ts';

const pointing = apart.map(
  (stem) => `- target:
    kind: Trigger
    name: ${stem}
  patch: |-
    - {op: test, path: /spec/subscriber/ref/name, value: ${together}}
    - {op: replace, path: /spec/subscriber/ref/name, value: ${stem}}
`,
);

const component = `# A Knative Service for each function, so that each scales, and fails, by itself. In a list of \`components\` it is the first, and on top of
# deploy/overlays/secure it comes with per-function-secure: what the others say of functions is then said of each of these.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources:
${indented(listed(apart.map((stem) => `${stem}.yaml`)), 2)}patches:
  - path: no-distributed-service.yaml
${indented(pointing.join(''), 2)}`;

const taking = apart.map(
  (stem) => `${tokensOf(stem, [stem])}- target:
    kind: Trigger
    name: ${stem}
  patch: |-
    - {op: replace, path: /spec/subscriber/audience, value: knudge/${stem}}
`,
);

const secure = `# What deploy/overlays/secure says of the functions of a DistributedService, where deploy/components/per-function gives each a Service: it
# comes after that one, on top of the overlay. Each function then takes the events of its own Trigger alone.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
${indented(taking.join(''), 2)}  # Who sends to the Broker by itself, as there.
${indented(apart.map((stem) => brokerAccess(stem)).join(''), 2)}`;

/** The component that gives each function a Service of its own, and what goes with it where events show tokens. */
export const perFunction: readonly (readonly [path: string, text: string])[] = [
  ...apart.map((stem) => [`deploy/components/per-function/${stem}.yaml`, serviceApart(stem)] as const),
  ['deploy/components/per-function/kustomization.yaml', component],
  ['deploy/components/per-function-secure/kustomization.yaml', secure],
];
