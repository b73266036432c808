import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
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
  /** The folder of deploy/overlays that they are of. */
  readonly overlay?: string;
  /** Those of deploy/ without an overlay. */
  readonly base: readonly KubeObject[];
  /** The file that each of the manifests stands in. */
  readonly fileOf: (object: KubeObject) => string | undefined;
}

/** Looks at a cluster and judges it. Writes nothing. */
export async function examine({ namespace, manifests, overlay, base, fileOf, ...parts }: Case): Promise<Examined> {
  const objects = manifests.map((one) => moved(one, namespace));
  const isAsWritten = overlay === undefined && namespace === written;
  const before = overlay !== undefined && { base: base.map((one) => moved(one, namespace)) };
  const wanted = { namespace, objects, ...before, ...(isAsWritten && { fileOf }) };
  const findings = judge(await readAll(parts, wanted), wanted);
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  return {
    findings,
    counts: { ok: count('ok'), warning: count('warning'), problem: count('problem'), unchecked: count('unchecked') },
  };
}

/** The namespace that the manifests have. */
const written = 'knudge';

/** As it is where Knudge was installed into another namespace: subjects of bindings and names that end with it too. */
function moved(object: KubeObject, namespace: string): KubeObject {
  if (namespace === written) return object;
  const inside: unknown = JSON.parse(
    JSON.stringify(object, (key, value: unknown) => {
      if (key === 'namespace' && value === written) return namespace;
      return key === 'name' && typeof value === 'string' ? value.replace(endsWithIt, `.${namespace}`) : value;
    }),
  );
  return inside as KubeObject;
}

/** What belongs to the whole cluster and to one installation: deploy/overlays/single-namespace. */
const endsWithIt = /(?<=^knudge-event-log(-reader)?)\.knudge$/;
