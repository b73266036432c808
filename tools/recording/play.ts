import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Section, Step } from './sections.ts';

/** A line of a terminal, and how many seconds after the beginning it came. */
export interface Line {
  readonly at: number;
  readonly terminal: 1 | 2;
  readonly text: string;
  readonly isCommand: boolean;
}

export interface Played {
  readonly section: Section;
  readonly lines: readonly Line[];
}

/** Where the commands run. */
export interface Stage {
  /** The folder of a command. */
  readonly folder: (step: Step) => string;
  readonly env: NodeJS.ProcessEnv;
  /** What is run for a command of a section; the second text is what the first terminal has printed. */
  readonly translate: (command: string, first: string) => string;
  /** Seconds for one step. */
  readonly timeout: number;
  /** Takes the picture of a step, whose command has printed this address. */
  readonly picture?: (file: string, address: string) => Promise<void>;
}

/** Runs the commands of all sections one after the other, and fails at the first whose output is not what its step says. */
export async function play(sections: readonly Section[], stage: Stage): Promise<readonly Played[]> {
  const terminal = new Terminals(stage);
  const played: Played[] = [];
  try {
    for (const section of sections) {
      const from = terminal.lines.length;
      for (const step of section.steps) await terminal.step(step);
      // What the first terminal says about the last step.
      await sleep(terminal.stays === undefined ? 0 : settleMs);
      played.push({ section, lines: terminal.lines.slice(from) });
    }
    return played;
  } finally {
    terminal.stays?.kill('SIGKILL');
  }
}

const settleMs = 1500;

/** Calls `take` with each line of a text, and at the end with what has no line break. */
function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}

class Terminals {
  readonly lines: Line[] = [];
  stays: ChildProcess | undefined;
  readonly #began = performance.now();
  readonly #stage: Stage;
  /** What the first terminal has printed since it runs. */
  #first = '';

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async step(step: Step): Promise<void> {
    if (step.after !== undefined) await this.#untilFirst(step.after, step);
    const terminal = step.is !== undefined || this.stays === undefined ? 1 : 2;
    this.#add(terminal, step.run, true);
    if (step.is === 'ends') return this.#end();
    const child = this.#spawn(step);
    let said = '';
    const take = (line: string): void => {
      // What a progress bar has written over is left out.
      const text = line.slice(line.lastIndexOf('\r') + 1);
      said += `${text}\n`;
      if (step.is === 'stays') this.#first += `${text}\n`;
      this.#add(terminal, text, false);
    };
    for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, take);
    if (step.is === 'stays') {
      this.stays = child;
      return this.#untilFirst(step.shows, step);
    }
    const { timeout } = this.#stage;
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout * 1000);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(timer);
    if (code !== (step.code ?? 0) || !step.shows.test(said))
      throw new Error(
        `${step.run}\nended with ${String(code)}, and does not show ${String(step.shows)}:\n${said}\n${this.#first}`,
      );
    if (step.picture !== undefined) await this.#stage.picture?.(step.picture, said.trim());
  }

  #spawn(step: Step): ChildProcess {
    const { env, folder, translate } = this.#stage;
    return spawn('bash', ['-c', translate(step.run, this.#first)], {
      cwd: folder(step),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, as a terminal has, so that Ctrl-C reaches npm and what it runs.
      detached: step.is === 'stays',
    });
  }

  async #end(): Promise<void> {
    const child = this.stays;
    if (child?.pid === undefined) throw new Error('nothing runs that could be ended');
    const closed = once(child, 'close') as Promise<[number | null]>;
    process.kill(-child.pid, 'SIGINT');
    const [code] = await closed;
    this.stays = undefined;
    if (code !== 0) throw new Error(`it ended with ${String(code)}:\n${this.#first}`);
  }

  async #untilFirst(shows: RegExp, { run }: Step): Promise<void> {
    const { timeout } = this.#stage;
    const deadline = Date.now() + timeout * 1000;
    while (!shows.test(this.#first)) {
      if (Date.now() > deadline || this.stays?.exitCode !== null)
        throw new Error(`${run}\nwaits ${timeout} s for ${String(shows)} in:\n${this.#first}`);
      await sleep(50);
    }
  }

  #add(terminal: Line['terminal'], text: string, isCommand: boolean): void {
    this.lines.push({ at: (performance.now() - this.#began) / 1000, terminal, text, isCommand });
  }
}
