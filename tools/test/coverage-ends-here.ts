// Loaded by each test process of a run that measures coverage: processes that a test starts are not measured. A process that is
// killed while it writes its coverage leaves half a file, and Node's runner then fails the whole run
// (https://nodejs.org/api/cli.html#node_v8_coveragedir).
Reflect.deleteProperty(process.env, 'NODE_V8_COVERAGE');
