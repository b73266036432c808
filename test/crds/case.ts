/** An object and what an API server that knows the CRDs says when it is created. */
export interface Case {
  /** A sentence: what holds. */
  readonly name: string;
  readonly object: Readonly<Record<string, unknown>>;
  /** 'accepted', or a part of the refusal. */
  readonly expected: string;
  /** The whole spec as it is then, where defaults or pruning matter. */
  readonly spec?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** A DistributedService that is accepted as it is: http, auto, port 8080; `spec` and `metadata` go over it. */
export function service(spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'frp.io/v1beta1',
    kind: 'DistributedService',
    metadata: { name: 'web', ...metadata },
    spec: { serviceType: 'http', backends: { port: 8080 }, ...spec },
  };
}

/** A DistributedService over `backends`, as they are. */
export function withBackends(backends: Fields): Fields {
  return service({ backends });
}

/** A DistributedService with one manual endpoint; `endpoint` goes over its host 10.0.0.1. */
export function withEndpoint(endpoint: Fields): Fields {
  return withBackends({ discovery: 'manual', port: 80, endpoints: [{ host: '10.0.0.1', ...endpoint }] });
}

export function withHealthCheck(healthCheck: Fields, serviceType = 'http'): Fields {
  return service({ serviceType, loadBalancing: { healthCheck } });
}

export function withExpose(expose: Fields, serviceType = 'http'): Fields {
  return service({ serviceType, expose });
}

export function withMtls(mtls: Fields): Fields {
  return service({ security: { mtls } });
}

export function message(spec: Fields | undefined, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'myorg.dev/v1',
    kind: 'Message',
    metadata: { name: 'hello', ...metadata },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** Cases that are all accepted, one for each object. */
export function accepted(objects: Readonly<Record<string, Fields>>): readonly Case[] {
  return Object.entries(objects).map(([name, object]) => ({ name, object, expected: 'accepted' }));
}

/** Cases that are all refused with the same words, one for each object. */
export function refused(expected: string, objects: Readonly<Record<string, Fields>>): readonly Case[] {
  return Object.entries(objects).map(([name, object]) => ({ name, object, expected }));
}
