import '../resources/managed/kinds.ts';
import { defineController } from '@knudge/controller';
import { greeting } from '../resources/greeting/greeting.ts';

/**
 * The controller. Its namespace and its Broker are called as `name` says, so that other controllers can be in the same cluster. Functions
 * that reconcile a resource when it or one of its children changes, the resync and the event log follow from `resources`; `functions` has
 * those that other objects wake.
 */
export const controller = defineController({
  name: 'demo',
  resources: [greeting],
  functions: {},
});
