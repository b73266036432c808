import { partsOf, wordsOf } from '../model/now.ts';
import { conditionsOf } from '../model/related.ts';
import { throttled } from '../model/throttle.ts';
import type { ObjectNow, RecordedEvent } from '../model/types.ts';
import { api, type Named } from './api.ts';
import { type Asked, useAsked } from './asked.ts';
import { Conditions } from './conditions.ts';
import { html, useEffect, useMemo } from './html.ts';
import { Empty, Notice } from './parts/notice.ts';
import { Panel, Table } from './parts/panel.ts';

/** An object as the cluster has it, asked for again when one of these changes: at most each second, however many events come. */
export function useNow(object: Named, changes: readonly unknown[]): Asked<ObjectNow> {
  const now = useAsked(() => api.now(object), [object.kind, object.namespace, object.name]);
  const soon = useMemo(() => throttled(1000, now.again), [now.again]);
  useEffect(soon.call, [soon, ...changes]);
  useEffect(() => soon.end, [soon]);
  return now;
}

interface Parts {
  readonly now: Asked<ObjectNow>;
  /** The newest event that holds the object. */
  readonly newest: RecordedEvent | undefined;
}

/** The state of an object in the cluster. */
export function Now({ now: { value, error } }: Pick<Parts, 'now'>) {
  const { object } = value ?? {};
  const { values, lists } = partsOf(object?.status ?? {});
  return html`<${Panel} title="Now" note="as the cluster has it">
    ${error ? html`<${Notice} error=${error} what="its state in the cluster" />` : null}
    ${value && object === undefined ? html`<${Empty}>The cluster has no such object.<//>` : null}
    ${object ? html`<p>${wordsOf(object)}</p>` : null}
    ${values.length > 0 ? html`<${Table} label="Status" heads=${['status', 'is']} rows=${values} />` : null}
    ${lists.map(
      ({ name, heads, rows }) =>
        html`<p class="note">${name}</p><${Table} label=${name} heads=${heads} rows=${rows} />`,
    )}<//>`;
}

/** Its conditions in the cluster; those of the newest event where the cluster does not say. */
export function ConditionsNow({ now: { value }, newest }: Parts) {
  const status = value?.object?.status;
  const logged = newest === undefined ? [] : conditionsOf(newest);
  const note = status ? 'as the cluster has them' : 'as the newest event has them';
  return html`<${Panel} title="Conditions" note=${note}>
    <${Conditions} conditions=${status ? partsOf(status).conditions : logged} /><//>`;
}
