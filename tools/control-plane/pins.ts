import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClusterError } from './errors.ts';

export type Pins = { kubernetes: string; go: string };

/** The versions that the two Go modules in this folder pin; `go` is the newer of the two that they need. */
export function readPins(folder: string): Pins {
  const stack = readFileSync(join(folder, 'go.mod'), 'utf8');
  const kwok = readFileSync(join(folder, 'kwok/go.mod'), 'utf8');
  const versions = [found(stack, /^go (\S+)$/m), found(kwok, /^go (\S+)$/m)];
  return {
    kubernetes: found(stack, /^\s*k8s\.io\/kubernetes (v\S+)$/m),
    go: versions.reduce((newest, version) => (isOlder(newest, version) ? version : newest)),
  };
}

/** Linker flags without which Kubernetes calls itself v0.0.0-master, and clients that compare versions refuse it. */
export function versionStamps(version: string): string {
  const [major, minor] = version.slice(1).split('.');
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']
    .map((path) => `-X ${path}.gitVersion=${version} -X ${path}.gitMajor=${major} -X ${path}.gitMinor=${minor}`)
    .join(' ');
}

/** Whether a dotted version such as 1.25.0 (also go1.25.0 or v1.25.0) is older than another one. */
export function isOlder(version: string, than: string): boolean {
  const [left, right] = [numbers(version), numbers(than)];
  const at = [0, 1, 2].find((index) => left[index] !== right[index]);
  return at !== undefined && (left[at] ?? 0) < (right[at] ?? 0);
}

function numbers(version: string): number[] {
  const [, major = '0', minor = '0', patch = '0'] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) ?? [];
  return [Number(major), Number(minor), Number(patch)];
}

function found(text: string, pattern: RegExp): string {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new ClusterError(`go.mod of the control plane has no line like ${String(pattern)}.`);
  return value;
}
