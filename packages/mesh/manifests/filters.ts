import type { Filter } from '../mesh-spec.ts';
import type { Field } from './field.ts';

const dialects = ['exact', 'prefix', 'suffix', 'all', 'any', 'not', 'cesql'] as const;
type Dialect = (typeof dialects)[number];

/** The webhook's rule for names of attributes and extensions. */
const attributeName = /^[a-z][a-z0-9]*$/;

/** The filters of a Trigger's spec: `filters`, or the old `filter.attributes` if there are no `filters`. */
export function readFilters(spec: Field): readonly Filter[] {
  const old = spec.at('filter');
  old.allow(['attributes']);
  const attributes = readAttributes(old.at('attributes'));
  const filters = readList(spec.at('filters'));
  // Knative reads `filter` only if `filters` is empty; an empty value or `Any` only requires the attribute.
  if (filters.length > 0 || Object.keys(attributes).length === 0) return filters;
  return [{ dialect: 'attributes', attributes }];
}

function readList(field: Field): readonly Filter[] {
  return field.items().flatMap((item) => readFilter(item));
}

/** One item has one dialect; an item without a dialect wants everything. */
function readFilter(field: Field): readonly Filter[] {
  field.allow(dialects);
  const used = dialects.filter((dialect) => field.at(dialect).isSet);
  if (used.length > 1) field.refuse('multiple dialects found, filters can have only one dialect set');
  return used.slice(0, 1).flatMap((dialect) => readDialect(dialect, field.at(dialect)));
}

function readDialect(dialect: Dialect, field: Field): readonly Filter[] {
  switch (dialect) {
    case 'exact':
    case 'prefix':
    case 'suffix': {
      const attributes = readAttributes(field);
      // The real filter ignores a whole item with an empty value, and only logs that.
      return Object.values(attributes).includes('') ? [] : [{ dialect, attributes }];
    }
    case 'all':
    case 'any': {
      const filters = readList(field);
      return filters.length === 0 ? [] : [{ dialect, filters }];
    }
    case 'not':
      return readFilter(field).map((filter) => ({ dialect, filter }));
    case 'cesql':
      field.refuse('is not run locally: say it with exact, prefix, suffix, all, any and not');
      return [];
  }
}

function readAttributes(field: Field): Readonly<Record<string, string>> {
  for (const name of field.keys().filter((key) => !attributeName.test(key))) {
    field
      .at(name)
      .refuse('invalid key name, attribute name must start with a letter and can only contain lowercase alphanumeric');
  }
  return field.texts();
}
