import type { CloudEvent } from '../cloud-event.ts';
import type { Filter } from '../mesh-spec.ts';

/**
 * Whether a Trigger with these filters wants the event. All filters must match; without filters it wants everything. Filters see
 * attributes and extensions only, never the data, and a missing attribute matches nothing, except below `not`.
 */
export function wants(filters: readonly Filter[], event: CloudEvent): boolean {
  return filters.every((filter) => fits(filter, event));
}

function fits(filter: Filter, event: CloudEvent): boolean {
  switch (filter.dialect) {
    case 'exact':
      return everyAttribute(filter.attributes, event, (value, wanted) => value === wanted);
    case 'prefix':
      return everyAttribute(filter.attributes, event, (value, wanted) => value.startsWith(wanted));
    case 'suffix':
      return everyAttribute(filter.attributes, event, (value, wanted) => value.endsWith(wanted));
    case 'attributes':
      return everyAttribute(filter.attributes, event, (value, wanted) => wanted === '' || value === wanted);
    case 'all':
      return wants(filter.filters, event);
    case 'any':
      return filter.filters.some((one) => fits(one, event));
    case 'not':
      return !fits(filter.filter, event);
  }
}

function everyAttribute(
  wanted: Readonly<Record<string, string>>,
  event: CloudEvent,
  compares: (value: string, wanted: string) => boolean,
): boolean {
  for (const name of Object.keys(wanted)) {
    const value = name === 'datacontenttype' ? event.contentType : own(event.attributes, name);
    if (value === undefined || !compares(value, wanted[name] ?? '')) return false;
  }
  return true;
}

/** Senders choose the names of attributes: `constructor` is a name that CloudEvents allows. */
function own(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}
