// The blocks that are not final yet. Nothing here is ever credited: it shows a payer that the
// payment was seen. Guarantees: the blocks follow one another from the last final one; a payment is
// reported as long as its block stands, with the key it will have when it is final; that one is
// gone is said only when everything up to the newest block was looked at. Memory and work of a step
// are bounded.

import type { Arrival, BlockReference } from '#deposit/network.ts';
import { arrivalOf } from './cover-arrivals.ts';
import type { EvmBlock, ValueMovement } from './read-block.ts';
import type { OurBlock } from './read-blocks.ts';

type HeadRequest = {
  readonly final: BlockReference;
  readonly newest: BlockReference;
  readonly readBlocks: (heights: readonly bigint[]) => Promise<readonly (EvmBlock | undefined)[]>;
  /** A look only: without the receipts of all of it. */
  readonly oursIn: (blocks: readonly EvmBlock[]) => Promise<OursInBlocks>;
  /** By how much the address grew between the two; undefined when nobody can say. */
  readonly growthOf: (
    accounts: readonly { readonly address: string; readonly assetId: string }[],
  ) => Promise<readonly (bigint | undefined)[]>;
};

type OursInBlocks = {
  readonly blocks: readonly OurBlock[];
  readonly isOurs: (address: string) => boolean;
};

type HeadPicture = {
  readonly unconfirmed: readonly Arrival[];
  /** False when there is more to look at. Until then absence proves nothing. */
  readonly isWhole: boolean;
  readonly has: (transaction: string) => boolean;
};

type HeadWatch = { look(request: HeadRequest): Promise<HeadPicture> };

const BLOCKS_PER_FETCH = 20;
const BLOCKS_PER_STEP = 100;

type HeadBlock = {
  readonly block: EvmBlock;
  readonly hashes: ReadonlySet<string>;
  /** Movements from others to our addresses. */
  readonly income: readonly ValueMovement[];
  readonly senders: ReadonlySet<string>;
};

export function watchHead(): HeadWatch {
  let blocks: HeadBlock[] = [];

  /** Forgets the blocks that became final, and all of them when they do not follow. */
  function dropFinal(final: BlockReference): void {
    blocks = blocks.filter(({ block }) => block.height > final.height);
    const [first] = blocks;
    if (first === undefined) return;
    const follows =
      first.block.height === final.height + 1n && first.block.parentHash === final.hash;
    if (!follows) blocks = [];
  }

  function dropReplaced(newest: BlockReference): void {
    while ((blocks.at(-1)?.block.height ?? -1n) > newest.height) blocks.pop();
    const last = blocks.at(-1)?.block;
    if (last?.height === newest.height && last.hash !== newest.hash) blocks.pop();
  }

  /** True when something was learned. */
  async function extend({ final, newest, readBlocks, oursIn }: HeadRequest): Promise<boolean> {
    const from = (blocks.at(-1)?.block ?? final).height + 1n;
    const wanted = newest.height - from + 1n;
    const count = wanted < BigInt(BLOCKS_PER_FETCH) ? Number(wanted) : BLOCKS_PER_FETCH;
    const heights = Array.from({ length: count }, (_, at) => from + BigInt(at));
    const linked: EvmBlock[] = [];
    let parent = (blocks.at(-1)?.block ?? final).hash;
    for (const block of await readBlocks(heights)) {
      if (block?.parentHash !== parent) break;
      linked.push(block);
      parent = block.hash;
    }
    if (linked.length === 0) return blocks.pop() !== undefined;
    const { blocks: ours, isOurs } = await oursIn(linked);
    for (const { block, movements } of ours) {
      const hashes = new Set(block.transactions.map(({ hash }) => hash));
      const income = movements.filter(({ from, to }) => isOurs(to) && !isOurs(from));
      blocks.push({ block, hashes, income, senders: new Set(movements.map(({ from }) => from)) });
    }
    return true;
  }

  return {
    async look(request) {
      const { final, newest } = request;
      dropFinal(final);
      dropReplaced(newest);
      const isWhole = () => (blocks.at(-1)?.block ?? final).hash === newest.hash;
      let rounds = BLOCKS_PER_STEP / BLOCKS_PER_FETCH;
      while (!isWhole() && newest.height > final.height && rounds > 0) {
        if (!(await extend(request))) break;
        rounds -= 1;
      }
      return {
        unconfirmed: await seenIn(request, blocks),
        isWhole: isWhole(),
        has: (transaction) => blocks.some(({ hashes }) => hashes.has(transaction)),
      };
    },
  };
}

/** Shows no more than the balances grew by, because no more will be credited later. */
async function seenIn(request: HeadRequest, blocks: readonly HeadBlock[]): Promise<Arrival[]> {
  const income = blocks.flatMap((one) => one.income);
  if (income.length === 0) return [];
  const accounts = [
    ...new Map(
      income.map(({ to, assetId }) => [`${to}/${assetId}`, { address: to, assetId }]),
    ).values(),
  ];
  const grown = await request.growthOf(accounts);
  const rest = new Map(
    accounts.map(({ address, assetId }, at) => {
      const hasSent = blocks.some(({ senders }) => senders.has(address));
      return [`${address}/${assetId}`, hasSent ? undefined : grown[at]];
    }),
  );
  return income.flatMap((movement) => {
    const key = `${movement.to}/${movement.assetId}`;
    const left = rest.get(key);
    if (left === undefined) return [arrivalOf(movement)];
    const units = movement.units < left ? movement.units : left > 0n ? left : 0n;
    rest.set(key, left - units);
    return units === 0n ? [] : [arrivalOf({ ...movement, units })];
  });
}
