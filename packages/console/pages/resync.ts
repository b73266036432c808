import { type Round, repairsOf, roundsOf } from '../model/resync.ts';
import type { RecordedEvent } from '../model/types.ts';
import { durationOf } from '../model/waterfall.ts';
import { api, type EventsPage } from './api.ts';
import { useRepeated } from './asked.ts';
import { deliveries, type Look, noDeliveries, Silence, useLook, useSilence, wantDeliveries } from './deliveries.ts';
import { ObjectLink } from './event-cells.ts';
import { html, useEffect } from './html.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Panel, Table, Title } from './parts/panel.ts';
import { Time } from './parts/words.ts';

/** How many events of each type are read. */
const read = { ticks: 200, pages: 500, asked: 1000 } as const;

/** The net below: rounds that ask after every object, and what they had to mend. */
export function ResyncPage() {
  const ticks = useRepeated(() => api.events({ type: 'dev.knative.sources.ping' }, read.ticks), [], 10);
  const pages = useRepeated(() => api.events({ type: 'dev.knudge.resync.due' }, read.pages), [], 10);
  const requests = useRepeated(() => api.events({ type: 'dev.knudge.resync.requested' }, read.asked), [], 10);
  const rounds = roundsOf({ ticks: ticks.value, pages: pages.value, asked: requests.value });
  const error = ticks.error ?? pages.error ?? requests.error;
  const isLoading = [ticks, pages, requests].some(({ value, isLoading: is }) => is && value === undefined);
  return html`<${Title} title="Resync and repairs" note="The resync asks after each object now and then, for what no event announced." />
    ${error ? html`<${Notice} error=${error} what="the rounds of the resync" />` : null}
    ${isLoading && rounds.length === 0 ? html`<${Loading} what="the rounds" />` : null}
    <${Panel} title="Rounds" note=${nextOf(rounds)}>
      ${!isLoading && rounds.length === 0 ? html`<${Empty}>The log has no round.<//>` : null}
      ${
        rounds.length > 0
          ? html`<${Table} label="Rounds" heads=${['began', 'by', 'took', 'pages', 'objects asked']} numbers=${[2, 3, 4]}
        rows=${rounds.map((round) => [html`<a data-row href=${`#/events/${round.seq}`}><${Time} at=${round.began} isLong /></a>`, round.by, ...figuresOf(round)])} />`
          : null
      }
      ${
        !isLoading && !error && rounds.some(({ known }) => known !== 'all')
          ? html`<p class="note">Of rounds before the newest ${read.ticks} ticks, ${read.pages} continuations and ${read.asked.toLocaleString('en')} questions the page knows only when they began.</p>`
          : null
      }<//>
    <${Repairs} asked=${requests.value} hasFailed=${error !== undefined} />`;
}

function figuresOf({ ms, pages, asked, known }: Round): readonly unknown[] {
  if (known === 'none') return ['not read', 'not read', 'not read'];
  return [durationOf(ms), pages, known === 'all' ? asked : `at least ${asked}`];
}

interface RepairsParts {
  readonly asked: EventsPage | undefined;
  readonly hasFailed: boolean;
}

function Repairs({ asked, hasFailed }: RepairsParts) {
  const events = asked?.events ?? none;
  const look = useLook(events, true);
  // Those that are young may get answers yet.
  useEffect(() => wantDeliveries(events.slice(0, 200)), [events]);
  const isSilent = useSilence();
  const repairs = repairsOf(events, deliveries.value);
  const state = (): unknown => {
    if (isSilent) return html`<${Silence} />`;
    if (asked === undefined) return hasFailed ? null : html`<${Loading} what="the repairs" />`;
    return html`<${HowFar} asked=${events} look=${look} isCut=${asked.next !== undefined} repairs=${repairs.length} />`;
  };
  return html`<${Panel} title="Repairs" note="objects that a resync changed: no event had announced what it found">
      ${state()}
      ${
        repairs.length > 0
          ? html`<${Table} label="Repairs" heads=${['when', 'asked about', 'function', 'wrote']}
        rows=${repairs.map(({ event, function: name, wrote }) => [html`<a data-row href=${`#/events/${event.seq}`}><${Time} at=${event.time} isLong /></a>`, html`<${ObjectLink} of=${event} />`, name, wrote])} />`
          : null
      }<//>`;
}

const none: readonly RecordedEvent[] = [];

interface HowFarParts {
  readonly asked: readonly RecordedEvent[];
  readonly look: Look;
  /** The log has older questions. */
  readonly isCut: boolean;
  readonly repairs: number;
}

/** Of how many questions the page knows what came of them: it says nothing about others. */
function HowFar({ asked, look, isCut, repairs }: HowFarParts) {
  const { read, unread, isDone } = look;
  if (!isDone) {
    return noDeliveries.value
      ? html`<p class="notice">Repairs are not known: ${noDeliveries.value}</p>`
      : html`<${Loading} what=${`the repairs: ${read} of ${asked.length}`} />`;
  }
  const of = isCut ? `the newest ${asked.length.toLocaleString('en')} questions` : 'all questions that the log has';
  const rest = unread > 0 ? ` ${unread} of them have too many answers to read.` : '';
  const said = repairs === 0 ? `No resync had to mend anything, among ${of}.` : `Among ${of}.`;
  return html`<${Empty}>${said}${rest}<//>`;
}

/** When the next round is due, by the distance of the last two ticks. */
function nextOf(rounds: readonly Round[]): string {
  const [last, before] = rounds.filter(({ by }) => by === 'a tick');
  if (last === undefined || before === undefined) return '';
  const distance = Date.parse(last.began) - Date.parse(before.began);
  return `next tick about ${new Date(Date.parse(last.began) + distance).toLocaleTimeString('en-GB')}`;
}
