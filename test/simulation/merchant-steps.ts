// What a merchant does with money: accepts less, refunds, sends, converts. Each answer is held
// against the oracle at once.
import { type Random, randomBigint, randomInteger } from '#base/random.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { acceptUnderpaid } from '#checkout-settlement/act-on-checkout.ts';
import { decimalFromUnits } from '#money/decimal.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';
import { pick } from '#test/support/seeded-random.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';
import { act, chance, type Story, type StoryCheckout } from './story.ts';
import { CHAINS, type World } from './world.ts';
import { assetOf, swapOf } from './worth.ts';

/** Addresses of somebody else, with a right checksum. */
export const ACCOUNTS: Readonly<Record<string, { readonly address: string }>> = {
  BITCOIN: { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' },
  LITECOIN: { address: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0' },
  ETHEREUM: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  STELLAR: { address: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' },
  LIGHTNING: { address: 'payer@wallet.example.com' },
};

/** One in such a state if there is one, mostly. */
export function pickIn(story: Story, ...states: readonly string[]): StoryCheckout {
  const fitting = story.checkouts.filter(({ id }) =>
    states.includes(story.known.states.get(id) ?? ''),
  );
  const isAny = fitting.length === 0 || chance(story.random, 15);
  return pick(story.random, isAny ? story.checkouts : fitting);
}

export async function accept(story: Story): Promise<string> {
  const { id: checkoutId, name } = pickIn(story, 'UNDERPAID');
  const said = await act(story, async (service) => {
    await acceptUnderpaid(service, { checkoutId, owner: story.shop });
    story.counters.accepts += 1;
    return 'accepted';
  });
  return `${name}: ${said}`;
}

export const hasBalance = ({ known }: Story) => known.available.size > 0;
export const isSending = ({ known }: Story) => known.isSending;

/** A quote, and mostly its commit, at times by two at once. */
export async function transfer(
  story: Story,
  on: readonly string[] = CHAINS.map(networkOf),
): Promise<string> {
  const { random, known, world, shop } = story;
  const carried = [...known.available].filter(([id]) =>
    on.some((network) => getNetwork(network).assets.includes(id)),
  );
  const isAny = carried.length === 0 || on.length > 1;
  const [assetId, balance] = pick(random, isAny ? [...known.available] : carried);
  const networks = on.filter((id) => getNetwork(id).assets.includes(assetId));
  if (networks.length === 0) return `nothing here carries ${assetId}`;
  const network = pick(random, networks);
  const units = drawAmount(random, balance);
  const label = `story ${story.seed} ${network}`;
  if (!story.beneficiaries.has(network)) {
    const app = { ...world, keyring: story.service.keyring };
    await addBeneficiary({ app, caller: shop }, label, {
      network,
      account: ACCOUNTS[network] ?? {},
    });
    story.beneficiaries.add(network);
  }
  const amount = decimalFromUnits(units, assetOf(assetId).decimals);
  const said = await act(story, async (service) => {
    const request = { network, asset: assetId, amount, targetAccount: label };
    const { id } = await quoteTransfer(service, shop, request);
    if (chance(random, 15)) return 'quoted';
    const times = chance(random, 20) ? 2 : 1;
    const made = Array.from({ length: times }, () => commitTransfer(service, shop, id));
    for (const result of await Promise.allSettled(made)) {
      if (result.status === 'rejected') throw result.reason;
    }
    story.counters.transfers += 1;
    return `reserved ${times}`;
  });
  return `${units} of ${balance} ${assetId} on ${network}: ${said}`;
}

/** All, a part, next to nothing, and at times more than there is. */
export function drawAmount(random: Random, balance: bigint): bigint {
  const draw = randomInteger(random, 100);
  if (draw < 30) return balance;
  if (draw < 85) return 1n + randomBigint(random, balance);
  return draw < 92 ? balance + 1n + randomBigint(random, balance) : 1n;
}

const SIGNERS = ['well', 'well', 'refusing', 'away'] as const;

export async function send(
  story: Story,
  signer: World['signer'] = pick(story.random, SIGNERS),
): Promise<string> {
  story.world.signer = signer;
  const said = await act(story, async (service) => runTransfers(service));
  return `${signer}: ${said}`;
}

export async function swap(story: Story): Promise<string> {
  const { random, known, world, shop, counters, swapped } = story;
  const [sourceAssetId, balance] = pick(random, [...known.available]);
  const others = ['EUR:FIAT', 'USD:FIAT', 'BTC:NATIVE', 'LTC:NATIVE', 'XLM:NATIVE', 'ETH:NATIVE'];
  const targetAssetId = pick(
    random,
    others.filter((id) => id !== sourceAssetId),
  );
  const assets = { from: sourceAssetId, to: targetAssetId };
  const all = swapOf(world.market, assets, { source: balance }, 0, world.clock.now());
  const isToTarget = chance(random, 50) && all !== undefined && all.target > 0n;
  const source = drawAmount(random, balance);
  const target = isToTarget ? drawAmount(random, all.target) : 0n;
  const fixed = isToTarget ? { targetUnits: target } : { sourceUnits: source };
  const said = await act(story, async (service) => {
    const made = await createSwap(service, shop, { sourceAssetId, targetAssetId, fixed });
    const due = swapOf(
      world.market,
      assets,
      isToTarget ? { target } : { source },
      shop.feePartsPerMillion,
      made.createdAt,
    );
    const { sourceUnits, targetUnits, feeUnits } = made;
    const isRight =
      due?.source === sourceUnits && due.target === targetUnits && due.fee === feeUnits;
    if (!isRight) {
      throw new Error(
        `F5: a swap gives ${sourceUnits} ${sourceAssetId} for ${targetUnits} ${targetAssetId}, ` +
          `fee ${feeUnits}; it is ${due?.source} for ${due?.target}, fee ${due?.fee}`,
      );
    }
    if (chance(random, 10)) return 'quoted';
    await commitSwap(service, { swapId: made.id, owner: shop });
    const promised = targetUnits + feeUnits;
    swapped.push({ from: sourceAssetId, to: targetAssetId, taken: sourceUnits, promised });
    counters[isToTarget ? 'swapsToTarget' : 'swapsFromSource'] += 1;
    return `${sourceUnits} for ${targetUnits}, fee ${feeUnits}`;
  });
  return `${sourceAssetId} to ${targetAssetId}, ${isToTarget ? `for ${target}` : source}: ${said}`;
}
