import { lastTries } from '../model/outcomes.ts';
import type { Moment } from '../model/timeline.ts';
import type { Change, KubernetesEvent, Version } from '../model/types.ts';
import { How } from './family.ts';
import { html } from './html.ts';
import { Diff, Places } from './parts/diff.ts';
import { Empty } from './parts/notice.ts';
import { Outcome, Time } from './parts/words.ts';

/** What the log has seen of an object, and what Kubernetes Events say of it, newest first. */
export function Moments({ moments }: { readonly moments: readonly Moment[] }) {
  if (moments.length === 0) return html`<${Empty}>The log has no event about this object.<//>`;
  return html`<ol class="versions">${moments.map((moment) =>
    'version' in moment
      ? html`<${OneVersion} key=${moment.version.seq} version=${moment.version} />`
      : html`<${OneNoted} key=${`${moment.at} ${moment.noted.reason} ${moment.noted.note}`} noted=${moment.noted} />`,
  )}</ol>`;
}

function OneNoted({ noted: { time, type, reason, note } }: { readonly noted: KubernetesEvent }) {
  return html`<li class="noted"><p class="head"><${Time} at=${time} isLong /> <span class="note">Kubernetes Event</span>
      <b>${reason}</b> <span class="note">${type}</span></p>
    <p>${note}</p></li>`;
}

/** Changes that are more than this are folded: their places stand above them. */
const few = 4;

function Part({ part, changes }: { readonly part: string; readonly changes: readonly Change[] }) {
  if (changes.length <= few) return html`<h3>${part}</h3><${Diff} changes=${changes} />`;
  return html`<details class="folded"><summary><b>${part}</b> <${Places} changes=${changes} most=${few} /></summary>
    <${Diff} changes=${changes} /></details>`;
}

function OneVersion({ version }: { readonly version: Version }) {
  const { seq, at, verb, resourceVersion, manager, diff, causes, deliveries } = version;
  const parts = Object.entries(diff).filter(([, changes]) => changes.length > 0);
  const cause = causes.find(({ event }) => event !== undefined);
  return html`<li><p class="head"><a data-row href=${`#/events/${seq}`}><${Time} at=${at} isLong /></a>
      <span class="verb">${verb || 'asked after'}</span>
      ${resourceVersion ? html`<span class="note">version ${resourceVersion}</span>` : null} <b>${manager}</b>
      ${lastTries(deliveries).map((delivery) => html`<span class="note">${delivery.function}</span> <${Outcome} delivery=${delivery} />`)}</p>
    ${cause ? html`<p class="note"><${How} of=${cause} /> <a href=${`#/events/${cause.event?.seq}`}>event ${cause.event?.seq}</a></p>` : null}
    ${parts.map(([part, changes]: [string, readonly Change[]]) => html`<${Part} part=${part} changes=${changes} />`)}
    ${resourceVersion && parts.length === 0 ? html`<p class="note">Neither spec nor status nor labels changed.</p>` : null}</li>`;
}
