import { type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Write } from '../domain/plan.ts';
import { differenceOf, tellDifference } from './difference.ts';
import type { RecentWrite } from './recent-writes.ts';

interface Told {
  readonly what: string;
  readonly write: Write;
  readonly entry: RecentWrite;
  readonly until: string;
  readonly owner: KubeObject;
}

/** That a write is held back, and what goes back and forth, for people. */
export function tellWrite({ what, write, entry, until, owner }: Told): string {
  const often = `${what} was written ${String(entry.count)} times although neither the spec nor what it is made from changed`;
  return `${often}: ${movedBy(write, owner)}. The next time is not before ${until}, and then with the next event or resync`;
}

function movedBy(write: Write, owner: KubeObject): string {
  switch (write.do) {
    case 'create':
    case 'delete':
      return 'it is made and goes in turn';
    case 'scale':
      return `its replicas, which should be ${String(write.replicas)}`;
    case 'finalizers':
      return 'its finalizers';
    case 'apply':
      return differenceBetween(write.object, write.live);
    case 'status': {
      const { status }: KubeObject & { readonly status?: object } = owner;
      const { apiVersion, kind, metadata } = owner;
      const asObject = (told: object | undefined): KubeObject =>
        ({
          apiVersion,
          kind,
          metadata: { name: refOf({ apiVersion, kind, metadata }).name },
          status: told ?? {},
        }) as KubeObject;
      return differenceBetween(asObject(write.status), asObject(status));
    }
  }
}

function differenceBetween(object: KubeObject, live: KubeObject): string {
  const difference = differenceOf(object, live);
  return difference === undefined ? 'something that is no longer wanted' : tellDifference(difference);
}
