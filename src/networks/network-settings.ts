// What a family of networks is made of. Each has a `<family>-settings.ts` (its settings and how
// they are read), a `<family>-payee.ts` and an `open-<family>-networks.ts`; families.ts lists them.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { Destination, DestinationRequest, Network, Payee } from '#deposit/network.ts';

export type Setting = { readonly name: string; readonly about: string; readonly initial: string };

/** The settings as given, with the initial value where nothing was. Faults are collected. */
export type SettingsReader = {
  has(name: string): boolean;
  /** Empty where there is no value. */
  text(name: string): string;
  list(name: string): string[];
  choice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice;
  integer(name: string, least: number, most: number): number;
  fault(text: string): void;
};

/** What networks are opened with. */
export type NetworkParts = { readonly db: Db; readonly clock: Clock; readonly log: Log };

export type OpenedNetwork = {
  readonly network: Network;
  /** A chain without value, whose blocks come as somebody makes them. */
  readonly isTestChain: boolean;
  /** Depths by value where they differ from the catalog's. */
  readonly confirmations?: ConfirmationTiers | undefined;
};

/** A payee that asks nobody. */
export type PurePayee = Omit<Payee, 'openDestination'> & {
  openDestination(request: DestinationRequest): Destination;
};

/** `Settings`: what its settings come to when they are read. */
export type Family<Settings> = {
  readonly settings: readonly Setting[];
  read(settings: SettingsReader): Settings;
  /** @throws Refusal that names the setting which is wrong. */
  open(settings: Settings, parts: NetworkParts): OpenedNetwork[];
  /** Whether anything of value is watched. */
  isMain(settings: Settings): boolean;
  /** The payee of a simulated network, whose keys follow from 32 bytes. */
  simulate(chain: ChainId, seed: Uint8Array): PurePayee;
  /** What sending costs on a simulated network, in units of its coin. */
  simulatedFeeUnits(units: bigint): bigint;
  /**
   * The one spelling of somebody's address or account on the chain, proven by its checksum;
   * undefined when it is none. `payee`: where the chain is set up.
   */
  addressOf(chain: ChainId, text: string, payee?: Payee): string | undefined;
};

/** The same settings for each network of a family, under its name. */
export function settingsOf(networks: readonly string[], each: readonly Setting[]): Setting[] {
  return networks.flatMap((network) =>
    each.map((setting) => ({ ...setting, name: `${network}_${setting.name}` })),
  );
}

/** Whether any of these is given; then each of the `needed` has to be. `why` ends the sentence. */
export function isSetUp(
  settings: SettingsReader,
  all: readonly Setting[],
  needed: readonly string[],
  why = '',
): boolean {
  const given = all.find(({ name }) => settings.has(name));
  if (given === undefined) return false;
  for (const name of needed.filter((one) => !settings.has(one))) {
    settings.fault(`${name}: missing, while ${given.name} is set${why}`);
  }
  return true;
}

/** What is wrong with the value of a setting is refused under its name. */
export function namingSetting<Result>(name: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind, code, details } = error;
    throw new Refusal(
      kind,
      code,
      details.map((detail) => `${name}: ${detail}`),
    );
  }
}
