import { type Stem, serviceOf, stemsOf } from '../../../functions/table.ts';
import type { Functions } from '../../../packages/controller/testing/sim/functions.ts';
import {
  type SimulationParts as AnySimulation,
  type Simulation,
  startSimulation as startAny,
} from '../../../packages/controller/testing/sim/simulation.ts';
import { startInstance } from './instance.ts';
import { simulatedIssuer } from './issuer.ts';
import { dueOf, startSources } from './source.ts';

export interface SimulationParts extends Omit<AnySimulation, 'functions'> {
  readonly env?: Readonly<Record<string, string>>;
}

/** A cluster with our definitions, our sources and our functions, in which nothing moves by itself. */
export function startSimulation({ env, ...parts }: SimulationParts): Simulation {
  return startAny({ ...parts, functions: deployed(env) });
}

/** As the manifests have them. */
function deployed(env: SimulationParts['env']): Functions {
  return {
    serviceOf: (stem) => serviceOf(stem as Stem),
    watch: startSources,
    dueOf,
    start: (service, { outside, chance, ...parts }) => {
      const newToken = (): string => `token-${chance.uuid()}`;
      const world = { ...outside, newToken, issuer: simulatedIssuer(chance) };
      return startInstance({ ...parts, stems: stemsOf(service), outside: world, ...(env && { env }) });
    },
  };
}
