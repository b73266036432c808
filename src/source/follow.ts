import type { KubeObject } from '../domain/kube-object.ts';
import type { LooksAt } from '../domain/looks-at.ts';
import type { Access } from '../kube/access.ts';
import type { Transport } from '../kube/call.ts';
import { readPage } from '../kube/pages.ts';
import { startWatch, type WatchPace, type WatchState } from '../kube/watch.ts';
import type { Courier } from './courier.ts';
import type { Announced, Known } from './known.ts';
import { keepMark } from './mark.ts';
import { announcedFrom, type Happening, newsOf, placeOf } from './news.ts';
import type { Parcel } from './parcel.ts';
import { viewOf } from './view.ts';

/** A collection that is watched. */
export interface Watched {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty: every one. */
  readonly namespace: string;
  /** Of labels; empty: everything. */
  readonly selector: string;
  /** The path of the collection: `/api/v1/pods`. */
  readonly path: string;
  /** Names alone: no more is read of an object than its metadata. */
  readonly metadataOnly: boolean;
  /** What somebody looks at in the status of its objects: what changes nothing else there is not sent. */
  readonly looksAt: LooksAt;
}

export interface FollowWith {
  readonly access: Access;
  readonly transport: Transport;
  /** Of Knudge, for the User-Agent. */
  readonly version: string;
  readonly known: Known;
  readonly courier: Courier;
  readonly pack: (happening: Happening) => Parcel;
  readonly tell: (watched: Watched, state: WatchState) => void;
  /** A change was not sent, since nobody looks at what is other. */
  readonly leftOut: () => void;
  readonly pace?: Partial<WatchPace>;
}

/** One collection that is followed. */
export interface Followed {
  readonly name: string;
  /** The version up to which all was taken; empty: none yet. */
  position(): string;
  close(): Promise<void>;
}

/** Objects of one page of a list. */
const pageSize = 500;

/**
 * Follows a collection from where the file says that all was taken. Where there is no such place, or the API server does not know it any
 * more, the collection is listed and compared with what was announced: what is new, other or gone is sent as if it had just happened.
 * Of an object that changed several times meanwhile the last state is sent.
 */
export function follow(watched: Watched, using: FollowWith): Followed {
  const { access, version, known, courier, pack, tell, leftOut, pace } = using;
  const name = nameOf(watched);
  const mark = keepMark(known.position(name));
  /** What was handed to the courier and is not noted yet, by object: what is under way is announced too. */
  const underWay = new Map<string, Announced | undefined>();

  const announcedOf = (object: string): Announced | undefined =>
    underWay.has(object) ? underWay.get(object) : known.get(name, object);

  const hand = async (happening: Happening, at: string): Promise<void> => {
    await courier.room();
    const object = placeOf(happening.object);
    const announced = happening.verb === 'delete' ? undefined : announcedIn(happening.object, watched);
    const done = mark.begin(at);
    underWay.set(object, announced);
    const taken = (): void => {
      // While a later event of it is under way, what was announced last is not known.
      if (underWay.get(object) === announced) {
        known.note(name, object, announced);
        underWay.delete(object);
      }
      done();
    };
    courier.add(pack(happening), taken, () => expects(object, announced));
  };
  /** Once all earlier events of that place were taken: until then the file keeps the object before, whose end may still have to be told. */
  const expects = (object: string, announced: Announced | undefined): boolean => {
    try {
      if (announced !== undefined) known.expect(name, object, announced);
      return true;
    } catch {
      // Another source has taken over the file: what this one would tell that one tells.
      return false;
    }
  };

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

/** The tombstone of every object that was announced and is not there any more: of those in the file, and of those under way. */
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

/** Of an object of which no more than its metadata is read, any change may be one of what functions look at. */
function viewIn(object: KubeObject, { metadataOnly, looksAt }: Watched): string {
  return metadataOnly ? (object.metadata.resourceVersion ?? '') : viewOf(object, looksAt);
}

function announcedIn(object: KubeObject, watched: Watched): Announced {
  return announcedFrom(object, viewIn(object, watched));
}

function isOther(object: KubeObject, watched: Watched, announced: Announced | undefined): boolean {
  return announced?.uid !== object.metadata.uid || announced?.view !== viewIn(object, watched);
}

const verbs = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' } as const;

/** As the file names it: who asks for another selection follows another collection. */
export function nameOf({ path, selector, metadataOnly }: Watched): string {
  return `${path}?${selector}${metadataOnly ? '#metadata' : ''}`;
}

function queryOf({ apiVersion, kind, namespace, selector }: Watched) {
  return { apiVersion, kind, namespace, labelSelector: selector };
}

/** Of metadata alone the API server says another kind, and in a list none. */
function named(object: KubeObject, { apiVersion, kind }: Watched): KubeObject {
  return { ...object, apiVersion, kind };
}
