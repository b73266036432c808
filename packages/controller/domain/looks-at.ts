/**
 * What functions look at in the status of an object, by field; `conditions/Ready` is one condition, without its times. Whatever else an
 * object has they look at all of it, but for its version and who wrote which field. `of others`: a status of Knudge's own, of which no
 * more is looked at than what somebody else has written into it. `all`: the whole status.
 */
export type LooksAt = readonly string[] | 'of others' | 'all';
