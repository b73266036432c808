import type { KubeObject } from '../domain/kube-object.ts';
import { judge } from './checks.ts';
import type { Finding } from './finding.ts';
import { type ReadWith, readAll } from './read.ts';

export interface Examined {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<Finding['level'], number>>;
}

export interface Case extends ReadWith {
  /** Where Knudge is in the cluster. */
  readonly namespace: string;
  /** Of crds/, eventing/ and deploy/, which say `knudge`. */
  readonly manifests: readonly KubeObject[];
}

/** Looks at a cluster and judges it. Writes nothing. */
export async function examine({ namespace, manifests, ...parts }: Case): Promise<Examined> {
  const wanted = { namespace, objects: manifests.map((one) => moved(one, namespace)) };
  const findings = judge(await readAll(parts, wanted), wanted);
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  return {
    findings,
    counts: { ok: count('ok'), warning: count('warning'), problem: count('problem'), unchecked: count('unchecked') },
  };
}

/** The namespace that the manifests have. */
const written = 'knudge';

/** As it is where Knudge was installed into another namespace: the subjects of bindings too. */
function moved(object: KubeObject, namespace: string): KubeObject {
  if (namespace === written) return object;
  const inside: unknown = JSON.parse(
    JSON.stringify(object, (key, value: unknown) => (key === 'namespace' && value === written ? namespace : value)),
  );
  return inside as KubeObject;
}
