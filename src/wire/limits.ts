/**
 * What the JSON of an event may cost. The size of a body is limited before it is read (server/config.ts).
 * The deepest object that the API server itself makes is a CRD's schema; recorded events nest 12 deep.
 */
export const maxDepth = 64;

/** Keys in all objects together. The largest recorded event, a ConfigMap of 900 kB, has fewer than 100. */
export const maxKeys = 100_000;

/** Objects and lists together: `[{},{},…]` costs twenty times its size once it is parsed. */
export const maxContainers = 100_000;

/** Characters of one attribute: what Node takes as all headers of a request together. */
export const maxAttributeLength = 16_384;
