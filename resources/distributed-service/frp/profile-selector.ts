import { labels } from '../names.ts';

/** Selects the ConfigMaps that describe an FRP server. */
export const profileSelector = labels.serverProfile;
