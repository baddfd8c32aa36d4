// The Chromium of this system, started for tests: nothing of it talks to anybody by itself.
import { existsSync } from 'node:fs';
import { env } from 'node:process';
import { type Browser, chromium } from 'playwright-core';

const CANDIDATES = [
  env.QUITTANCE_TEST_CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

/** For whatever must come to be: a limit that costs nothing, and a machine may be slow. */
export const PATIENCE_MS = 180_000;

type Env = Record<string, string>;

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whoever starts it closes it. */
export function launchChromium(
  parameters: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  const executablePath = findChromium();
  const args = [...ARGUMENTS, ...parameters];
  const variablesOfAll = { ...env, ...variables } as Env;
  return chromium.launch({ executablePath, args, env: variablesOfAll, timeout: PATIENCE_MS });
}

function findChromium(): string {
  const path = CANDIDATES.find((candidate) => candidate !== undefined && existsSync(candidate));
  if (path === undefined) throw new Error('Chromium is missing: install the package chromium');
  return path;
}
