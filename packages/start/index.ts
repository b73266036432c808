// What others may use to start a controller's processes: README.md.
export { functionCommand } from './command.ts';
export { controllerIn } from './controller-in.ts';
export {
  type ChangeProcess,
  runChangeFunctions,
  runEventFunction,
  runLogFunctions,
  runQuestionFunction,
} from './main.ts';
export { version } from './version.ts';
