// What the rooms of the installation ask of the parts above the pages: the server gives it.

import type { ChainId } from '#catalog/chain.ts';
import type { ChainReport } from '#chain/chain-report.ts';
import type { Db } from '#db/db.ts';
import type { LoopHealth } from '#runtime/loop.ts';

export type OperatorPort = {
  /** As `npx quittance doctor`: asks nodes, signers and servers, which may take seconds. */
  lookOver(): Promise<readonly Finding[]>;
  /** Of this process alone. */
  jobs(): readonly LoopHealth[];
  listNetworks(): Promise<readonly NetworkLine[]>;
  /** Who signs, gas accounts, the last backup: as they were found last, without asking them. */
  listLooks(): Promise<readonly LookLine[]>;
  /** Of real money, with what is to be moved where a target is set. */
  listHoldings(): Promise<readonly HoldingLine[]>;
  /** Oldest first. */
  listParked(most: number): Promise<readonly ParkedLine[]>;
  /** @throws Refusal missing, invalid */
  retryParked(within: { readonly db: Db }, id: string): Promise<void>;
  /** Gives it up. @throws Refusal missing, invalid */
  discardParked(within: { readonly db: Db }, id: string): Promise<void>;
  /** A message to everybody who is told of alerts. Answers how many those are. */
  testAlert(within: { readonly db: Db }): Promise<number>;
  software(): Promise<Software>;
};

type Finding = { readonly ok: boolean; readonly what: string; readonly detail: string };

export type NetworkLine = {
  readonly report: ChainReport;
  /** How many assets can be paid there now. */
  readonly offered: number;
  readonly closed: readonly { readonly assetId: string; readonly reason: string }[];
  /** What is held there, as sentences. */
  readonly holdings: readonly string[];
  readonly isShort: boolean;
};

export type LookLine = {
  readonly kind: 'signer' | 'gas' | 'backup';
  /** Undefined of backups. */
  readonly chain: ChainId | undefined;
  /** Undefined: nobody has looked yet. */
  readonly found:
    | {
        readonly ok: boolean;
        readonly detail: string;
        readonly lookedAt: Temporal.Instant;
        /** When it was in order last. */
        readonly wellAt: Temporal.Instant | undefined;
      }
    | undefined;
};

type HoldingLine = {
  readonly network: string;
  readonly asset: string;
  readonly hot: string;
  readonly cold: string;
  readonly target: {
    readonly least: string;
    readonly target: string;
    readonly most: string;
  } | null;
  readonly move: { readonly to: 'hot' | 'cold'; readonly amount: string } | null;
};

type ParkedLine = {
  readonly id: string;
  readonly since: Temporal.Instant;
  readonly reason: string;
  readonly advice: string;
  /** Whether somebody may give it up. */
  readonly isDiscardable: boolean;
};

type Software = {
  readonly version: string;
  readonly node: string;
  readonly database: string;
  readonly roles: readonly string[];
  /** The newest first. */
  readonly migrations: readonly { readonly name: string; readonly appliedAt: Temporal.Instant }[];
  /** Files that belong with a backup of the database and are not in it. */
  readonly files: readonly {
    readonly path: string;
    /** Undefined: it is not there. */
    readonly writtenAt: Temporal.Instant | undefined;
  }[];
};
