import type { Json, JsonObject } from '../json.ts';
import { first } from './cell-texts.ts';
import { findPath } from './json-path.ts';

const unknown = '<unknown>';

/** What an autoscaler aims at: `cpu: <unknown>/80%`; no metrics are here, so what is true now is unknown. */
export function scalerTargets(scaler: JsonObject): string {
  const metrics = findPath(scaler, '.spec.metrics[*]');
  if (metrics.length === 0) return '<none>';
  const more = metrics.length > 2 ? ` + ${metrics.length - 2} more...` : '';
  return `${metrics.slice(0, 2).map(targetOf).join(', ')}${more}`;
}

function targetOf(metric: Json): string {
  const type = first(metric, '.type');
  const source = `.${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const isNamed = type === 'Resource' || type === 'ContainerResource';
  const name = isNamed ? `${first(metric, `${source}.name`)}: ` : '';
  const target = (field: string) => first(metric, `${source}.target.${field}`);
  if (isNamed) return `${name}${unknown}/${target('averageValue') || `${target('averageUtilization') || '<auto>'}%`}`;
  const average = target('averageValue');
  if (average === '') return `${unknown}/${target('value')}`;
  return `${unknown}/${average}${type === 'Pods' ? '' : ' (avg)'}`;
}
