import { belongsTo } from '../../../packages/controller/decide/owned.ts';
import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { scalerKey } from '../children/workload.ts';
import { claimPrefix } from '../names.ts';
import type { DistributedService } from '../types.ts';

const held = 'held';
const released = 'released';

/** The labels of the balanced Service that say which workload its service scales. */
export interface ScalerLabels {
  readonly labels: Readonly<Record<string, string>>;
  /** The label is not written yet. A service writes it before it reads those of others, so that of two services one sees the other. */
  readonly pending: boolean;
}

export function scalerLabels({ owner, children }: Observed<DistributedService>): ScalerLabels {
  const child = children.get('balanced');
  const all = child === undefined || belongsTo(child, owner) !== 'ours' ? {} : (child.metadata.labels ?? {});
  const live = Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith(claimPrefix)));
  const key = scalerKey(owner);
  const wanted = key === undefined ? {} : { [key]: held };
  const pending = key !== undefined && live[key] !== held;
  return { labels: { ...releasedOf(live, wanted), ...wanted }, pending };
}

/**
 * A label that is no longer wanted gets the value `released` instead of being removed, so that its change event still names the services
 * concerned. It is removed when the next one is released.
 */
function releasedOf(live: Readonly<Record<string, string>>, wanted: object): Readonly<Record<string, string>> {
  const gone = Object.entries(live).filter(([key]) => !Object.hasOwn(wanted, key));
  const news = gone.filter(([, value]) => value !== released);
  return Object.fromEntries((news.length > 0 ? news : gone).map(([key]) => [key, released]));
}
