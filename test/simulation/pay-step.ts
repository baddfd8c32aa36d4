// The customer pays, rightly or in every wrong way there is.
import { randomBigint, randomInteger } from '#base/random.ts';
import { chainOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Commitment } from '#checkout/checkout.ts';
import { paySandbox, type SandboxPaymentRequest } from '#networks/sandbox/pay-sandbox.ts';
import { pick } from '#test/support/seeded-random.ts';
import { chance, outside, type Story } from './story.ts';
import { BLOCK_CHAINS } from './world.ts';

const MANNERS = [
  'exactly',
  'exactly',
  'exactly',
  'too little',
  'nearly all',
  'the half',
  'too much',
  'in parts',
  'twice in one transaction',
  'with another',
  'a speck',
  'with a wrong memo',
  'in another asset',
] as const;
type Manner = (typeof MANNERS)[number];
type Output = SandboxPaymentRequest['outputs'][number];

export async function payStep(story: Story): Promise<string> {
  const { random, world, sent, counters } = story;
  const locks = story.checkouts.flatMap(({ name, commitments }) =>
    commitments.map((commitment) => ({ name, commitment })),
  );
  const { name, commitment } = pick(random, locks);
  const manner = pick(random, MANNERS);
  const chain = chainOf('test', commitment.network);
  const others = locks.map((lock) => lock.commitment);
  const outputs = outputsOf(story, commitment, manner, others);
  const parts = manner === 'in parts' ? 2 + randomInteger(random, 2) : 1;
  // A payment on Lightning is settled or was never there.
  const isHeld = chance(random, 12) && BLOCK_CHAINS.includes(chain);
  const heldUntil = isHeld ? world.clock.now().add({ hours: 24 * 365 }) : undefined;
  const said = await outside(async () => {
    const made = await paySandbox(world, { chain, outputs, parts, heldUntil });
    for (const { transaction } of made) sent.push({ chain, transaction });
    counters.payments += made.length;
    return made.map(({ transaction }) => transaction.slice(0, 8)).join(' ');
  });
  const units = outputs.map((output) => output.units).join(' + ');
  return `${name} on ${commitment.network} ${manner}, ${units}${isHeld ? ', held back' : ''}: ${said}`;
}

function outputsOf(
  { random }: Story,
  commitment: Commitment,
  manner: Manner,
  locks: readonly Commitment[],
): Output[] {
  const { arrivingUnits: units, assetId, network } = commitment;
  const { destination } = commitment.instruction;
  const right = { destination, assetId, units };
  const half = (units + 1n) / 2n;
  switch (manner) {
    case 'exactly':
      return [right];
    case 'in parts':
      return [{ ...right, units: units < 3n ? units + 3n : units }];
    case 'too little':
      return [{ ...right, units: units > 1n ? 1n + randomBigint(random, units - 1n) : units }];
    case 'nearly all':
      return [{ ...right, units: units - randomBigint(random, units / 50n + 1n) }];
    case 'the half':
      return [{ ...right, units: half }];
    case 'too much':
      return [{ ...right, units: units + 1n + randomBigint(random, units) }];
    case 'twice in one transaction':
      return [{ ...right, units: half }, chance(random, 50) ? { ...right, units: half } : right];
    case 'with another': {
      const other = pick(
        random,
        locks.filter((lock) => lock.network === network),
      );
      const also = other.instruction.destination;
      return [right, { destination: also, assetId: other.assetId, units: other.arrivingUnits }];
    }
    case 'a speck':
      return [{ ...right, units: 1n }];
    case 'with a wrong memo':
      return [network === 'STELLAR' ? { ...right, destination: `${destination}9` } : right];
    case 'in another asset':
      return [{ ...right, assetId: pick(random, getNetwork(network).assets) }];
  }
}
