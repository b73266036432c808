import { dns1035Label } from '../checks/names.ts';
import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, isObject, objectAt } from '../json.ts';
import { forbiddenField, immutable, invalidValue, notSupported, required } from '../schema/texts.ts';
import { storedVersions } from './establish.ts';
import { selectableCauses } from './selectable.ts';
import { structuralCauses } from './structural.ts';

/** The faults of a CustomResourceDefinition; the cost of its rules is not estimated. */
export function definitionCauses(next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  const spec = objectAt(next, 'spec');
  const { group = '', scope = '', names } = spec;
  const { name = '' } = objectAt(next, 'metadata');
  const whole = `${objectAt(names)['plural'] ?? ''}.${group}`;
  const scopes = ['Cluster', 'Namespaced'];
  return [
    ...(name === whole ? [] : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...(group === '' ? [required('spec.group')] : []),
    ...(scope === ''
      ? [required('spec.scope')]
      : scopes.includes(String(scope))
        ? []
        : [notSupported('spec.scope', scope, scopes)]),
    ...versionCauses(spec),
    ...nameCauses(objectAt(names)),
    ...conversionCauses(objectAt(spec, 'conversion')),
    ...storedCauses(next),
    ...(current === undefined ? [] : changeCauses(spec, objectAt(current, 'spec'))),
  ];
}

function nameCauses(names: JsonObject): readonly Cause[] {
  const mixed = 'may have mixed case, but should otherwise match: ';
  const single = ['plural', 'singular', 'kind', 'listKind'].flatMap((key) => {
    const { [key]: word = '' } = names;
    const isKind = key === 'kind' || key === 'listKind';
    const faults = dns1035Label(isKind ? String(word).toLowerCase() : String(word));
    if (word === '' || word === 'List') return [required(`spec.names.${key}`)];
    return faults.map((why) => invalidValue(`spec.names.${key}`, word, `${isKind ? mixed : ''}${why}`));
  });
  const short = objectsOrTexts(names['shortNames']).flatMap((word, index) =>
    dns1035Label(String(word)).map((why) => invalidValue(`spec.names.shortNames[${index}]`, word, why)),
  );
  return [...single, ...short];
}

/** The embedded API calls no webhook, so it cannot convert by one. */
function conversionCauses({ strategy = 'None' }: JsonObject): readonly Cause[] {
  const field = 'spec.conversion.strategy';
  if (strategy === 'Webhook') return [forbiddenField(field, 'the embedded API has no conversion webhooks: use None')];
  return strategy === 'None' ? [] : [notSupported(field, strategy, ['None', 'Webhook'])];
}

function versionCauses(spec: JsonObject): readonly Cause[] {
  const versions = objectsOrTexts(spec['versions']).filter(isObject);
  const stored = versions.filter(({ storage }) => storage === true).length;
  const shown = isArray(spec['versions']) ? versions.map(inGo) : null;
  const why = 'must have exactly one version marked as storage version';
  // In the server's own form, what all versions share stands at the top of the spec.
  const isShared = (key: string) => versions.every((version) => isEqual(version[key], versions[0]?.[key]));
  const of = (key: string, causesAt: (version: JsonObject, index: number) => readonly Cause[]) =>
    versions.flatMap((version, index) => (index > 0 && isShared(key) ? [] : causesAt(version, index)));
  return [
    ...(stored === 1 ? [] : [invalidValue('spec.versions', shown, why)]),
    ...of('schema', (version, index) => {
      const schema = objectAt(version, 'schema')['openAPIV3Schema'];
      if (!isObject(schema)) return [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
      return structuralCauses(
        schema,
        `spec.${isShared('schema') ? 'validation' : `versions[${index}].schema`}.openAPIV3Schema`,
      );
    }),
    ...of('additionalPrinterColumns', (version, index) =>
      columnCauses(version, isShared('additionalPrinterColumns') ? 'spec' : `spec.versions[${index}]`),
    ),
    ...selectableCauses(versions),
  ];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

function columnCauses({ additionalPrinterColumns: columns }: JsonObject, above: string): readonly Cause[] {
  return objectsOrTexts(columns).flatMap((column, index) => {
    const { type = '', jsonPath = '' } = objectAt(column);
    const at = `${above}.additionalPrinterColumns[${index}]`;
    const known = columnTypes.includes(String(type));
    const why = 'must be a simple json path starting with .';
    return [
      ...(known ? [] : [invalidValue(`${at}.type`, type, `must be one of ${columnTypes.join(',')}`)]),
      ...(String(jsonPath).startsWith('.') ? [] : [invalidValue(`${at}.JSONPath`, jsonPath, why)]),
    ];
  });
}

function storedCauses(crd: JsonObject): readonly Cause[] {
  const at = 'status.storedVersions';
  const stored = storedVersions(crd);
  if (stored.length === 0) return [invalidValue(at, null, 'must have at least one stored version')];
  const versions = objectsOrTexts(objectAt(crd, 'spec')['versions']).filter(isObject);
  const lost = versions.filter(({ name = '', storage }) => storage === true && !stored.includes(name));
  return [
    ...lost.map(({ name }) => invalidValue(at, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) => {
      const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
      return versions.some((version) => version['name'] === name) ? [] : [invalidValue(`${at}[${index}]`, name, why)];
    }),
  ];
}

function changeCauses(spec: JsonObject, current: JsonObject): readonly Cause[] {
  const [names, before] = [objectAt(spec, 'names'), objectAt(current, 'names')];
  return [
    ...['group', 'scope'].flatMap((key) => immutable(`spec.${key}`, spec[key], current[key])),
    ...['kind', 'plural'].flatMap((key) => immutable(`spec.names.${key}`, names[key], before[key])),
  ];
}

/** A version as the server's own struct is printed: without what all versions share. */
function inGo({ name = '', served = false, storage = false, deprecated = false }: JsonObject): JsonObject {
  const none = { Schema: null, Subresources: null, AdditionalPrinterColumns: null, SelectableFields: null };
  return { Name: name, Served: served, Storage: storage, Deprecated: deprecated, DeprecationWarning: null, ...none };
}

function objectsOrTexts(list: Json | undefined): readonly Json[] {
  return isArray(list) ? list : [];
}
