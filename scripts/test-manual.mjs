// npm run test:manual: every step of every page of the manual, in each language as it is shown, over a
// fresh service; libraries as they are published. Not part of npm test: it needs curl, jq, openssl, and
// for their languages python3, php, ruby and go; C# is compiled by Roslyn from npm and run by .NET from
// PyPI. What is missing is said and left out, or an error where it was named: `-- python,go`.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { withLiveService } from './live-service.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const { status } = await withLiveService(node, (env) =>
  spawnSync(node, ['test/manual/main.ts', ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
);
process.exitCode = status ?? 1;
