export { everySingleFault } from './suite/every-single-fault.ts';
export { apply, change, remove, type Step } from './suite/steps.ts';
export type {
  ChangeHandler,
  EndOfScenario,
  FaultFailure,
  FaultScenario,
  FaultSuite,
  FaultsFound,
} from './suite/suite.ts';
