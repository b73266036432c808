import { type Cause, causesOf, commandsIn } from '../model/findings.ts';
import { api } from './api.ts';
import { useAsked } from './asked.ts';
import { html } from './html.ts';
import { Copy } from './parts/buttons.ts';
import { Empty, Loading, Notice } from './parts/notice.ts';
import { Panel, Title } from './parts/panel.ts';
import { Badge } from './parts/words.ts';

const words = { problem: 'problem', warning: 'warning', unchecked: 'not checked', ok: 'in order' } as const;
const many: Readonly<Record<string, string>> = { problem: 'problems', warning: 'warnings' };
const badges = { problem: 'failed', warning: 'open', unchecked: 'ignored', ok: 'done' } as const;

/** What is wrong with the installation, what that means and what to do, by cause. */
export function DoctorPage() {
  const { value, error, isLoading, again } = useAsked(() => api.doctor(), []);
  const findings = value?.findings ?? [];
  const causes = causesOf(findings);
  const wrong = causes.filter(({ level }) => level !== 'ok');
  const right = causes.filter(({ level }) => level === 'ok');
  const counts = (['problem', 'warning', 'unchecked', 'ok'] as const).map(
    (level) => [level, findings.filter((one) => one.level === level).length] as const,
  );
  return html`<${Title} title="Doctor" note=${counts.filter(([, count]) => count > 0).map(([level, count]) => html`<${Badge} of=${badges[level]} word=${`${count} ${count === 1 ? words[level] : (many[level] ?? words[level])}`} /> `)}
      actions=${html`<button type="button" disabled=${isLoading} onClick=${again}>${isLoading ? 'Looking…' : 'Run again'}</button>`} />
    ${error ? html`<${Notice} error=${error} what="what the doctor finds" />` : null}
    ${isLoading && value === undefined ? html`<${Loading} what="what the doctor finds" />` : null}
    ${value !== undefined && wrong.length === 0 ? html`<${Empty}>All is well.<//>` : null}
    ${wrong.map((cause) => html`<${OneCause} cause=${cause} />`)}
    ${
      right.length > 0
        ? html`<${Panel} title="In order"><div class="right">${right.map(
            ({
              findings: of,
            }) => html`<details><summary><${Badge} of="done" word=${of[0]?.check ?? ''} /> ${of.length}</summary>
        <ul class="plain">${of.map(({ what }) => html`<li>${what}</li>`)}</ul></details>`,
          )}</div><//>`
        : null
    }`;
}

function OneCause({ cause: { level, title, why, todo, findings } }: { readonly cause: Cause }) {
  return html`<${Panel} title=${title} kind=${level}
      note=${html`<${Badge} of=${badges[level]} word=${words[level]} />`}>
    ${findings.length > 1 ? html`<ul class="plain">${findings.map(({ what }) => html`<li>${what}</li>`)}</ul>` : null}
    ${why ? html`<p>${why}</p>` : null}
    ${todo ? html`<p class="todo"><b>What to do:</b> ${todo}</p>` : null}
    ${commandsIn(todo).map((command) => html`<p class="command"><code>${command}</code> <${Copy} text=${() => command}>Copy<//></p>`)}<//>`;
}
