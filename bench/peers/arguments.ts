import { parseArgs } from 'node:util';
import { type ContestantName, contestantNames } from './contestants.ts';

export interface PeersArguments {
  readonly rounds: number;
  readonly only: readonly ContestantName[];
  readonly messages: number;
  /** The number of unrelated Pods at each point of the curve, from few to many; empty: no curve. */
  readonly pods: readonly number[];
  readonly json: boolean;
  readonly smoke: boolean;
  /** Whether the figures are written into the documents. */
  readonly draw: boolean;
  /** A file that `--json` or `--draw` has written before: then nothing is measured. */
  readonly from: string | undefined;
}

const usage = `usage: npm run bench:peers [-- OPTION...]
  --rounds N        how often each contestant has its turn; default 3
  --only A,B        of ${contestantNames.join(', ')}; default all
  --messages N      this many in a burst; default 1000
  --pods 0,N,M      the points of the memory curve; default 0,10000,100000; an empty one: no curve
  --smoke           a little of each, to see that it runs
  --json            one JSON object instead of the tables
  --draw            puts the figures into bench/peers/measured.json, docs and README.md
  --from FILE       measures nothing and takes the figures of that file`;

const options = {
  rounds: { type: 'string' },
  only: { type: 'string' },
  messages: { type: 'string' },
  pods: { type: 'string' },
  json: { type: 'boolean', default: false },
  smoke: { type: 'boolean', default: false },
  draw: { type: 'boolean', default: false },
  from: { type: 'string' },
} as const;

/** Throws a sentence if they are wrong. */
export function readPeersArguments(args: readonly string[]): PeersArguments {
  const { values } = parseArgs({ args: [...args], options });
  const { smoke, json, draw, from } = values;
  if (smoke && draw) throw new Error('--smoke has no figures that --draw could put into the documents');
  const usual = smoke
    ? { rounds: '1', messages: '10', pods: '0,50' }
    : { rounds: '3', messages: '1000', pods: '0,10000,100000' };
  const pods = (values.pods ?? usual.pods).split(',').filter((text) => text !== '');
  return {
    rounds: whole('--rounds', values.rounds ?? usual.rounds, 1),
    messages: whole('--messages', values.messages ?? usual.messages, 1),
    pods: pods.map((text) => whole('--pods', text, 0)).toSorted((one, other) => one - other),
    only: values.only === undefined ? contestantNames : values.only.split(',').map(named),
    json,
    smoke,
    draw,
    from,
  };
}

function whole(option: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && text !== '') return value;
  throw new Error(`${option} "${text}" is not a whole number from ${String(least)} on\n${usage}`);
}

function named(text: string): ContestantName {
  const found = contestantNames.find((name) => name === text);
  if (found === undefined) throw new Error(`--only: there is no contestant "${text}"\n${usage}`);
  return found;
}
