// Money is earned, ordered away and sent, all in a row: chance alone would seldom get so far.
import { chainOf } from '#catalog/chain.ts';
import { pick } from '#test/support/seeded-random.ts';
import { commit, create } from './customer-steps.ts';
import { lookAround } from './known.ts';
import { lookInside } from './look-inside.ts';
import { hasBalance, send, transfer } from './merchant-steps.ts';
import { endByHand, payByWallet, raiseFee } from './operator-steps.ts';
import { refund } from './refund-steps.ts';
import { dig, pay } from './scenes.ts';
import { askSigner, hasToSend, isForSigner, sendByHand } from './sending-steps.ts';
import { chance, type Story } from './story.ts';

export async function earnAndSend(story: Story): Promise<string> {
  const { random, checkouts } = story;
  const before = checkouts.length;
  const created = await create(story);
  const checkout = checkouts[before];
  if (checkout === undefined) return created;
  const committed = await commit(story, checkout);
  const [lock] = checkout.commitments;
  if (lock === undefined) return `${created}; ${committed}`;
  const chain = chainOf('test', lock.network);
  const paid = await pay(story, lock, lock.arrivingUnits);
  const said = [created, committed, paid, await dig(story, chain)];
  const orders = chance(random, 40) ? 2 : 1;
  for (let order = 0; order < orders; order += 1) {
    story.known = await lookAround(story);
    const isTransfer = hasBalance(story) && chance(random, 75);
    said.push(await (isTransfer ? transfer(story) : refund(story, checkout, 'full')));
  }
  said.push(await send(story, 'well'));
  said.push(await sendWhatWaits(story));
  await lookInside(story);
  if (chance(random, 75)) said.push(await dig(story, chain));
  return said.join('; ');
}

async function sendWhatWaits(story: Story): Promise<string> {
  story.known = await lookAround(story);
  await lookInside(story);
  if (isForSigner(story)) return askSigner(story);
  if (!hasToSend(story)) return 'a program sends it';
  const ways = [sendByHand, sendByHand, sendByHand, payByWallet, payByWallet, endByHand];
  const said = await pick(story.random, ways)(story);
  return chance(story.random, 75) ? said : `${said}; ${await raiseFee(story)}`;
}
