// Money that had arrived comes back, as from a bank whose customer has closed the account: the
// network names the transfer that it brings back. All of it, a part, or more than was sent.
import { randomBigint } from '#base/random.ts';
import { chainOf } from '#catalog/chain.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { settleCameBack } from '#suspense/settle-came-back.ts';
import { pick } from '#test/support/seeded-random.ts';
import { suspense } from './serve-steps.ts';
import { act, chance, outside, type Story } from './story.ts';
import { watchOnce } from './watch-steps.ts';

/** The one where what arrives without a memo is ours, and whose it is nobody knows. */
const CHAIN = chainOf('test', 'STELLAR');

export const hasLanded = ({ known }: Story) => known.landed.length > 0;

export async function comeBack(story: Story): Promise<string> {
  const { random, known, world, sent, counters } = story;
  const { id, assetId, units: target } = pick(random, known.landed);
  const part = 1n + randomBigint(random, target);
  const units = pick(random, [target, target, target, part, target + 1n]);
  const destination = ourAccount(story);
  const said = await outside(async () => {
    const outputs = [{ destination, assetId, units }];
    for (const { transaction } of await paySandbox(world, { chain: CHAIN, outputs })) {
      sent.push({ chain: CHAIN, transaction });
      world.wallet.returns.set(transaction, id);
    }
    counters.payments += 1;
    return 'sent back';
  });
  const told = `${units} of ${target} ${assetId} of ${id}: ${said}`;
  return chance(random, 30) ? told : `${told}; ${await takeBack(story)}`;
}

/** Seen, booked and recognised; at times twice at once. */
export async function takeBack(story: Story): Promise<string> {
  const seen = await watchOnce(story, CHAIN);
  const booked = await suspense(story, CHAIN);
  const taken = await act(story, async (service) => `${await settleCameBack(service)} came back`);
  return `${seen}, ${booked}, ${taken}`;
}

function ourAccount({ service }: Story): string {
  const network = service.networks.get(CHAIN);
  const request = { index: 0n, assetId: '', units: 1n, instructionId: '' };
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(0);
  const made = network?.openDestination({ ...request, expiresAt });
  if (made === undefined || made instanceof Promise) throw new Error(`no account on ${CHAIN}`);
  return made.address;
}
