import type { Access } from '../controller/cluster/access.ts';
import type { Transport } from '../controller/cluster/call.ts';
import { readPage } from '../controller/cluster/pages.ts';
import { startWatch, type WatchPace, type WatchState } from '../controller/cluster/watch.ts';
import type { KubeObject } from '../controller/domain/kube-object.ts';
import { isOther, nameOf, viewIn, type Watched } from './collection.ts';
import type { Courier } from './courier.ts';
import { createHand } from './hand.ts';
import type { Announced, Known } from './known.ts';
import { keepMark } from './mark.ts';
import { type Happening, newsOf, placeOf } from './news.ts';
import type { Parcel } from './parcel.ts';

export interface FollowWith {
  readonly access: Access;
  readonly transport: Transport;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  readonly known: Known;
  readonly courier: Courier;
  readonly pack: (happening: Happening) => Parcel;
  readonly tell: (watched: Watched, state: WatchState) => void;
  /** Called for a change that was not sent because no function looks at what changed. */
  readonly leftOut: () => void;
  readonly pace?: Partial<WatchPace>;
}

/** A collection that is being followed. */
export interface Followed {
  readonly name: string;
  /** The version up to which all events were taken; empty: none yet. */
  position(): string;
  close(): Promise<void>;
}

/** Objects of one page of a list. */
const pageSize = 100;

/**
 * Follows a collection from the place up to which all events were taken, by the file. If there is no such place, or the API server
 * has forgotten it, the collection is listed and compared with what was announced: what is new, changed or gone is sent as if it
 * had just happened. If an object changed several times meanwhile only its last state is sent.
 */
export function follow(watched: Watched, using: FollowWith): Followed {
  const { access, version, known, courier, pack, tell, leftOut, pace } = using;
  const name = nameOf(watched);
  const mark = keepMark(known.position(name));
  const { underWay, announcedOf, hand } = createHand({ name, watched, known, courier, pack, mark });

  const relist = async (): Promise<string> => {
    const listed = new Set<string>();
    let token = '';
    let at = '';
    do {
      const options = { token, limit: pageSize, metadataOnly: watched.metadataOnly };
      const page = await readPage(using.transport, queryOf(watched), options);
      at = page.version;
      for (const each of page.objects) {
        const object = named(each, watched);
        listed.add(placeOf(object));
        const news = newsOf(object, { announced: announcedOf(placeOf(object)), view: viewIn(object, watched) });
        for (const one of news) await hand(one, '');
      }
      token = page.next;
    } while (token !== '');
    for (const tombstone of goneSince(known.others(name, listed), { listed, underWay }).values()) {
      await hand({ verb: 'delete', object: JSON.parse(tombstone) as KubeObject }, '');
    }
    mark.pass(at);
    return at;
  };

  const watch = startWatch({
    access,
    version,
    path: watched.path,
    selector: watched.selector,
    metadataOnly: watched.metadataOnly,
    from: mark.at(),
    relist,
    reached: (to) => mark.pass(to),
    seen: async (type, told) => {
      const object = named(told, watched);
      const announced = announcedOf(placeOf(object));
      const isNews = type === 'DELETED' ? announced !== undefined : isOther(object, watched, announced);
      if (!isNews) return leftOut();
      await hand({ verb: verbs[type], object }, object.metadata.resourceVersion ?? '');
    },
    tell: (state) => tell(watched, state),
    ...(pace && { pace }),
  });
  return { name, position: mark.at, close: watch.close };
}

/** The tombstones of all objects that were announced, in the file or still under way, and are gone. */
function goneSince(
  others: ReturnType<Known['others']>,
  {
    listed,
    underWay,
  }: { readonly listed: ReadonlySet<string>; readonly underWay: ReadonlyMap<string, Announced | undefined> },
): ReadonlyMap<string, string> {
  const gone = new Map(others.map(({ object, tombstone }) => [object, tombstone]));
  for (const [object, announced] of underWay) {
    if (listed.has(object)) continue;
    if (announced === undefined) gone.delete(object);
    else gone.set(object, announced.tombstone);
  }
  return gone;
}

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

function queryOf({ apiVersion, kind, namespace, selector }: Watched) {
  return { apiVersion, kind, namespace, labelSelector: selector };
}

/** The object with its own apiVersion and kind: an answer with only metadata has another kind, an item of a list none. */
function named(object: KubeObject, { apiVersion, kind }: Watched): KubeObject {
  return { ...object, apiVersion, kind };
}
