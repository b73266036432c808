import type { KubernetesEvent, Version } from './types.ts';

/** A moment of an object: a version of it, or what somebody has noted about it in a Kubernetes Event. */
export type Moment =
  | { readonly at: string; readonly version: Version }
  | { readonly at: string; readonly noted: KubernetesEvent };

/** Versions and Kubernetes Events on one line of time, newest first. */
export function timelineOf(versions: readonly Version[], noted: readonly KubernetesEvent[]): readonly Moment[] {
  const moments: Moment[] = [
    ...versions.map((version) => ({ at: version.at, version })),
    ...noted.map((one) => ({ at: one.time, noted: one })),
  ];
  return moments.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
