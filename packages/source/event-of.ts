import { guessedPlural } from '../controller/domain/plural.ts';
import type { Happening } from './news.ts';

/** An event as binary mode carries it: attributes without `ce-`, the data, and further headers. */
export interface SourceEvent {
  readonly attributes: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly data: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The attributes of an event that do not depend on its object. */
export interface EventStamp {
  readonly mode: 'Resource' | 'Reference';
  /** The address of the API server. */
  readonly source: string;
  /** The namespace of the ApiServerSource. */
  readonly namespace: string;
  readonly overrides: Readonly<Record<string, string>>;
  readonly id: string;
  /** RFC 3339: when the source handled it, not when it happened. */
  readonly time: string;
}

/**
 * The event that Knative's ApiServerSource sends for a change (recorded, June 2026). Its subject begins with `/apis` also for the
 * core group, and its plural is guessed; for a cluster-scoped object the namespace attribute is there and empty.
 */
export function eventOf({ verb, object }: Happening, stamp: EventStamp): SourceEvent {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace = '' } = metadata;
  const isWhole = stamp.mode === 'Resource';
  const data = isWhole ? object : { kind, ...(namespace !== '' && { namespace }), name, apiVersion };
  return {
    attributes: {
      specversion: '1.0',
      type: `dev.knative.apiserver.${isWhole ? 'resource' : 'ref'}.${verb}`,
      id: stamp.id,
      source: stamp.source,
      subject: `/apis/${apiVersion}/namespaces/${namespace}/${guessedPlural(kind)}/${name}`,
      time: stamp.time,
      kind,
      apiversion: apiVersion,
      name,
      namespace,
      ...stamp.overrides,
    },
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    headers: { 'kn-namespace': stamp.namespace },
  };
}
