// npm run test:walletconnect: the payment page with the wallet side of WalletConnect's own makers, over a
// relay on loopback and a real EVM node, in Chromium. Not part of npm test: the packages of the wallet
// are 116 MB, installed once in test/walletconnect/client.
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const parts = await provideSystemParts(['chromium', 'anvil', 'walletconnect']);
const program = 'test/walletconnect/walletconnect-stories.ts';
const parameters = ['--test', '--test-force-exit', program, ...process.argv.slice(2)];
process.exit(await runProgram(node, parameters, { env: { ...process.env, ...parts } }));
