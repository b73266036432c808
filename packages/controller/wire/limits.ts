/**
 * What the JSON of an event may cost. The size of a body is limited before it is read (server/config.ts).
 * The recorded events nest at most 11 deep, with at most 190 keys.
 */
export const maxDepth = 64;

/** Keys in all objects together. */
export const maxKeys = 100_000;

/** Objects and lists together: `[{},{},…]` costs about twenty times its size in memory once it is parsed. */
export const maxContainers = 100_000;
