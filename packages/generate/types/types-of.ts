import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { Crd } from '../project.ts';
import type { Noun } from './imports.ts';
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

/** How a file of types is written. */
export interface Writing {
  /** The lines that import these types of the engine. */
  readonly importing: (names: readonly Noun[]) => string;
  /** What people type to have it written. */
  readonly command: string;
}

/**
 * The TypeScript of a custom resource. A field with a default is never optional: the API server fills it in before anyone reads the
 * object.
 */
export async function typesOf({ path, definition }: Crd, { importing, command }: Writing): Promise<string> {
  const { spec } = definition;
  const kind = spec.names.kind;
  const schema: Schema | undefined = spec.versions.find(({ storage }) => storage)?.schema?.openAPIV3Schema;
  if (schema?.properties === undefined) throw new Error(`${path} has no stored version with a schema: add one`);
  const parts = [];
  for (const [part, of] of Object.entries(schema.properties)) {
    const name = kind + part.charAt(0).toUpperCase() + part.slice(1);
    parts.push(tidy(await compile(toJsonSchema(of), name, options)));
  }
  const all = parts.join('\n');
  const names: readonly Noun[] = all.includes('Condition[]') ? ['Condition', 'KubeObject'] : ['KubeObject'];
  const status = schema.properties['status'] === undefined ? '' : `\n  readonly status?: ${kind}Status;`;
  return `// Generated from ${path} by \`${command}\`; do not edit.
${importing(names)}
${tidy(`/**\n * ${schema.description}\n */`)}
export interface ${kind} extends KubeObject {
  readonly spec: ${kind}Spec;${status}
}

${all}`;
}

const options = {
  additionalProperties: false,
  bannerComment: '',
  style: { singleQuote: true, printWidth: 120 },
};

function toJsonSchema(schema: Schema): JSONSchema {
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

function objectSchema(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): JSONSchema {
  const entries = Object.entries(properties);
  const defaulted = entries.filter(([, { default: value }]) => value !== undefined).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, property]) => [name, toJsonSchema(property)])),
    required: [...new Set([...required, ...defaulted])],
  };
}
