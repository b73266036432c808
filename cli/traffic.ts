import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KnudgeError } from '../packages/controller/domain/errors.ts';
import type { KubeObject } from '../packages/controller/domain/kube-object.ts';
import type { Programs } from '../packages/mesh/pods/program.ts';
import { root } from './about.ts';

/** The file that says where the programs are, one `name=path` a line, and installs them. */
const tool = 'tools/dataplane/dataplane.ts';

/** The Pods of the traffic run from these programs. Throws a sentence that says what is missing and what installs it. */
export async function findPrograms(): Promise<Programs> {
  if (process.platform !== 'linux') {
    const sentence = `--traffic gives each Pod an address of its own in 127.0.0.0/8, which ${process.platform} does not have: run it in a Linux container or machine`;
    throw new KnudgeError('misuse', sentence);
  }
  if (!existsSync(join(root, tool))) {
    const sentence = `--traffic needs ${tool}, which says where the programs are, and ${root} has none: use a clone of Knudge`;
    throw new KnudgeError('misuse', sentence);
  }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, tool), 'where'], { cwd: root });
    const found = stdout.split('\n').filter((line) => line.includes('='));
    const programs = found.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
    return { ...Object.fromEntries(programs), node: process.execPath };
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new KnudgeError('misuse', `--traffic: ${stderr.trim()} It takes about four minutes and 150 MB, once.`);
  }
}

/** The port of the examples at which clients find the FRP server. */
const exampleHttpPort = 8380;

interface Traffic {
  readonly objects: readonly KubeObject[];
  /** What to try, with the command. */
  readonly sentence: string;
}

/** The objects of examples/traffic, with certificates of this machine; clients find them at this port of 127.0.0.1, or at any other if it is taken. */
export async function trafficAt(firstPort: number): Promise<Traffic> {
  const { readExamples } = await import('../packages/mesh/examples.ts');
  const { withCertificates } = await import('../packages/mesh/pods/certificates.ts');
  const { freePort } = await import('../packages/mesh/pods/free-port.ts');
  const port = await freePort(firstPort === 0 ? 0 : firstPort + exampleHttpPort - usualFirstPort);
  const objects = await withCertificates(readExamples(root, 'examples/traffic'));
  const text = JSON.stringify(objects).replace(new RegExp(`\\b${String(exampleHttpPort)}\\b`, 'g'), String(port));
  const sentence = `Traffic passes in some seconds, by frps, frpc and Envoy, to three backends. Try:\n  curl http://web.localhost:${String(port)}/`;
  return { objects: JSON.parse(text) as readonly KubeObject[], sentence };
}

const usualFirstPort = 8300;
