import { doNoted } from '#audit/act.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf, environmentOf } from '#catalog/chain.ts';
import { openDb } from '#db/db.ts';
import type { LeftOutNow } from '#deposit/given-out.ts';
import type { Network } from '#deposit/network.ts';
import { recordHead } from '#ledger/head-record.ts';
import { findSealHead } from '#ledger/seal-entries.ts';
import { distributeSchema } from '#postgres/distribute-schema.ts';
import type { App } from '#server/app.ts';
import { openEmptyPlace } from '#server/open-database.ts';
import { SETTINGS } from '#server/settings.ts';
import { BY_OPTION, BY_USAGE, type Command, type PlaceContext, whoOf } from './command.ts';

export const migrateDatabase: Command = {
  name: 'migrate',
  summary: 'bring the database to this version (a start does it too)',
  usage: '',
  options: {},
  async run(context) {
    const { applied } = await context.openDatabase();
    const text =
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`;
    return { text, json: { applied } };
  },
};

export const distributeInstallation: Command<PlaceContext> = {
  name: 'distribute',
  summary: 'let Citus keep the tables of this installation on one of its workers',
  usage: '',
  options: {},
  async run({ readConfig, log, onProgress }) {
    const place = await openEmptyPlace(readConfig(), log, onProgress);
    const db = openDb({ ...place.connection, poolSize: 1, log });
    try {
      const { schema, tables, node, wasThere } = await distributeSchema(db);
      const already = wasThere ? 'had been distributed before' : 'is distributed';
      const text = `The schema ${schema} ${already}: ${tables} tables, all on ${node}.`;
      return { text, json: { schema, tables: String(tables), node, wasThere } };
    } finally {
      await db.close();
      await place.close();
    }
  },
};

export const showSettings: Command = {
  name: 'settings',
  summary: 'list every setting with its default',
  usage: '',
  options: {},
  async run() {
    const lines = SETTINGS.map(
      ({ name, about, initial }) =>
        `${name.padEnd(26)} ${about}${initial === '' ? '' : ` (${initial})`}`,
    );
    return { text: lines.join('\n'), json: { settings: SETTINGS } };
  },
};

// After a backup was restored: leaves out what may have been given out since it was made. The start
// does so by itself where the record beside the key file says how far (deposit/given-out.ts); this
// is for where it cannot know: another machine, or a record that came from the same backup. The
// head of the ledger is written down anew: why the database lacks a later one is known now.
type LeftOutLine = { readonly chain: ChainId; readonly done: LeftOutNow | undefined };

export const restored: Command = {
  name: 'restored',
  summary: 'after restoring a backup: give out nothing that was given out before',
  usage: `[NETWORK...] ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const app = await context.openApp();
    const live = listLiveNetworks(app);
    const chosen = positionals.length === 0 ? live : positionals.map((id) => named(live, id));
    const lines = await afterRestore(app, chosen, whoOf(values));
    const head = await findSealHead(app.db);
    const accepted =
      head === undefined
        ? 'ledger: nothing is sealed here, so a head that was written before stays'
        : `ledger: its head is accepted and written down: seal ${head.number}, head ${head.hash}`;
    const none = chosen.length === 0 ? ['no live network is connected here: no gap is needed'] : [];
    return {
      text: [...lines.map(leftOutText), ...none, accepted].join('\n'),
      json: { networks: lines.map(leftOutJson), ledgerHead: head?.hash ?? null },
    };
  },
};

export function listLiveNetworks({ networks }: App): Network[] {
  return [...networks.values()].filter(({ chain }) => environmentOf(chain) === 'live');
}

/**
 * Leaves out what was perhaps given out, and accepts the head of the ledger as it is. `onOutage`:
 * hears of a network that could not be asked; absent, the first of them is thrown.
 */
export async function afterRestore(
  app: App,
  chosen: readonly Network[],
  actor: string,
  onOutage?: (chain: ChainId, error: Outage) => void,
): Promise<LeftOutLine[]> {
  const details = { networks: chosen.map(({ chain }) => chain).join(' ') };
  // Before it is done, because files are in no transaction.
  await doNoted(
    app,
    { actor, verb: 'restored', subject: 'database:this', details },
    async () => undefined,
  );
  const lines: LeftOutLine[] = [];
  const sources = new Set<string>();
  for (const network of chosen) {
    const { chain, addressSource, addressSourceOwner = chain } = network;
    const source = `${addressSourceOwner} ${addressSource}`;
    // Chains that share a source share what is left out of it.
    if (sources.has(source)) continue;
    sources.add(source);
    try {
      lines.push({ chain, done: await app.givenOut.leaveOut(network) });
    } catch (error) {
      if (onOutage === undefined || !(error instanceof Outage)) throw error;
      onOutage(chain, error);
    }
  }
  await recordHead(app, app.config.ledgerHead, { accept: true });
  return lines;
}

function named(live: readonly Network[], id: string): Network {
  const network = live.find(({ chain }) => chain === chainOf('live', id.toUpperCase()));
  if (network !== undefined) return network;
  const known = live.map(({ chain }) => chain.replace('live:', '')).join(', ');
  throw new Refusal('invalid', 'usage', [`${id} is not connected here; these are: ${known}`]);
}

export function leftOutText({ chain, done }: LeftOutLine): string {
  if (done === undefined) return `${chain}: nothing is left out, its node gives out new ones`;
  const { from, next, watched } = done;
  const count = next - from;
  return (
    `${chain}: ${count} numbers from ${from} on are left out, the next is ${next}; ` +
    `${watched} of them are watched, and money that comes there lies in suspense`
  );
}

export function leftOutJson({ chain, done }: LeftOutLine): object {
  if (done === undefined) return { chain, leftOut: null };
  const { from, next, watched } = done;
  return { chain, leftOut: { from: `${from}`, next: `${next}`, watched } };
}
