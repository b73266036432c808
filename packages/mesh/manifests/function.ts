import type { FunctionSpec } from '../mesh-spec.ts';
import { secondsOfGo } from './duration.ts';
import type { Field } from './field.ts';

/** Set by Knative itself: the webhook refuses them. */
const reserved = ['PORT', 'K_SERVICE', 'K_CONFIGURATION', 'K_REVISION'];
const name = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** Reads a Knative Service: how it is scaled, and its environment. Its image is not used: the mesh runs the function of its name. */
export function readFunction(field: Field): FunctionSpec {
  const [metadata, template] = [field.at('metadata'), field.at('spec').at('template')];
  field.at('spec').allow(['template', 'traffic']);
  template.allow(['metadata', 'spec']);
  const [spec, annotations] = [template.at('spec'), template.at('metadata').at('annotations')];
  const containers = spec.at('containers').items();
  if (containers.length !== 1)
    spec.at('containers').refuse('expected exactly one container: locally a function is one');
  return {
    namespace: metadata.at('namespace').text('default'),
    name: metadata.at('name').text(),
    ...readEnv(containers[0]?.at('env')),
    containerConcurrency: spec.at('containerConcurrency').integer({ least: 0, most: 1000, fallback: 0 }),
    timeoutSeconds: spec.at('timeoutSeconds').integer({ least: 1, most: 600, fallback: 300 }),
    ...readScaling(annotations),
  };
}

/** A value that a variable takes from an object of the cluster is known only there. */
function readEnv(field: Field | undefined): Pick<FunctionSpec, 'env' | 'envOfCluster'> {
  const entries = (field?.items() ?? []).map((item) => {
    item.allow(['name', 'value', 'valueFrom']);
    const key = item.at('name').text();
    if (!name.test(key)) item.at('name').refuse(`invalid value: ${JSON.stringify(key)} is not the name of a variable`);
    if (reserved.includes(key)) item.at('name').refuse(`${key} is a reserved environment variable`);
    return { key, value: item.at('valueFrom').isSet ? undefined : item.at('value').text() };
  });
  return {
    env: Object.fromEntries(entries.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]]))),
    envOfCluster: entries.filter(({ value }) => value === undefined).map(({ key }) => key),
  };
}

/** Annotations `autoscaling.knative.dev/…`, which are texts. */
function readScaling(annotations: Field) {
  const at = (key: string): Field => annotations.at(`autoscaling.knative.dev/${key}`);
  const count = (key: string): number =>
    numberOf(at(key), { fallback: 0, fits: Number.isInteger, mustBe: 'a whole number' });
  const [minScale, maxScale] = [count('min-scale'), count('max-scale')];
  if (maxScale > 0 && minScale > maxScale) at('min-scale').refuse(`is more than max-scale ${maxScale}`);
  const fits = (target: number): boolean => target >= 0.01;
  const target = numberOf(at('target'), { fallback: 100, fits, mustBe: 'a number of at least 0.01' });
  return { minScale, maxScale, target, idleSeconds: windowOf(at('window')) };
}

interface Form {
  readonly fallback: number;
  readonly fits: (value: number) => boolean;
  readonly mustBe: string;
}

function numberOf(field: Field, { fallback, fits, mustBe }: Form): number {
  if (!field.isSet) return fallback;
  const text = field.text();
  if (/^\d+(\.\d+)?$/.test(text) && fits(Number(text))) return Number(text);
  if (text !== '') field.refuse(`invalid value: ${JSON.stringify(field.value)}, must be ${mustBe}`);
  return fallback;
}

function windowOf(field: Field): number {
  if (!field.isSet) return 60;
  const seconds = secondsOfGo(field.text());
  if (seconds !== undefined && seconds >= 6 && seconds <= 3600) return seconds;
  field.refuse(`invalid value: ${JSON.stringify(field.value)}, must be a duration from 6s to 1h`);
  return 60;
}
