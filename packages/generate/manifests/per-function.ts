import { kebabOf } from '../../controller/functions/kebab.ts';
import { anyParent } from './admission.ts';
import type { Facts } from './facts.ts';
import { brokerAccess, tokensOf } from './secure.ts';
import { serviceApart } from './service.ts';
import { indented, listed } from './text.ts';

const folder = 'deploy/components/per-function';

/** The component that gives each function a Service of its own, and what goes with it where events show tokens: where a project has them. */
export function perFunction(facts: Facts): readonly (readonly [path: string, text: string])[] {
  const apart = facts.has(folder)
    ? facts.apart.map((stem) => [`${folder}/${stem}.yaml`, serviceApart(facts, stem)] as const)
    : [];
  return [
    ...apart,
    ...(apart.length > 0 ? [[`${folder}/kustomization.yaml`, component(facts)] as const] : []),
    ...(apart.length > 0 && facts.has(`${folder}-secure`)
      ? [[`${folder}-secure/kustomization.yaml`, secure(facts)] as const]
      : []),
  ];
}

function component({ controller, shared, apart }: Facts): string {
  const pointing = apart.map(
    (stem) => `- target:
    kind: Trigger
    name: ${stem}
  patch: |-
    - {op: test, path: /spec/subscriber/ref/name, value: ${controller.serviceOf(stem)}}
    - {op: replace, path: /spec/subscriber/ref/name, value: ${stem}}
`,
  );
  return `# A Knative Service for each function, so that each scales, and fails, by itself. In a list of \`components\` it is the first, and on top of
# deploy/overlays/secure it comes with per-function-secure: what the others say of functions is then said of each of these.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources:
${indented(listed(apart.map((stem) => `${stem}.yaml`)), 2)}patches:
${indented(listed(shared.map((name) => `path: no-${name}.yaml`)), 2)}${indented(pointing.join(''), 2)}`;
}

function secure({ controller, accountOf, shared, apart, sendersApart }: Facts): string {
  const taking = apart.map(
    (stem) => `${tokensOf(controller.name, stem, [stem])}- target:
    kind: Trigger
    name: ${stem}
  patch: |-
    - {op: replace, path: /spec/subscriber/audience, value: ${controller.name}/${stem}}
`,
  );
  const accounts = shared.map(accountOf);
  const kinds = controller.resources.filter(({ kind }) => accounts.includes(kebabOf(kind)));
  return `# What deploy/overlays/secure says of the functions of ${anyParent(kinds)}, where ${folder} gives each a Service: it
# comes after that one, on top of the overlay. Each function then takes the events of its own Trigger alone.
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
${indented(taking.join(''), 2)}  # Each function that sends to the Broker by itself, as there.
${indented(sendersApart.map((one) => brokerAccess(controller.name, one)).join(''), 2)}`;
}
