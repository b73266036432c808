import { posix } from 'node:path';
import type { JSONSchema4 } from 'json-schema';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';
import { tidy } from './tidy.ts';

/** The part of a CRD's schema that types are made of. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

interface Crd {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly storage: boolean; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/**
 * The TypeScript of a custom resource, from the text of its CRD (`source` is how the file calls it). `nouns` is the
 * folder of KubeObject and Condition, as the file imports it. A field with a
 * default is never optional: the API server fills it in before anyone reads the object.
 */
export async function typesOf(source: string, text: string, nouns: string): Promise<string> {
  const { spec } = parse(text) as Crd;
  const kind = spec.names.kind;
  const schema = spec.versions.find(({ storage }) => storage)?.schema.openAPIV3Schema;
  if (schema?.properties === undefined) throw new Error(`${source} has no stored version with a schema: add one`);
  const parts = [];
  for (const [part, of] of Object.entries(schema.properties)) {
    const name = kind + part.charAt(0).toUpperCase() + part.slice(1);
    parts.push(tidy(await compile(toJsonSchema(of), name, options)));
  }
  const all = parts.join('\n');
  const conditions = all.includes('Condition[]') ? `import type { Condition } from '${nouns}/conditions.ts';\n` : '';
  const status = schema.properties['status'] === undefined ? '' : `\n  readonly status?: ${kind}Status;`;
  return `// Generated from ${source} by \`npm run types\`; do not edit.
${conditions}import type { KubeObject } from '${nouns}/kube-object.ts';

${tidy(`/**\n * ${schema.description}\n */`)}
export interface ${kind} extends KubeObject {
  readonly spec: ${kind}Spec;${status}
}

${all}`;
}

/** How a file of types imports the nouns of the engine. */
export function nounsFor(types: string): string {
  return posix.relative(posix.dirname(types), 'packages/controller/domain');
}

const options = {
  additionalProperties: false,
  bannerComment: '',
  style: { singleQuote: true, printWidth: 120 },
};

function toJsonSchema(schema: Schema): JSONSchema4 {
  const described = schema.description === undefined ? {} : { description: schema.description };
  if (schema['x-kubernetes-int-or-string'] === true) return { ...described, tsType: 'number | string' };
  if (isConditions(schema)) return { ...described, tsType: 'readonly Condition[]' };
  if (schema.additionalProperties?.type === 'string') {
    return { ...described, tsType: 'Readonly<Record<string, string>>' };
  }
  if (schema.items !== undefined) return { ...described, type: 'array', items: toJsonSchema(schema.items) };
  if (schema.properties !== undefined) return { ...described, ...objectSchema(schema.properties, schema.required) };
  if (schema.enum !== undefined) return { ...described, enum: [...schema.enum] };
  return { ...described, type: schema.type as 'string' | 'integer' | 'boolean' };
}

function isConditions({ items }: Schema): boolean {
  return items?.required?.includes('lastTransitionTime') === true;
}

function objectSchema(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): JSONSchema4 {
  const entries = Object.entries(properties);
  const defaulted = entries.filter(([, { default: value }]) => value !== undefined).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, property]) => [name, toJsonSchema(property)])),
    required: [...new Set([...required, ...defaulted])],
  };
}
