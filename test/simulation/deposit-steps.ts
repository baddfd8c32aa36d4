// Addresses that a merchant keeps for ever: each is paid any number of times.
import { randomBigint } from '#base/random.ts';
import { chainOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { pick } from '#test/support/seeded-random.ts';
import { act, chance, outside, type Story } from './story.ts';

export const hasAddress = ({ addresses }: Story) => addresses.length > 0;

export async function openAddress(story: Story): Promise<string> {
  const { random, shop, addresses, counters, chains, receiver } = story;
  const networks = chains.map(networkOf).filter((network) => network !== 'LIGHTNING');
  if (networks.length === 0) return 'nothing here has lasting addresses';
  const network = pick(random, networks);
  const webhook = chance(random, 80) ? `${receiver.origin}/${shop.merchantId}` : undefined;
  const request = { network, assetId: undefined, label: undefined, webhook, metaText: undefined };
  const said = await act(story, async (service) => {
    const { id, assetId, instruction } = await createDepositAddress(service, shop, request);
    addresses.push({ id, network, assetId, destination: instruction.destination });
    counters.depositAddresses += 1;
    return id;
  });
  return `${network}: ${said}`;
}

export async function payAddress(
  story: Story,
  address = pick(story.random, story.addresses),
): Promise<string> {
  const { random, world, sent, counters } = story;
  const { id, network, assetId, destination } = address;
  const chain = chainOf('test', network);
  const units = 1n + randomBigint(random, chance(random, 20) ? 10n : 3_000_000n);
  const isOther = chance(random, 8);
  const paidIn = isOther ? pick(random, getNetwork(network).assets) : assetId;
  const said = await outside(async () => {
    const outputs = [{ destination, assetId: paidIn, units }];
    for (const { transaction } of await paySandbox(world, { chain, outputs })) {
      sent.push({ chain, transaction });
    }
    counters.payments += 1;
    return 'paid';
  });
  return `${id} on ${network}, ${units} ${paidIn}: ${said}`;
}

export async function settleDeposits(story: Story): Promise<string> {
  return act(story, async (service) => `settled, ${await settleDueDepositAddresses(service)}`);
}
