import type { MetricInfo } from '../../packages/controller/server/exposition.ts';
import { metricTable, reconcileMetrics } from '../../packages/controller/server/metric-table.ts';
import { managedServices, reconcileNames } from '../../resources/managed/metrics.ts';

const { reconcileDuration: _, reconcileErrors: __, ...others } = metricTable;

/** Every metric that Knudge's processes export. */
export const metrics: readonly MetricInfo[] = [
  ...reconcileMetrics(reconcileNames),
  managedServices,
  ...Object.values(others),
];
