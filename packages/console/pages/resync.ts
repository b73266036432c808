import { type Round, repairsOf, roundsOf } from '../model/resync.ts';
import { durationOf } from '../model/waterfall.ts';
import { api } from './api.ts';
import { useAsked } from './asked.ts';
import { deliveries, wantDeliveries } from './deliveries.ts';
import { ObjectLink } from './event-cells.ts';
import { html, useEffect } from './html.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Panel, Table, Title } from './parts/panel.ts';
import { Time } from './parts/words.ts';

/** The net below: rounds that ask after every object, and what they had to mend. */
export function ResyncPage() {
  const ticks = useAsked(() => api.events({ type: 'dev.knative.sources.ping' }, 200), []);
  const pages = useAsked(() => api.events({ type: 'dev.knudge.resync.due' }, 500), []);
  const requests = useAsked(() => api.events({ type: 'dev.knudge.resync.requested' }, 1000), []);
  const began = [...(ticks.value?.events ?? []), ...(pages.value?.events ?? [])];
  const asked = requests.value?.events ?? [];
  const rounds = roundsOf(began, asked);
  useEffect(() => wantDeliveries([...asked, ...began].slice(0, 500)), [requests.value, pages.value]);
  const repairs = repairsOf(asked, deliveries.value);
  const error = ticks.error ?? pages.error ?? requests.error;
  const isLoading = ticks.isLoading || pages.isLoading || requests.isLoading;
  return html`<${Title} title="Resync and repairs" note="The resync asks after each object now and then, for what no event announced." />
    ${error ? html`<${Notice} error=${error} what="the rounds of the resync" />` : null}
    ${isLoading && rounds.length === 0 ? html`<${Loading} what="the rounds" />` : null}
    <${Panel} title="Rounds" note=${nextOf(rounds)}>
      ${!isLoading && rounds.length === 0 ? html`<${Empty}>The log has no round.<//>` : null}
      ${
        rounds.length > 0
          ? html`<${Table} label="Rounds" heads=${['began', 'by', 'took', 'pages', 'objects asked']} numbers=${[2, 3, 4]}
        rows=${rounds.map((round) => [html`<a data-row href=${`#/events/${round.seq}`}><${Time} at=${round.began} isLong /></a>`, round.by, durationOf(round.ms), round.pages, round.asked])} />`
          : null
      }<//>
    <${Panel} title="Repairs" note="objects that a resync changed: no event had announced what it found">
      ${repairs.length === 0 ? html`<${Empty}>No resync had to mend anything, as far as the log goes back.<//>` : null}
      ${
        repairs.length > 0
          ? html`<${Table} label="Repairs" heads=${['when', 'asked about', 'function', 'wrote']}
        rows=${repairs.map(({ event, function: name, wrote }) => [html`<a data-row href=${`#/events/${event.seq}`}><${Time} at=${event.time} isLong /></a>`, html`<${ObjectLink} of=${event} />`, name, wrote])} />`
          : null
      }<//>`;
}

/** When the next round is due, by the distance of the last two ticks. */
function nextOf(rounds: readonly Round[]): string {
  const [last, before] = rounds.filter(({ by }) => by === 'a tick');
  if (last === undefined || before === undefined) return '';
  const distance = Date.parse(last.began) - Date.parse(before.began);
  return `next tick about ${new Date(Date.parse(last.began) + distance).toLocaleTimeString('en-GB')}`;
}
