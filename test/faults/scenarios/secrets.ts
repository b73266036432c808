import { forUse, object } from '../../build/objects.ts';
import type { Place, Scenario } from '../scenario.ts';
import * as cast from './cast.ts';

const ownTls = (place: Place) => cast.refIn(place, 'Secret', 'own-tls');
const token = (place: Place) => cast.refIn(place, 'Secret', 'frps-token');
const withSupplied = (place: Place) => [cast.suppliedSecret(place), ...cast.running(place, cast.supplied)];

/** All services of the server show the token of this Secret. */
const withToken = (place: Place) => [
  cast.inside(place, forUse(object('Secret', 'frps-token', { type: 'Opaque', data: { token: 'b25l' } }))),
  cast.profile(place, { tokenSecret: 'frps-token' }),
  cast.backend(place),
  cast.web(place),
];

const marked = { metadata: { labels: { 'frp.io/use': 'true' } } };
const unmarked = { metadata: { labels: { 'frp.io/use': null } } };

/** A Secret of a person's changes that a DistributedService names. */
export const secrets: readonly Scenario[] = [
  cast.aboutWeb({
    name: 'supplied-secret-changed',
    given: withSupplied,
    when: async (user, place) => void (await user.patch(ownTls(place), { data: cast.suppliedData('two') })),
  }),
  cast.aboutWeb({
    name: 'supplied-secret-spoilt',
    given: withSupplied,
    when: async (user, place) => void (await user.patch(ownTls(place), { data: { 'tls.key': 'bm8ga2V5' } })),
  }),
  cast.aboutWeb({
    name: 'supplied-secret-mended',
    given: withSupplied,
    before: async (user, place) => void (await user.patch(ownTls(place), { data: { 'tls.key': 'bm8ga2V5' } })),
    when: async (user, place) => void (await user.patch(ownTls(place), { data: cast.suppliedData('one') })),
  }),
  cast.aboutWeb({
    name: 'supplied-secret-deleted',
    given: withSupplied,
    when: (user, place) => user.delete(ownTls(place)),
  }),
  cast.aboutWeb({
    name: 'supplied-secret-created-later',
    given: (place) => cast.running(place, cast.supplied),
    when: async (user, place) => void (await user.create(cast.suppliedSecret(place))),
  }),
  cast.aboutWeb({
    name: 'supplied-secret-replaced',
    given: withSupplied,
    when: async (user, place) => {
      await user.delete(ownTls(place));
      await user.create(cast.suppliedSecret(place, 'two'));
    },
  }),
  cast.aboutWeb({
    name: 'supplied-secret-marked',
    given: withSupplied,
    before: async (user, place) => void (await user.patch(ownTls(place), unmarked)),
    when: async (user, place) => void (await user.patch(ownTls(place), marked)),
  }),
  cast.aboutWeb({
    name: 'supplied-secret-unmarked',
    given: withSupplied,
    when: async (user, place) => void (await user.patch(ownTls(place), unmarked)),
  }),
  cast.aboutWeb({
    name: 'token-secret-marked',
    given: withToken,
    before: async (user, place) => void (await user.patch(token(place), unmarked)),
    when: async (user, place) => void (await user.patch(token(place), marked)),
  }),
  cast.aboutWeb({
    name: 'token-secret-changed',
    given: withToken,
    when: async (user, place) => void (await user.patch(token(place), { data: { token: 'dHdv' } })),
  }),
  cast.aboutWeb({ name: 'token-secret-deleted', given: withToken, when: (user, place) => user.delete(token(place)) }),
];
