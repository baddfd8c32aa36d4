// WalletConnect, where the operator has a project at a relay: off until a project is named.
import type { WalletConnect } from '#pages/page-app.ts';
import { isLoopback } from './webhook-targets.ts';

export type WalletConnectSettings = {
  /** Undefined: payers are not offered it. */
  readonly walletConnect: WalletConnect | undefined;
};

const PROJECT = 'WALLETCONNECT_PROJECT_ID';
const RELAY = 'WALLETCONNECT_RELAY_URL';

export function walletConnectSettings(
  text: (name: string) => string,
  given: ReadonlyMap<string, string>,
  faults: string[],
): WalletConnectSettings {
  const projectId = text(PROJECT);
  if (projectId === '') {
    if (given.has(RELAY)) faults.push(`${PROJECT}: missing, while ${RELAY} is set`);
    return { walletConnect: undefined };
  }
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(projectId)) {
    faults.push(`${PROJECT}: must be the id of a project, letters and digits`);
  }
  const url = URL.parse(text(RELAY));
  const isPlain = url?.username === '' && url.search === '' && url.hash === '';
  const isSafe = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback(url.hostname));
  // A name with a star would let pages connect to more than one place.
  if (url === null || !/^[\w.:[\]-]+$/.test(url.hostname) || !isPlain || !isSafe) {
    faults.push(`${RELAY}: must be a wss address without user, query or fragment`);
    return { walletConnect: undefined };
  }
  // Its policy names the origin, and a token names the address as it was given.
  const relayUrl = text(RELAY).replace(/\/+$/, '');
  return { walletConnect: { projectId, relayUrl, relayOrigin: url.origin } };
}
