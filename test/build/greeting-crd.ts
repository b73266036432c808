import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

interface Definition extends KubeObject {
  readonly spec: {
    readonly versions: readonly [
      { readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly status: Status } } } },
    ];
  };
}

interface Status {
  readonly properties: Readonly<Record<string, object>>;
}

const text = readFileSync(new URL('../../crds/messages.yaml', import.meta.url), 'utf8');
const [{ schema: ofMessage }] = (parse(text) as Definition).spec.versions;
const { status } = ofMessage.openAPIV3Schema.properties;

/** The definition of a Greeting: what the engine writes into the status is as our own definitions have it. */
export const greetingCrd: KubeObject = definitionOf('Greeting', {
  person: { type: 'string', maxLength: 100 },
  farewell: { type: 'boolean' },
});

/** The definition of a kind of example.org with these fields in its spec. */
export function definitionOf(kind: string, spec: Readonly<Record<string, object>>): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: spec },
      status: { ...status, properties: { ...status.properties, phase: { type: 'string' } } },
    },
  };
  const version = { name: 'v1', served: true, storage: true, subresources: { status: {} } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ ...version, schema: { openAPIV3Schema: schema } }],
    },
  } as KubeObject;
}
