import type { Access } from '../../controller/cluster/access.ts';
import type { Transport } from '../../controller/cluster/call.ts';
import { readPage } from '../../controller/cluster/pages.ts';
import { collectionPath } from '../../controller/cluster/paths.ts';
import { startWatch } from '../../controller/cluster/watch.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';

/** All objects of one kind, as they are now. */
export interface Collection {
  get(namespace: string, name: string): KubeObject | undefined;
  all(): readonly KubeObject[];
  close(): Promise<void>;
}

export interface CollectionParts {
  readonly apiVersion: string;
  readonly kind: string;
  readonly access: Access;
  readonly version: string;
  readonly transport: Transport;
  /** Called for each object that came, changed or went. */
  readonly changed: (object: KubeObject, isGone: boolean) => void;
}

/** Follows the objects of a kind. Resolves when those that are there already were handed to `changed`. */
export async function followKind(parts: CollectionParts): Promise<Collection> {
  const { apiVersion, kind, access, version, transport, changed } = parts;
  const known = new Map<string, KubeObject>();
  const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): string => `${namespace}/${name}`;
  const first = Promise.withResolvers<void>();

  function put(given: KubeObject, isGone: boolean): void {
    const object = { ...given, apiVersion, kind };
    if (isGone) known.delete(keyOf(object));
    else known.set(keyOf(object), object);
    changed(object, isGone);
  }

  async function relist(): Promise<string> {
    const query = { apiVersion, kind, namespace: '', labelSelector: '' };
    const listed = new Set<string>();
    let [token, at] = ['', ''];
    do {
      const page = await readPage(transport, query, { token, limit: 250, metadataOnly: false });
      for (const object of page.objects) {
        listed.add(keyOf(object));
        put(object, false);
      }
      [token, at] = [page.next, page.version];
    } while (token !== '');
    for (const [key, object] of [...known]) if (!listed.has(key)) put(object, true);
    first.resolve();
    return at;
  }

  const watch = startWatch({
    access,
    version,
    relist,
    path: collectionPath({ apiVersion, kind, namespace: '' }),
    selector: '',
    seen: async (type, object) => put(object, type === 'DELETED'),
    tell: () => undefined,
  });
  await first.promise;
  return {
    get: (namespace, name) => known.get(`${namespace}/${name}`),
    all: () => [...known.values()],
    close: watch.close,
  };
}
