import { addKinds } from '../../domain/known-kinds.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import { rowKind } from '../../functions/change-rows.ts';
import { createClock } from '../sim/clock.ts';
import { startSimulatedCluster } from '../sim/cluster.ts';
import { createChance } from '../sim/random.ts';
import type { Snapshot } from '../sim/snapshot.ts';
import { askAsUser, pathOf } from '../sim/user.ts';
import { pick } from '../trace-words.ts';
import type { FaultScenario, FaultSuite } from './suite.ts';

/** A cluster with these definitions and with the namespaces of all that the scenarios name, and nothing else. */
export function emptyCluster({ crds, scenarios }: FaultSuite): Snapshot {
  for (const crd of crds) addKinds(kindsOf(crd));
  const clock = createClock(Date.parse('2026-01-01T00:00:00Z'));
  const cluster = startSimulatedCluster({ from: undefined, clock, chance: createChance(5), onChange: () => undefined });
  const ask = askAsUser(cluster);
  const create = (object: KubeObject): void => {
    ask('POST', pathOf({ ...refOf(object), name: '' }), object);
    while (cluster.tasks() > 0) cluster.runTask();
  };
  for (const crd of crds) create(crd);
  const known = new Set(
    cluster.api.client
      .all()
      .filter(({ kind }) => kind === 'Namespace')
      .map(({ metadata }) => metadata.name),
  );
  const named = scenarios.flatMap(refsOf).map(({ namespace }) => namespace);
  for (const name of new Set([...named, 'knudge']))
    if (name !== '' && !known.has(name)) create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const snapshot = cluster.snapshot();
  cluster.close();
  return snapshot;
}

/** The parents that a scenario names. */
export function parentsOf(scenario: FaultScenario, { resources }: Pick<FaultSuite, 'resources'>): readonly ObjectRef[] {
  const refs = refsOf(scenario).filter((ref) => resources.some((resource) => rowKind(resource) === rowKind(ref)));
  return [...new Map(refs.map((ref) => [`${rowKind(ref)}/${ref.namespace}/${ref.name}`, ref])).values()];
}

function refsOf({ given = [], steps }: FaultScenario): readonly ObjectRef[] {
  return [...given.map(refOf), ...steps.map((step) => (step.do === 'apply' ? refOf(step.object) : step.ref))];
}

function kindsOf(crd: KubeObject): Parameters<typeof addKinds>[0] {
  const at = (...path: readonly string[]): string => String(pick(crd, 'spec', ...path) ?? '');
  const versions = pick(crd, 'spec', 'versions');
  if (crd.kind !== 'CustomResourceDefinition' || !Array.isArray(versions)) {
    throw new Error(
      `${crd.kind} ${crd.metadata.name} is not a CustomResourceDefinition with versions: give the parsed YAML of one`,
    );
  }
  const kind = { plural: at('names', 'plural'), namespaced: at('scope') === 'Namespaced' };
  return Object.fromEntries(
    versions.map(
      (version) => [`${at('group')}/${String(pick(version, 'name'))}/${at('names', 'kind')}`, kind] as const,
    ),
  );
}
