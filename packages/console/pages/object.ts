import { hasObject, metadataOf, objectOf } from '../model/objects.ts';
import { isOwnedBy } from '../model/related.ts';
import { timelineOf } from '../model/timeline.ts';
import type { Plan, Version } from '../model/types.ts';
import { api, type Named } from './api.ts';
import { useAgainAt, useAsked } from './asked.ts';
import { Children } from './children.ts';
import { html, useEffect, useState } from './html.ts';
import { tail } from './live.ts';
import { ConditionsNow, Now, useNow } from './now.ts';
import { Act, said } from './parts/buttons.ts';
import { Loading, Notice } from './parts/notice.ts';
import { Panel, Title } from './parts/panel.ts';
import { Planned } from './planned.ts';
import { Moments } from './versions.ts';

/** One object: all versions that the log has seen, its state in the cluster, its children, and what would be done now. */
export function ObjectPage({ kind, namespace: given, name }: Named) {
  const namespace = given === '-' ? '' : given;
  const object = { kind, namespace, name };
  const about = { kind, name, ...(namespace && { namespace }) };
  const own = tail.value.find((event) => objectOf(event) === objectOf(about));
  const last = own?.seq;
  const seen = useAsked(() => api.events(about, 20), []);
  const history = useAsked(() => api.history(object), []);
  const noted = useAsked(() => api.kubernetesEvents(object), []);
  for (const asked of [seen, history, noted]) useAgainAt(asked, last);
  const [plan, setPlan] = useState<Plan>();
  const events = seen.value?.events ?? [];
  const newest = events.find(hasObject) ?? events[0];
  const uid = newest && metadataOf(newest).uid;
  const lastOfChildren = tail.value.find((event) => isOwnedBy(event, uid))?.seq;
  const now = useNow(object, [last, lastOfChildren]);
  // The event alone: so an event that comes meanwhile is not sent.
  const one = newest && { after: newest.seq - 1, before: newest.seq + 1, id: newest.id };
  const reconcile = async (): Promise<void> => {
    if (one === undefined) return;
    const { sent } = await api.replay(one);
    said.value =
      sent === 1
        ? `Event ${newest?.seq} was sent again: functions look at the object as it is now.`
        : 'The Broker did not take it.';
    setTimeout(history.again, 1000);
  };
  const actions = html`<${Act} action="plan" work=${async () => setPlan(await api.plan(about))}>What would be done now<//>
    <${Act} action="replay" kind="main" off=${one === undefined} work=${reconcile}>Reconcile now<//>`;
  const { versions, older, more } = useOlder(object, history.value);
  const moments = timelineOf(versions, noted.value ?? []);
  return html`<${Title} title=${name} actions=${actions} note=${html`<b>${kind}</b> ${namespace}`} />
    ${plan ? html`<${Panel} title="Plan" note="what functions would write now"><${Planned} plan=${plan} /><//>` : null}
    <div class="columns">
      <${Panel} title="History" note=${`${versions.length}${older ? '+' : ''} events about it, newest first`}>
        ${history.error ? html`<${Notice} error=${history.error} what="its history" />` : null}
        ${noted.error ? html`<${Notice} error=${noted.error} what="Kubernetes Events" />` : null}
        ${history.isLoading && versions.length === 0 ? html`<${Loading} what="its history" />` : html`<${Moments} moments=${moments} />`}
        ${older ? html`<p><${Act} work=${more}>Older versions<//></p>` : null}<//>
      <div>
        <${Now} now=${now} />
        <${Children} of=${newest} now=${now.value} />
        <${ConditionsNow} now=${now} newest=${newest} />
      </div>
    </div>`;
}

/** The pages of older versions that a person has asked for, behind the first one. */
function useOlder(object: Named, first: Awaited<ReturnType<typeof api.history>> | undefined) {
  const [rest, setRest] = useState<readonly Version[]>([]);
  const [older, setOlder] = useState<number>();
  useEffect(() => {
    setRest([]);
    setOlder(first?.before);
  }, [first]);
  const more = async (): Promise<void> => {
    const page = await api.history(object, older);
    setRest((before) => [...before, ...page.versions]);
    setOlder(page.before);
  };
  return { versions: [...(first?.versions ?? []), ...rest], older: older !== undefined, more };
}
