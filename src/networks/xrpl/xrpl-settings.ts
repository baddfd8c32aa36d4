import { isSetUp, type Setting, type SettingsReader } from '#networks/network-settings.ts';
import { classicAccountId } from './xrpl-address.ts';
import { XRPL_CHAIN_NAMES, type XrplChainName } from './xrpl-chain.ts';

export type XrplSettings = {
  readonly urls: readonly string[];
  readonly account: string;
  readonly chainName: XrplChainName;
};

export const XRPL_SETTINGS: readonly Setting[] = [
  { name: 'XRP_LEDGER_URLS', about: 'WebSocket addresses, better of two operators', initial: '' },
  { name: 'XRP_LEDGER_ACCOUNT', about: 'classic address (r...) of the account', initial: '' },
  { name: 'XRP_LEDGER_CHAIN', about: 'main or test', initial: 'main' },
];

export function readXrplSettings(settings: SettingsReader): XrplSettings | undefined {
  const needed = ['XRP_LEDGER_URLS', 'XRP_LEDGER_ACCOUNT'];
  if (!isSetUp(settings, XRPL_SETTINGS, needed, '; XRP Ledger needs both')) return undefined;
  const urls = settings.list('XRP_LEDGER_URLS');
  if (urls.some((url) => !isWebSocketUrl(url))) {
    settings.fault('XRP_LEDGER_URLS: must be ws or wss addresses, separated by commas');
  }
  const account = settings.text('XRP_LEDGER_ACCOUNT');
  const fault = accountFault(account);
  if (settings.has('XRP_LEDGER_ACCOUNT') && fault !== undefined) {
    settings.fault(`XRP_LEDGER_ACCOUNT: ${fault}`);
  }
  return { urls, account, chainName: settings.choice('XRP_LEDGER_CHAIN', XRPL_CHAIN_NAMES) };
}

function isWebSocketUrl(url: string): boolean {
  return URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol) && !url.includes('#');
}

function accountFault(account: string): string | undefined {
  if (classicAccountId(account) !== undefined) return undefined;
  if (/^s[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(account)) {
    return 'this is a SECRET seed; nothing here may hold one. Give the classic address (r...)';
  }
  return 'must be a classic address that begins with r (an X-address holds a tag already)';
}
