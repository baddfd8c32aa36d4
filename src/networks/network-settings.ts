// What the settings of a family of networks are made of. Each family has a `<family>-settings.ts`
// (its settings and how they are read) and an `open-<family>-networks.ts`; families.ts lists them.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';

export type Setting = { readonly name: string; readonly about: string; readonly initial: string };

/** The settings as given, with the initial value where nothing was. Faults are collected. */
export type SettingsReader = {
  has(name: string): boolean;
  /** Empty where there is no value. */
  text(name: string): string;
  list(name: string): string[];
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice;
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

export function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
