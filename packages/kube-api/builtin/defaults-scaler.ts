import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { filled } from './filled.ts';

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
const all = { type: 'Percent', value: 100, periodSeconds: 15 };

/** The defaults of a HorizontalPodAutoscaler of autoscaling/v2. */
export function scalerSpec(spec: JsonObject): JsonObject {
  return filled(spec, { minReplicas: 1, metrics: [cpu] });
}

/** A behaviour that is given is filled up; one that is not stays away. */
export function scalerBehavior(behavior: JsonObject): JsonObject {
  const up = { stabilizationWindowSeconds: 0, selectPolicy: 'Max' };
  const pods = { type: 'Pods', value: 4, periodSeconds: 15 };
  return {
    ...behavior,
    scaleUp: filled(objectAt(behavior, 'scaleUp'), { ...up, policies: [pods, all] }),
    scaleDown: filled(objectAt(behavior, 'scaleDown'), { selectPolicy: 'Max', policies: [all] }),
  };
}
