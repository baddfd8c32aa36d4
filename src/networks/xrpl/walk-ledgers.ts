// From the last ledger recorded towards the newest validated one. Guarantees: the ledgers follow
// each other and the recorded one by number and by hash, which is computed from each header; a
// server whose history is another one, which lacks a ledger, has fallen behind or stands still is
// an outage. Nothing is ever undone: validated ledgers are final.

import type { BlockReference } from '#deposit/network.ts';
import { requireThat } from '#networks/answer-fields.ts';
import { requireRecent } from '#networks/closed-ledgers.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type LedgerHeader, readLedgerHeader } from './read-header.ts';
import { firstMissing, type ServerInfo } from './read-server-info.ts';
import type { XrplServer } from './xrpl-server.ts';

type WalkedLedgers = {
  /** In order, the first follows the cursor; empty when there is nothing new. */
  readonly headers: readonly LedgerHeader[];
  /** False when more are waiting. */
  readonly isAtTip: boolean;
};

/** Asked for at once. */
const LEDGERS_MOST = 64n;

export async function walkValidatedLedgers(
  server: XrplServer,
  what: string,
  { complete }: ServerInfo,
  newest: LedgerHeader,
  cursor: BlockReference,
): Promise<WalkedLedgers> {
  if (newest.height < cursor.height) {
    throw nodeOutage(what, `the server is behind: it has no validated ledger ${cursor.height}`);
  }
  if (newest.height === cursor.height) {
    requireThat(newest.hash === cursor.hash, `ledger ${cursor.height} is not the recorded one`);
    return { headers: [], isAtTip: true };
  }
  const waiting = newest.height - cursor.height;
  const upTo = waiting > LEDGERS_MOST ? cursor.height + LEDGERS_MOST : newest.height;
  const missing = firstMissing(complete, cursor.height + 1n, upTo);
  if (missing !== undefined) {
    throw nodeOutage(what, `the server lacks ledger ${missing}: it needs one with more history`);
  }
  const heights = Array.from(
    { length: Number(upTo - cursor.height) },
    (_, index) => cursor.height + BigInt(index) + 1n,
  );
  const headers = await Promise.all(
    heights.map((height) => (height === newest.height ? newest : askLedger(server, height))),
  );
  let last = cursor;
  for (const header of headers) {
    requireThat(
      header.parentHash === last.hash,
      `ledger ${header.height} does not follow ${last.height}, another history`,
    );
    last = header;
  }
  return { headers, isAtTip: upTo === newest.height };
}

/** The newest validated ledger. @throws Outage when it is old. */
export async function newestValidatedLedger(
  server: XrplServer,
  what: string,
  now: () => Temporal.Instant,
): Promise<LedgerHeader> {
  const newest = await askLedger(server, 'validated');
  requireRecent({ what, whom: 'the server' }, newest, now());
  return newest;
}

export async function askLedger(
  server: XrplServer,
  asked: bigint | 'validated',
): Promise<LedgerHeader> {
  const ledger_index = asked === 'validated' ? asked : Number(asked);
  const answer = await server.ask('ledger', { ledger_index });
  requireThat(answer !== undefined, 'there is no ledger');
  return readLedgerHeader(answer, asked === 'validated' ? undefined : asked);
}
