import { withNow } from '../model/now.ts';
import { metadataOf } from '../model/objects.ts';
import { childrenOf, isOwnedBy } from '../model/related.ts';
import type { ObjectNow, RecordedEvent } from '../model/types.ts';
import { api, type EventsPage } from './api.ts';
import { useAgainAt, useAsked } from './asked.ts';
import { ObjectLink } from './event-cells.ts';
import { html } from './html.ts';
import { tail } from './live.ts';
import { Empty, Notice } from './parts/notice.ts';
import { Panel } from './parts/panel.ts';

interface Parts {
  readonly of: RecordedEvent | undefined;
  /** As the cluster has them; the events about them say it where the cluster does not answer. */
  readonly now: ObjectNow | undefined;
}

/** The objects that this one owns; asked for anew when another event about one comes. */
export function Children({ of, now }: Parts) {
  const uid = of && metadataOf(of).uid;
  const last = tail.value.find((event) => isOwnedBy(event, uid))?.seq;
  const owned = useAsked<EventsPage>(async () => (uid === undefined ? { events: [] } : api.owned(uid)), [uid]);
  useAgainAt(owned, last);
  const { events = [], next } = owned.value ?? {};
  const note = next === undefined ? 'objects that it owns' : `of the last ${events.length} events about them`;
  const children = withNow(of === undefined ? [] : childrenOf(of, events), now);
  return html`<${Panel} title="Children" note=${note}>
    ${owned.error ? html`<${Notice} error=${owned.error} what="its children" />` : null}
    ${owned.value && children.length === 0 ? html`<${Empty}>The log knows no child of it${now ? ', and the cluster has none' : ''}.<//>` : null}
    <ul class="plain">${children.map(
      (child) => html`<li><${ObjectLink} of=${child} /> <div class="note">${child.state}</div></li>`,
    )}</ul>
    ${now?.unread.map(({ kind, why }) => html`<p class="note">${kind} could not be read from the cluster: ${why}</p>`)}<//>`;
}
