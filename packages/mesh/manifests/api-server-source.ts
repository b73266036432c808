import type { SourceSpec, WatchedResource } from '../mesh-spec.ts';
import { type Known, readDestination } from './destination.ts';
import type { Field } from './field.ts';
import { readSelector } from './selector.ts';

/** An ApiServerSource. */
export function readApiServerSource(field: Field, known: Known): SourceSpec {
  const [metadata, spec] = [field.at('metadata'), field.at('spec')];
  const namespace = metadata.at('namespace').text('default');
  spec.allow([...taken, 'filters'], { selector: 'unknown field: each of spec.resources has a selector of its own' });
  const filters = spec.at('filters');
  if (filters.items().length > 0) {
    filters.refuse('the flag new-apiserversource-filters is off, as Knative ships it: filter in the Triggers');
  }
  const [owner, resources] = [spec.at('owner'), spec.at('resources')];
  if (resources.items().length === 0) resources.refuse('missing field');
  return {
    namespace,
    name: metadata.at('name').text(),
    mode: readMode(spec.at('mode')),
    resources: resources.items().map(readResource),
    ...(owner.isSet && { owner: readKind(owner, []) }),
    namespaces: readNamespaces(spec.at('namespaceSelector')),
    sink: readDestination(spec.at('sink'), { namespace, known }),
    overrides: readOverrides(spec.at('ceOverrides')),
  };
}

const taken = ['serviceAccountName', 'mode', 'resources', 'owner', 'namespaceSelector', 'sink', 'ceOverrides'];

/** `ceOverrides.extensions` of any source. */
export function readOverrides(field: Field): Readonly<Record<string, string>> {
  field.allow(['extensions']);
  const extensions = field.at('extensions');
  for (const name of extensions.keys().filter((key) => !/^[a-z0-9]+$/.test(key))) {
    extensions.at(name).refuse('invalid key name, an extension has lowercase letters and digits only');
  }
  return extensions.texts();
}

function readMode(field: Field): SourceSpec['mode'] {
  const mode = field.text('Reference');
  if (mode === 'Resource' || mode === 'Reference') return mode;
  field.refuse(`invalid value: ${JSON.stringify(mode)}, must be Resource or Reference`);
  return 'Reference';
}

function readResource(field: Field): WatchedResource {
  return { ...readKind(field, ['selector']), selector: readSelector(field.at('selector')) };
}

function readKind(field: Field, others: readonly string[]): { readonly apiVersion: string; readonly kind: string } {
  field.allow(['apiVersion', 'kind', ...others], { labelSelector: 'unknown field: it is called selector' });
  const [apiVersion, kind] = [field.at('apiVersion'), field.at('kind')];
  if (!/^([^/\s]+\/)?[^/\s]+$/.test(apiVersion.text())) {
    apiVersion.refuse(`invalid value: ${JSON.stringify(apiVersion.text())}, must be such as v1 or apps/v1`);
  }
  if (kind.text().trim() === '') kind.refuse('missing field');
  return { apiVersion: apiVersion.text(), kind: kind.text() };
}

/** Without the field its own namespace; with `{}` all of them, with one watch for each resource. */
function readNamespaces(field: Field): SourceSpec['namespaces'] {
  if (!field.isSet) return { kind: 'own' };
  const selector = readSelector(field);
  return selector === '' ? { kind: 'all' } : { kind: 'labelled', selector };
}
