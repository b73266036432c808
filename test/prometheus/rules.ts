import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../house/files.ts';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: { readonly summary: string; readonly description: string };
}

interface RuleObject {
  readonly kind: string;
  readonly spec: { readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[] };
}

/** The rules of the overlay as kustomize renders them: what the Prometheus Operator hands to Prometheus. */
export function renderedGroups(): RuleObject['spec'] {
  const text = execFileSync('kubectl', ['kustomize', join(root, 'deploy/overlays/prometheus')], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const objects = parseAllDocuments(text).map((document) => document.toJS() as RuleObject);
  const found = objects.filter(({ kind }) => kind === 'PrometheusRule');
  if (found.length === 1 && found[0] !== undefined) return found[0].spec;
  throw new Error(`the overlay prometheus has ${found.length} PrometheusRules, and these tests know one`);
}
