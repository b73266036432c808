import { createHash } from 'node:crypto';
import type { Call, Transport } from './call.ts';

/** The API server's verdict on the bearer of a token who wants to do something at a path that is not a resource. */
export type Review = 'allowed' | 'forbidden' | 'unauthenticated';

/** Asks the API server, or uses a remembered answer. Fails as every call to it does. */
export type Reviewer = (token: string, wish: Wish) => Promise<Review>;

export interface Wish {
  /** In lower case, as in a rule of a ClusterRole with nonResourceURLs. */
  readonly verb: 'get' | 'post';
  readonly path: string;
}

/** Milliseconds: a revoked right works at most this long, and the requests of one page ask once. */
const remembered = 10_000;
const mostRemembered = 500;

interface Memory {
  readonly until: number;
  readonly review: Promise<Review>;
}

/** Asks by TokenReview and SubjectAccessReview; `now` in milliseconds of a clock that never goes back. */
export function createReviewer(transport: Transport, now: () => number): Reviewer {
  const memories = new Map<string, Memory>();
  return (token, { verb, path }) => {
    const key = createHash('sha256')
      .update(JSON.stringify([token, verb, path]))
      .digest('base64url');
    const known = memories.get(key);
    if (known !== undefined && known.until > now()) return known.review;
    const review = reviewBy(transport, token, { verb, path });
    // A failure is not remembered.
    review.catch(() => memories.delete(key));
    memories.delete(key);
    memories.set(key, { until: now() + remembered, review });
    const [oldest] = memories.keys();
    if (memories.size > mostRemembered && oldest !== undefined) memories.delete(oldest);
    return review;
  };
}

async function reviewBy(transport: Transport, token: string, { verb, path }: Wish): Promise<Review> {
  const { authenticated, user } = statusOf(await transport(callOf('TokenReview', { token })));
  if (authenticated !== true) return 'unauthenticated';
  const { username, uid, groups, extra } = (user ?? {}) as Fields;
  const spec = { user: username, uid, groups, extra, nonResourceAttributes: { verb, path } };
  const { allowed } = statusOf(await transport(callOf('SubjectAccessReview', spec)));
  return allowed === true ? 'allowed' : 'forbidden';
}

const reviews = {
  TokenReview: { group: 'authentication.k8s.io', resource: 'tokenreviews' },
  SubjectAccessReview: { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
} as const;

function callOf(kind: keyof typeof reviews, spec: object): Call {
  const { group, resource } = reviews[kind];
  const apiVersion = `${group}/v1`;
  const path = `/apis/${apiVersion}/${resource}`;
  return { method: 'POST', verb: 'review', resource, target: kind, path, body: { apiVersion, kind, spec } };
}

type Fields = Readonly<Record<string, unknown>>;

function statusOf(review: unknown): Fields {
  const { status } = (review ?? {}) as { readonly status?: Fields };
  return status ?? {};
}
