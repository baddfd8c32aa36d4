// The book of letters of the pigeon post: each letter is a block, and final.

import { Outage } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { Block, BlockReference, Position } from '#deposit/network.ts';
import {
  requireFields,
  requireHash,
  requireList,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { takeTurns } from '#networks/ask-nodes.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { walkBlocks } from '#networks/walk-blocks.ts';
import { pigeonPayee } from './pigeon-payee.ts';
import type { PigeonSettings } from './pigeon-settings.ts';

const CHAIN = chainOf('live', 'PIGEON');
const COIN = 'CORN:NATIVE';
const MOST_BLOCKS = 100;

export function openPigeonNetworks(
  settings: PigeonSettings | undefined,
  { clock }: NetworkParts,
): OpenedNetwork[] {
  if (settings === undefined) return [];
  const { loft } = settings;
  const turns = takeTurns({ nodes: [settings.url], chain: CHAIN, clock });
  const network = {
    ...pigeonPayee(CHAIN, loft),
    receivableAssets: () => [COIN],
    checkIdentity: () => turns.ask(async (url) => void (await readBook(url))),
    observe: (position: Position) => turns.ask((url) => observe(url, loft, position)),
    waitForHint: async (_ms: number, signal: AbortSignal) => clock.sleep(100, signal),
    health: () => ({
      chain: CHAIN,
      description: 'pigeon post',
      nodeVersion: undefined,
      ...turns.health(),
    }),
    close: async () => undefined,
  };
  return [{ network, isTestChain: true }];
}

async function observe(url: string, loft: string, position: Position) {
  const letters = await readBook(url);
  const blocks = letters.map((letter, at) => readLetter(letter, BigInt(at), loft));
  const walked = await walkBlocks({
    what: CHAIN,
    position,
    tip: async (): Promise<BlockReference> => {
      const last = blocks.at(-1);
      requireThat(last !== undefined, 'the book is empty');
      return last;
    },
    blockAt: async (height) => blocks[Number(height)],
    mostBlocks: MOST_BLOCKS,
  });
  return { ...walked, identity: 'pigeons', unconfirmed: [], gone: [], spends: [] };
}

async function readBook(url: string): Promise<readonly unknown[]> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.status !== 200) throw new Outage(CHAIN);
  return requireList(await response.json(), 'the book');
}

function readLetter(value: unknown, height: bigint, loft: string): Block {
  const letter = requireFields(value, 'a letter');
  const hash = requireHash(letter.seal, 'a seal');
  const parentHash = requireText(letter, 'before');
  const destination = requireText(letter, 'to');
  const grains = requireText(letter, 'grains');
  requireThat(/^[1-9]\d{0,17}$/.test(grains), 'grains is no amount');
  const arrival = {
    creditKey: hash,
    transaction: hash,
    destination,
    assetId: COIN,
    units: BigInt(grains),
    spends: [],
    ours: destination.startsWith(`${loft}/`),
  };
  const minedAt = Temporal.Instant.from(requireText(letter, 'at'));
  return { height, hash, parentHash, minedAt, arrivals: [arrival] };
}
