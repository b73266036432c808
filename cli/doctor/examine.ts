import type { Finding } from '../../packages/controller/doctor/finding.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { judge } from './checks.ts';
import { type ReadWith, readAll } from './read.ts';

export interface Examined {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<Finding['level'], number>>;
}

export interface Case extends ReadWith {
  /** The namespace of the controller in the cluster. */
  readonly namespace: string;
  /** The objects of crds/, eventing/ and deploy/, which are written for the namespace `home`. */
  readonly manifests: readonly KubeObject[];
  /** The namespace in the manifests: the name of the controller. */
  readonly home: string;
  /** The folder of deploy/overlays that the manifests come from. */
  readonly overlay?: string;
  /** The manifests of deploy/ without an overlay. */
  readonly base: readonly KubeObject[];
  /** The file that holds a manifest. */
  readonly fileOf: (object: KubeObject) => string | undefined;
}

/** Reads a cluster and judges it. Writes nothing. */
export async function examine({
  namespace,
  manifests,
  home,
  overlay,
  base,
  fileOf,
  ...parts
}: Case): Promise<Examined> {
  const move = { from: home, to: namespace };
  const objects = manifests.map((one) => moved(one, move));
  const isAsWritten = overlay === undefined && namespace === home;
  const before = overlay !== undefined && { base: base.map((one) => moved(one, move)) };
  const wanted = { namespace, objects, ...before, ...(isAsWritten && { fileOf }) };
  const findings = judge(await readAll(parts, wanted), wanted, parts.checks);
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length;
  return {
    findings,
    counts: { ok: count('ok'), warning: count('warning'), problem: count('problem'), unchecked: count('unchecked') },
  };
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/** The object as an installation in another namespace has it, with the subjects of bindings and names that end with the namespace. */
function moved(object: KubeObject, { from, to }: Move): KubeObject {
  if (to === from) return object;
  const inside: unknown = JSON.parse(
    JSON.stringify(object, (key, value: unknown) => {
      if (key === 'namespace' && value === from) return to;
      return key === 'name' && typeof value === 'string' ? value.replace(endsWithIt, `.${to}`) : value;
    }),
  );
  return inside as KubeObject;
}

/** Names of objects that are cluster-wide but belong to one installation: deploy/overlays/single-namespace. */
const endsWithIt = /(?<=^knudge-event-log(-reader)?)\.knudge$/;
