/** The code of the thread: beside this file, and in an image beside the bundle, which replaces this file. */
export const threadAddress: URL | string = new URL('./sqlite-thread.ts', import.meta.url);
