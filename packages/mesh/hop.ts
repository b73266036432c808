import type { ObjectRef } from '../controller/domain/kube-object.ts';
import type { CloudEvent } from './cloud-event.ts';

/** What a person at the screen wants to see, as values: packages/mesh/screen.ts makes the lines. */
export type Hop =
  /** A source sent an event; `status` is the last answer of its sink, `attempts` the number of tries. */
  | {
      readonly kind: 'sent';
      readonly source: string;
      readonly event: CloudEvent;
      readonly attempts: number;
      readonly status: number;
    }
  /** A source gave an event up. */
  | { readonly kind: 'lost'; readonly source: string; readonly event: CloudEvent; readonly why: string }
  /** A Trigger's subscriber answered one try. */
  | {
      readonly kind: 'delivered';
      readonly trigger: string;
      readonly event: CloudEvent;
      readonly attempt: number;
      /** 0 if there was no answer; `why` then says so. */
      readonly status: number;
      readonly why?: string;
      readonly ms: number;
      /** The headers of the answer: `knudge-outcome`, `knudge-parents`. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'dead-lettered';
      readonly trigger: string;
      readonly event: CloudEvent;
      readonly to: string;
      readonly status: number;
    }
  /** An event was given up, and there is no dead-letter sink for it. */
  | { readonly kind: 'dropped'; readonly trigger: string; readonly event: CloudEvent; readonly why: string }
  /** `pids`: of its processes that are awake then. */
  | { readonly kind: 'woke'; readonly function: string; readonly coldMs: number; readonly pids: readonly number[] }
  | { readonly kind: 'slept'; readonly function: string; readonly pids: readonly number[] }
  | { readonly kind: 'crashed'; readonly function: string; readonly why: string }
  /** A line that a function logged. */
  | { readonly kind: 'said'; readonly function: string; readonly line: string }
  /** Something that works here and would not in a cluster, or that a person should look at. */
  | { readonly kind: 'warning'; readonly about: string; readonly text: string }
  /** A file or an object was changed, and the mesh does from now on what it says. */
  | { readonly kind: 'reloaded'; readonly what: string }
  | { readonly kind: 'watching'; readonly source: string; readonly what: string }
  | { readonly kind: 'blind'; readonly source: string; readonly what: string; readonly why: string };

/** Takes what happens in the mesh, one thing after another. */
export type Report = (hop: Hop) => void;

/** The object an event is about, by its extensions. */
export function subjectOf({ attributes }: CloudEvent): ObjectRef | undefined {
  const { kind, apiversion = '', namespace = '', name } = attributes;
  return kind === undefined || name === undefined ? undefined : { apiVersion: apiversion, kind, namespace, name };
}
