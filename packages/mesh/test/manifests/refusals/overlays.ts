/** An overlay `big`, with files beside its list. */
export const overlay = (kustomization: string, files: Readonly<Record<string, string>> = {}) => ({
  'deploy/overlays/big/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
${kustomization}
`,
  ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`deploy/overlays/big/${name}`, text])),
});

export const patch = `apiVersion: eventing.knative.dev/v1
kind: Broker
metadata:
  name: bus
  namespace: home
  annotations: { eventing.knative.dev/broker.class: Kafka }
spec:
  delivery:
    retry: 9
    timeout: null
`;

const remove = '[{op: remove, path: /spec}]';
export const file = 'deploy/overlays/big/kustomization.yaml';

/** What it is, its files, and the one line that says what is wrong. */
export const overlays: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'anything else of kustomize',
    overlay('namePrefix: a-'),
    `${file}:3: namePrefix: is not read locally: an overlay may have resources, components and patches`,
  ],
  [
    'a ConfigMap whose name changes with its content',
    overlay('configMapGenerator: [{ name: c, files: [b.txt] }]', { 'b.txt': 'b' }),
    `${file}:3: configMapGenerator[0]: is not read locally: its name changes with its content, unless options.disableNameSuffixHash is true`,
  ],
  [
    'a ConfigMap of a file that is not there',
    overlay('configMapGenerator: [{ name: c, files: [b.txt], options: { disableNameSuffixHash: true } }]'),
    `${file}:3: configMapGenerator[0].files[0]: there is no file deploy/overlays/big/b.txt`,
  ],
  [
    'a file and a target for it',
    overlay('patches: [{ path: b.yaml, target: { kind: Broker } }]', { 'b.yaml': patch }),
    `${file}:3: patches[0].target: is not read locally beside a path: the file says the kind and name of what it changes`,
  ],
  [
    'a patch that is not there',
    overlay('patches: [{ path: c.yaml }]'),
    `${file}:3: patches[0]: there is no patch deploy/overlays/big/c.yaml`,
  ],
  [
    'a patch of nothing',
    overlay('patches: [{ path: b.yaml }]', { 'b.yaml': patch.replace('name: bus', 'name: other') }),
    'deploy/overlays/big/b.yaml:1: object: patches nothing: there is no such object',
  ],
  [
    'a patch of a built-in kind',
    {
      'deploy/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
      ...overlay('patches: [{ path: b.yaml }]', {
        'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n',
      }),
    },
    'deploy/overlays/big/b.yaml:1: object: kustomize merges the lists of built-in kinds by name, which is not done locally: give a JSON patch, or patch Knative kinds',
  ],
  [
    'a JSON patch of nothing',
    overlay(`patches: [{ target: { kind: Brok }, patch: '${remove}' }]`),
    `${file}:3: patches[0]: patches nothing: there is no such object`,
  ],
  [
    'a JSON patch that does not fit',
    overlay(`patches: [{ target: { kind: Broker }, patch: '[{op: remove, path: /spec/none}]' }]`),
    `${file}:3: patches[0]: does not fit Broker home/bus of eventing.knative.dev`,
  ],
  [
    'a patch in the list that is none of JSON',
    overlay(`patches: [{ target: { kind: Broker }, patch: 'spec: {}' }]`),
    `${file}:3: patches[0].patch: is not read locally: give a list of JSON patches`,
  ],
  [
    'a target by labels',
    overlay(`patches: [{ target: { kind: Broker, labelSelector: a=b }, patch: '${remove}' }]`),
    `${file}:3: patches[0].target.labelSelector: unknown field`,
  ],
  [
    'a target by annotations that are more than one',
    overlay(`patches: [{ target: { annotationSelector: 'a=b,c!=d' }, patch: '${remove}' }]`),
    `${file}:3: patches[0].target.annotationSelector: is not read locally: give key=value`,
  ],
  [
    'a target that is no regular expression',
    overlay(`patches: [{ target: { kind: '(' }, patch: '[]' }]`),
    `${file}:3: patches[0].target.kind: is not a regular expression`,
  ],
  [
    'a directive in a patch',
    overlay('patches: [{ path: b.yaml }]', { 'b.yaml': `$patch: replace\n${patch}` }),
    'deploy/overlays/big/b.yaml:1: object: is not read locally: $patch may be delete',
  ],
  [
    'a component that is not there',
    overlay('components: [../../components/none]'),
    `${file}:3: components[0]: there is no component deploy/components/none`,
  ],
  [
    'another namespace',
    overlay('namespace: elsewhere'),
    `${file}:3: namespace: is not read locally: it must be that of all objects`,
  ],
  [
    'a file of another folder',
    overlay('resources: [../../../examples/x.yaml]'),
    `${file}:3: resources[0]: examples/x.yaml is neither in crds, deploy, eventing nor a file beside this one`,
  ],
];
