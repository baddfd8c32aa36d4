// The stylesheet and the script. The name carries a hash of the content, so that they can be kept
// for ever by whoever fetched them; a new version has a new name.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readModules, type ScriptModule } from './read-modules.ts';

type PageAsset = { readonly path: string; readonly type: string; readonly body: string };

export const STYLESHEET = readAsset('page.css', 'text/css; charset=utf-8');
/** For previews: as a device in that mode would show it. */
export const STYLESHEETS_OF_SCHEME = {
  light: readAsset('page.css', 'text/css; charset=utf-8', [], (text) => inScheme(text, 'light')),
  dark: readAsset('page.css', 'text/css; charset=utf-8', [], (text) => inScheme(text, 'dark')),
};

/** A question for the mode becomes one that is always, or never, answered with yes. */
export function inScheme(text: string, scheme: 'light' | 'dark'): string {
  const answer = scheme === 'dark' ? '(min-width:0)' : '(max-width:0)';
  return text
    .replaceAll(/\(prefers-color-scheme: ?dark\)/g, answer)
    .replace('color-scheme: light dark', `color-scheme: ${scheme}`);
}

/** One file for the browser; each part stands by itself and hears `quittance:page`. */
export const SCRIPT = readAsset('page.js', 'text/javascript; charset=utf-8', [
  'choose.js',
  'pay.js',
  'signal.js',
]);

/** Loaded by the script of all pages where a wallet lives in the browser, by what it can pay. */
export const WALLETS_SCRIPTS = {
  evm: readWallets('wallets-evm.js'),
  stellar: readWallets('wallets-extension.js', 'wallets-stellar.js'),
  xrpl: readWallets('wallets-extension.js', 'wallets-xrpl.js'),
};

const WALLETCONNECT_MODULES = readModules(
  pathToFileURL(join(import.meta.dirname, 'assets', 'walletconnect.js')).href,
).map(asScript);
/** Loaded by the script of all pages when somebody clicks on WalletConnect. */
export const WALLETCONNECT_SCRIPT = WALLETCONNECT_MODULES[0];

/** Of the page that leads back to a shop by a form. */
export const RETURN_SCRIPT = readAsset('return.js', 'text/javascript; charset=utf-8');

/** Of the dashboard, beside those of all pages. */
export const DASHBOARD_STYLESHEET = readAsset('dashboard.css', 'text/css; charset=utf-8');
export const DASHBOARD_SCRIPT = readAsset('dashboard.js', 'text/javascript; charset=utf-8');

/** Of the point of sale, beside those. */
export const POS_SCRIPT = readAsset('pos.js', 'text/javascript; charset=utf-8');

/** Of the manual. */
export const DOCS_STYLESHEET = readAsset('docs.css', 'text/css; charset=utf-8');
export const DOCS_SCRIPT = readAsset('docs.js', 'text/javascript; charset=utf-8');

/** What the demo shop shows of it. */
export const EMBED_SAMPLE_SCRIPT = readAsset('demo-embed.js', 'text/javascript; charset=utf-8');

/** For pages of shops, which may pin its content: what is released as v1 stays as it is. */
export const EMBED_PATH = '/embed/v1.js';
/** The newest of them, under a name that is as old as the first. */
export const EMBED_NEWEST_PATH = '/embed.js';
export const EMBED_SCRIPT = readFileSync(
  join(import.meta.dirname, 'assets', 'embed-v1.js'),
  'utf8',
);

const OF_MANUAL = [DOCS_STYLESHEET, DOCS_SCRIPT];
const OF_DASHBOARD = [DASHBOARD_STYLESHEET, DASHBOARD_SCRIPT, POS_SCRIPT];
const PREVIEWED = Object.values(STYLESHEETS_OF_SCHEME);
const assets = new Map(
  [
    STYLESHEET,
    SCRIPT,
    ...Object.values(WALLETS_SCRIPTS),
    ...WALLETCONNECT_MODULES,
    RETURN_SCRIPT,
    ...PREVIEWED,
    ...OF_DASHBOARD,
    ...OF_MANUAL,
    EMBED_SAMPLE_SCRIPT,
  ].map((asset) => [asset.path, asset]),
);

export function findPageAsset(path: string): PageAsset | undefined {
  return assets.get(path);
}

function asScript({ path, body }: ScriptModule): PageAsset {
  return { path, type: 'text/javascript; charset=utf-8', body };
}

function readWallets(...parts: readonly string[]): PageAsset {
  return readAsset('wallets.js', 'text/javascript; charset=utf-8', parts);
}

/** Whoever pays need not load them. The lines keep their numbers. */
function withoutComments(file: string, text: string): string {
  return file.endsWith('.js') ? text.replaceAll(/^ *\/\/.*$/gm, '') : text;
}

/** `more`: what is sent behind it, in the same file. */
function readAsset(
  file: string,
  type: string,
  more: readonly string[] = [],
  change = (text: string) => text,
): PageAsset {
  const parts = [file, ...more].map((name) =>
    readFileSync(join(import.meta.dirname, 'assets', name), 'utf8'),
  );
  const body = change(withoutComments(file, parts.join('')));
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { path: `/assets/${file.replace('.', `-${digest}.`)}`, type, body };
}
