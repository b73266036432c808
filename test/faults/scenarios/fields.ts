import type { Scenario } from '../scenario.ts';
import * as cast from './cast.ts';
import type { FieldRow } from './field-row.ts';
import { fieldsOfBackends } from './fields-of-backends.ts';
import { fieldsOfTheRest } from './fields-of-the-rest.ts';

/** A row for each field of the spec of a DistributedService. */
export const fieldRows: readonly FieldRow[] = [...fieldsOfBackends, ...fieldsOfTheRest];

/** A field of a DistributedService that runs is changed. */
export const fields: readonly Scenario[] = fieldRows.map((row) =>
  cast.aboutWeb({
    name: nameOf(row),
    given: (place) => [
      cast.profile(place, { subDomainHost: 'frps.example.com' }),
      cast.backend(place),
      cast.pod(place, 'shop-1', { app: 'shop', tier: 'front' }),
      ...(row.needs?.(place) ?? []),
      cast.web(place, row.from),
    ],
    when: async (user, place) => void (await user.patch(cast.webRef(place), { spec: row.to })),
  }),
);

/** `backends.endpoints[].host` → `change-backends-endpoints-host`. */
function nameOf({ field, how }: FieldRow): string {
  const words = field.replace(/[[\]{}]/g, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return ['change', words.replaceAll('.', '-'), ...(how === undefined ? [] : [how])].join('-');
}
