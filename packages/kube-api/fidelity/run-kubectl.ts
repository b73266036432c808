import { spawn } from 'node:child_process';
import type { Kubectl } from './case.ts';
import { filled, filledText } from './placeholders.ts';
import type { Answer, Run } from './run-case.ts';

const patienceMs = 60_000;

/** Runs kubectl and gives what it prints, masked, and its exit code; `during` is done after its first line. */
export async function runKubectl(run: Run, step: Kubectl, during: () => Promise<void>): Promise<Answer> {
  const { values, masks } = run;
  const view = step.view ?? ((text: string) => text);
  const { exit, stdout, stderr } = await output(run, step, during);
  const of = (text: string) => (text === '' ? {} : masks.printed(view(text)));
  return {
    step: `kubectl ${step.line}`,
    exit,
    ...(stdout !== '' && { stdout: of(stdout) }),
    ...(stderr !== '' && { stderr: of(filledText(stderr, values)) }),
  };
}

interface Output {
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

async function output({ server, values }: Run, step: Kubectl, during: () => Promise<void>): Promise<Output> {
  const args = [
    `--namespace=${values.get('ns')}`,
    `--cache-dir=${server.home}`,
    ...wordsOf(filledText(step.line, values)),
  ];
  const env = {
    PATH: process.env['PATH'],
    HOME: server.home,
    KUBECONFIG: server.kubeconfig,
    ...(step.editor !== undefined && { KUBE_EDITOR: filledText(step.editor, values) }),
  };
  const child = spawn('kubectl', args, { env, timeout: patienceMs });
  const stdin = filled(step.stdin ?? '', values);
  child.stdin.end(typeof stdin === 'string' ? stdin : JSON.stringify(stdin));
  let stdout = '';
  let stderr = '';
  let work: Promise<void> | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    work ??= during();
    if (step.lines !== undefined && stdout.split('\n').length > step.lines) child.kill();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exit = await new Promise<number | string>((ended, failed) => {
    child.on('error', failed);
    child.on('close', (code, signal) => ended(code ?? signal ?? ''));
  });
  await work;
  const cut = step.lines === undefined ? stdout : stdout.split('\n').slice(0, step.lines).join('\n');
  return { exit, stdout: cut, stderr };
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
