import { type Command, Option } from 'commander';
import type { RecordedEvent } from '../packages/controller/domain/event-log.ts';
import { outgoingOf } from '../packages/event-log/replay/outgoing.ts';
import { makesPlans } from '../packages/mesh/planners.ts';
import { controllerIn } from '../packages/start/controller-in.ts';
import { root } from './about.ts';
import { exitCodes } from './exit-codes.ts';
import { functionTokenOption, httpAddress, leaf, seconds, stemArgument, usageError } from './leaf.ts';
import { type Compared, comparePlans, differenceText } from './replay/compare.ts';
import { openFunctions, plannersNow } from './replay/functions.ts';
import { headOf, lineOf } from './replay/list.ts';
import type { SourceOptions } from './replay/options.ts';
import { openSource, type Source } from './replay/source.ts';
import { refuseNonsense, wholeNumber, withSource } from './replay.ts';
import { show } from './show.ts';
import { untilSignal } from './until-signal.ts';
import { countOf } from './words.ts';

interface Options extends SourceOptions {
  readonly url: string;
  readonly against?: string;
  readonly limit?: number;
  readonly timeout: number;
  readonly functionToken?: string;
}

/** `knudge shadow`: compares what another version of a function would write with what this version would. */
export function shadowCommand(): Command {
  const command = leaf(
    'shadow',
    'ask two versions of a function what they would write for recorded events, and compare',
  );
  return withSource(command.addArgument(stemArgument()))
    .addOption(
      new Option('--url <url>', 'address of the function in the other version')
        .argParser(httpAddress)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--against <url>', 'address of the function in this version').argParser(httpAddress))
    .option('--limit <number>', 'compare this many events and stop', wholeNumber)
    .addOption(functionTokenOption())
    .option('--timeout <seconds>', 'the longest wait for each answer', seconds, 60)
    .action(shadow);
}

async function shadow(stem: string, options: Options): Promise<void> {
  refuseNonsense(options);
  if (!makesPlans(stem, controllerIn(root).functions))
    throw usageError(`${stem} makes no plans to compare: name a function that reconciles`);
  const stop = { now: false };
  void untilSignal(process, process.exit).then(() => {
    stop.now = true;
  });
  const source = await openSource(options);
  const functions = options.against === undefined ? openFunctions(options) : undefined;
  try {
    const here = options.against ?? (await functions?.urlOf(stem)) ?? '';
    await compareAll({ stem, here, source, options, stop });
  } finally {
    await functions?.close();
    await source.close();
  }
}

interface Comparing {
  readonly stem: string;
  readonly here: string;
  readonly source: Source;
  readonly options: Options;
  readonly stop: { readonly now: boolean };
}

async function compareAll({ stem, here, source, options, stop }: Comparing): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, url: there, timeout, functionToken: token } = options;
  const plannersFor = plannersNow(options);
  const counts = { equal: 0, different: 0, failed: 0, others: 0 };
  for await (const event of source.events) {
    if (stop.now || counts.equal + counts.different + counts.failed >= limit) break;
    const outgoing = outgoingOf(event);
    if (!(await plannersFor(outgoing)).includes(stem)) {
      counts.others += 1;
      continue;
    }
    const compared = await comparePlans(outgoing, { here, there, timeout, token });
    counts[compared.kind] += 1;
    if (compared.kind !== 'equal') tell(event, compared, options);
  }
  show(counts, () => textOf(stem, counts), options);
  if (counts.different + counts.failed > 0 || stop.now) process.exitCode = exitCodes.failed;
}

function tell(event: RecordedEvent, compared: Exclude<Compared, { kind: 'equal' }>, options: Options): void {
  show({ event: headOf(event), ...compared }, () => [lineOf(event), ...linesOf(compared)].join('\n'), options);
}

function linesOf(compared: Exclude<Compared, { kind: 'equal' }>): readonly string[] {
  return compared.kind === 'failed'
    ? [`    failed: ${compared.why}`]
    : compared.differences.map((one) => `    ${differenceText(one)}`);
}

function textOf(
  stem: string,
  { equal, different, failed, others }: Record<Compared['kind'] | 'others', number>,
): string {
  const rest = `${countOf(others, 'event')} ${others === 1 ? 'is' : 'are'} not for it`;
  return `${stem}: ${equal} equal, ${different} different, ${failed} failed; ${rest}`;
}
