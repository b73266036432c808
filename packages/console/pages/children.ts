import { metadataOf } from '../model/objects.ts';
import { childrenOf, isOwnedBy } from '../model/related.ts';
import type { RecordedEvent } from '../model/types.ts';
import { api, type EventsPage } from './api.ts';
import { useAsked } from './asked.ts';
import { ObjectLink } from './event-cells.ts';
import { html } from './html.ts';
import { tail } from './live.ts';
import { Empty, Notice } from './parts/notice.ts';
import { Panel } from './parts/panel.ts';

/** The objects that this one owns, as the events about them show; asked for anew when another one comes. */
export function Children({ of }: { readonly of: RecordedEvent | undefined }) {
  const uid = of && metadataOf(of).uid;
  const last = tail.value.find((event) => isOwnedBy(event, uid))?.seq;
  const owned = useAsked<EventsPage>(async () => (uid === undefined ? { events: [] } : api.owned(uid)), [uid, last]);
  const { events = [], next } = owned.value ?? {};
  const note = next === undefined ? 'objects that it owns' : `of the last ${events.length} events about them`;
  const children = of === undefined ? [] : childrenOf(of, events);
  return html`<${Panel} title="Children" note=${note}>
    ${owned.error ? html`<${Notice} error=${owned.error} what="its children" />` : null}
    ${owned.value && children.length === 0 ? html`<${Empty}>The log knows no child of it.<//>` : null}
    <ul class="plain">${children.map(
      ({ event, state }) => html`<li><${ObjectLink} of=${event} /> <span class="note">${state}</span></li>`,
    )}</ul><//>`;
}
