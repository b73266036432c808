import type { MetricInfo } from '../../packages/controller/server/exposition.ts';
import type { ReconcileNames } from '../../packages/controller/server/metric-table.ts';

/** Dashboards and alerts ask for reconciles by these names. */
export const reconcileNames = {
  duration: 'frp_operator_reconcile_duration_seconds',
  errors: 'frp_operator_reconcile_errors_total',
} as const satisfies ReconcileNames;

export const managedServices = {
  name: 'frp_operator_managed_services',
  type: 'gauge',
  help: 'DistributedServices by state, counted at most every 15 s; missing while they cannot be counted.',
  labels: ['state'],
} as const satisfies MetricInfo;
