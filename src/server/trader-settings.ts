// Where orders of the house are carried out by a program, and at which accounts.
import { resolve } from 'node:path';
import { STELLAR_DEX } from '#treasury/hedge-order.ts';

export type TraderSettings = {
  readonly socket: string;
  readonly providers: readonly string[];
  readonly slippagePartsPerMillion: number;
};

/** Undefined where there is none. */
export function traderSettings(
  directory: string,
  faults: string[],
  { socket, providers, ...given }: TraderSettings,
): TraderSettings | undefined {
  if (socket === '' && providers.length === 0) return undefined;
  if (socket === '') faults.push('TRADER_SOCKET: missing, while TRADER_PROVIDERS is set');
  for (const provider of providers.filter((name) => !/^[a-z][a-z0-9-]{0,31}$/.test(name))) {
    faults.push(`TRADER_PROVIDERS: ${provider} is no name of an account (small letters, digits)`);
  }
  if (providers.includes(STELLAR_DEX)) {
    faults.push(`TRADER_PROVIDERS: ${STELLAR_DEX} is no exchange (docs/operate/stellar-dex.md)`);
  }
  return { socket: resolve(directory, socket), providers, ...given };
}
