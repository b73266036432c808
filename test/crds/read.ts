import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A node of an OpenAPI v3 schema, as far as the tests look. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly { rule: string; message?: string; messageExpression?: string }[];
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources: Readonly<Record<string, unknown>>;
  readonly additionalPrinterColumns: readonly { readonly name: string; readonly description?: string }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

interface Crd {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly conversion: unknown;
    readonly names: Readonly<Record<'plural' | 'kind', string>> &
      Readonly<Record<'shortNames' | 'categories', string[]>>;
    readonly versions: readonly Version[];
  };
}

/** An object of a file in `examples/`, with the comment above it. */
interface Example {
  readonly file: string;
  readonly comment: string;
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly spec?: Readonly<Record<string, unknown>>;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}

export const root = join(import.meta.dirname, '../..');

export function readCrd(plural: string): Crd {
  return objectsIn(readFileSync(join(root, 'crds', `${plural}.yaml`), 'utf8'))[0] as Crd;
}

export function readExamples(): readonly Example[] {
  const files = readdirSync(join(root, 'examples'))
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return files.flatMap((file) => {
    const text = readFileSync(join(root, 'examples', file), 'utf8');
    const comment = /^(# .*\n)*/.exec(text)?.[0] ?? '';
    return objectsIn(text).map((object) => ({ file, comment, object }) as Example);
  });
}

function objectsIn(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as unknown;
  });
}
