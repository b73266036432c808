import { announcedIn, type Watched } from './collection.ts';
import type { Courier } from './courier.ts';
import type { Announced, Known } from './known.ts';
import type { Mark } from './mark.ts';
import { type Happening, placeOf } from './news.ts';
import type { Parcel } from './parcel.ts';

export interface HandWith {
  /** The name of the watch in the file. */
  readonly name: string;
  readonly watched: Watched;
  readonly known: Known;
  readonly courier: Courier;
  readonly pack: (happening: Happening) => Parcel;
  readonly mark: Mark;
}

/** Hands the changes of one collection to the courier, and notes them in the file before and after. */
export function createHand({ name, watched, known, courier, pack, mark }: HandWith) {
  /** What was handed to the courier and is not noted yet, by object: events under way count as announced too. */
  const underWay = new Map<string, Announced | undefined>();
  /** Called when all earlier events of the object were taken: until then the file keeps the object before, in case its end is unsent. */
  const expects = (object: string, announced: Announced | undefined): boolean => {
    try {
      if (announced !== undefined) known.expect(name, object, announced);
      return true;
    } catch {
      // Another source has taken over the file: it announces what this one would.
      return false;
    }
  };
  return {
    underWay,
    announcedOf: (object: string): Announced | undefined =>
      underWay.has(object) ? underWay.get(object) : known.get(name, object),
    /** Hands a change over as soon as there is room. `at`: the version of the event; empty for one from a list. */
    hand: async (happening: Happening, at: string): Promise<void> => {
      await courier.room();
      const object = placeOf(happening.object);
      const announced = happening.verb === 'delete' ? undefined : announcedIn(happening.object, watched);
      const done = mark.begin(at);
      underWay.set(object, announced);
      const taken = (): void => {
        // While a later event of the object is under way, what was announced last is not known.
        if (underWay.get(object) === announced) {
          known.note(name, object, announced);
          underWay.delete(object);
        }
        done();
      };
      courier.add(pack(happening), taken, () => expects(object, announced));
    },
  };
}
