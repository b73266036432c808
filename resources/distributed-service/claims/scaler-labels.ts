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
  /** They are not there yet. First they must stand, then the others' are read: of two who do so at least one sees the other. */
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

/** What is wanted no more keeps its label, with another value: the event of that change still shows which services it concerns. */
function releasedOf(live: Readonly<Record<string, string>>, wanted: object): Readonly<Record<string, string>> {
  const gone = Object.entries(live).filter(([key]) => !Object.hasOwn(wanted, key));
  const news = gone.filter(([, value]) => value !== released);
  return Object.fromEntries((news.length > 0 ? news : gone).map(([key]) => [key, released]));
}
