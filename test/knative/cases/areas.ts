import { deadLetters } from './areas/dead-letters.ts';
import { delivery } from './areas/delivery.ts';
import { filters } from './areas/filters.ts';
import { ingress } from './areas/ingress.ts';
import { order } from './areas/order.ts';
import { pings } from './areas/pings.ts';
import { refused } from './areas/refused.ts';
import { replies } from './areas/replies.ts';
import { sources } from './areas/sources.ts';
import { status } from './areas/statuses.ts';
import type { Case } from './case.ts';

/** All cases, by area: what was recorded of an area is in expected/<area>.json. */
export const areas: Readonly<Record<string, readonly Case[]>> = {
  ingress,
  refused,
  filters,
  status,
  delivery,
  letters: deadLetters,
  replies,
  order,
  sources,
  pings,
};
