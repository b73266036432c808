/** A resource that does not exist: what a person writes for it, by path. An edit is given what is in the file. */
export const greeting: Readonly<Record<string, (text: string) => string>> = {
  'crds/greetings.yaml': () => definition,
  'resources/greeting/greeting.ts': () => decision,
  'resources/managed/resources.ts': (text) =>
    `import { greeting } from '../greeting/greeting.ts';\n${text.replace('];', ', greeting];')}`,
  'functions/table.ts': (text) => text.replace("  'resync-due': resync", `${row}  'resync-due': resync`),
};

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: greetings.example.dev
spec:
  group: example.dev
  scope: Namespaced
  names: { plural: greetings, singular: greeting, kind: Greeting }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          description: A greeting to somebody.
          type: object
          properties:
            spec: { type: object, required: [who], properties: { who: { type: string, maxLength: 63 } } }
            status:
              type: object
              properties:
                observedGeneration: { type: integer, format: int64 }
                recentWrites:
                  type: array
                  x-kubernetes-list-type: atomic
                  items:
                    type: object
                    properties:
                      object: { type: string }
                      count: { type: integer }
                      since: { type: string }
                      inputs: { type: string }
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type, status, reason, message, lastTransitionTime]
                    properties:
                      type: { type: string }
                      status: { type: string }
                      reason: { type: string }
                      message: { type: string }
                      observedGeneration: { type: integer, format: int64 }
                      lastTransitionTime: { type: string }
`;

const decision = `import { defineResource } from '../../packages/controller/decide/define.ts';
import { yes } from '../../packages/controller/decide/defined/ready.ts';
import type { Greeting } from './types.ts';

export const greeting = defineResource<Greeting>()({
  apiVersion: 'example.dev/v1',
  kind: 'Greeting',
  children: ({ name }) => ({ text: { apiVersion: 'v1', kind: 'ConfigMap', name: \`greet-\${name}\` } }),
  desired: ({ owner: { spec } }) => ({ text: { data: { text: spec.who } } }),
  ready: () => yes('Greeted', 'The ConfigMap greets'),
});
`;

const row = `  'greeting-changed': defineFunction({
    handle: itselfChanged,
    kind: 'example.dev/Greeting',
    looksAt: 'of others',
  }),
`;
