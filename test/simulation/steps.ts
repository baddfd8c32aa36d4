// Everything that can happen in a story, each with how often it does. A step does one thing, or two
// at once where they may meet, and says what it did.
import { randomInteger } from '#base/random.ts';
import { answerBesideCommit, answerStep, hasAsking, hasUnchosen } from './answer-steps.ts';
import { brake, payUnderBrake } from './braked.ts';
import { cancelAndUndo, hasSigned } from './cancel-scenes.ts';
import { advance, blockChains, makeDueBlocks, mine, reorganise, replace } from './chain-steps.ts';
import {
  askForConversions,
  convert,
  convertAlone,
  convertUnread,
  giveUpConversion,
  hasConversion,
  hasKept,
  sendKept,
  watchMarket,
} from './convert-steps.ts';
import { buy, cancel, commit, create, expire, hasCheckout, hasLock } from './customer-steps.ts';
import { hasAddress, openAddress, payAddress, settleDeposits } from './deposit-steps.ts';
import { freeze, thaw } from './frozen.ts';
import { fill, giveUpHedge, hasHedge, hasSwapped, hedge, unfill } from './hedge-steps.ts';
import { movePrices } from './market-steps.ts';
import { accept, hasBalance, isSending, send, swap, transfer } from './merchant-steps.ts';
import {
  endByHand,
  explainLeft,
  forget,
  hasHandChain,
  hasSent,
  hasUnexplained,
  moveOwn,
  payByWallet,
  raiseFee,
} from './operator-steps.ts';
import { payStep } from './pay-step.ts';
import { claim, refundSome } from './refund-steps.ts';
import { comeBack, hasLanded } from './return-steps.ts';
import {
  killTransfer,
  payAddressAndDig,
  payInTwo,
  payLate,
  payNobody,
  payWithoutPrice,
  refundAndPayAgain,
  refundAndUndo,
  undo,
} from './scenes.ts';
import {
  earnAndSend,
  earnSignAndCancel,
  hasSendingChain,
  swapAndConvert,
  undoLeft,
} from './sending-scenes.ts';
import {
  askSigner,
  hasDrawer,
  hasToSend,
  isForSigner,
  sendByHand,
  sendLate,
  sendStored,
  settleLeft,
} from './sending-steps.ts';
import { deliver, deliverTwice, seal, settle, settleTwice, suspense } from './serve-steps.ts';
import type { Story } from './story.ts';
import { decideOnSuspense, hasSuspended } from './suspense-steps.ts';
import {
  mineObserveSettle,
  observe,
  observeAndSettle,
  observeTwice,
  settleInsideObserve,
  slowWatcher,
  twoWatchers,
  undoWhileCredited,
} from './watch-steps.ts';

type Step = {
  readonly name: string;
  readonly weight: number;
  /** Nothing to do it with: another step is drawn. */
  readonly isPossible?: (story: Story) => boolean;
  readonly run: (story: Story) => Promise<string>;
};

const MOST_CHECKOUTS = 4;
const MOST_ADDRESSES = 2;

const hasDecided = ({ known }: Story) =>
  [...known.states.values()].some((state) => state === 'UNDERPAID' || state === 'COMPLETED');
const hasUnderpaid = ({ known }: Story) => [...known.states.values()].includes('UNDERPAID');
const hasBlocks = (story: Story) => blockChains(story).length > 0;

export const STEPS: readonly Step[] = [
  {
    name: 'create',
    weight: 6,
    isPossible: ({ checkouts }) => checkouts.length < MOST_CHECKOUTS,
    run: (story) => create(story),
  },
  {
    name: 'buy',
    weight: 9,
    isPossible: ({ checkouts }) => checkouts.length < MOST_CHECKOUTS,
    run: buy,
  },
  { name: 'commit', weight: 9, isPossible: hasCheckout, run: (story) => commit(story) },
  { name: 'answer', weight: 8, isPossible: hasAsking, run: answerStep },
  { name: 'answer and commit', weight: 10, isPossible: hasUnchosen, run: answerBesideCommit },
  { name: 'pay', weight: 14, isPossible: hasLock, run: payStep },
  { name: 'mine', weight: 6, isPossible: hasBlocks, run: mine },
  { name: 'mine, observe, settle', weight: 9, isPossible: hasLock, run: mineObserveSettle },
  { name: 'make due blocks', weight: 2, isPossible: hasBlocks, run: makeDueBlocks },
  { name: 'replace', weight: 4, isPossible: ({ sent }) => sent.length > 0, run: replace },
  { name: 'reorganise', weight: 7, isPossible: hasBlocks, run: (story) => reorganise(story) },
  { name: 'freeze', weight: 1, isPossible: hasBlocks, run: freeze },
  { name: 'thaw', weight: 1, isPossible: hasBlocks, run: thaw },
  { name: 'brake', weight: 2, isPossible: hasLock, run: brake },
  { name: 'pay under the brake', weight: 4, isPossible: hasLock, run: payUnderBrake },
  { name: 'advance', weight: 6, run: advance },
  { name: 'observe', weight: 9, isPossible: hasLock, run: observe },
  { name: 'observe twice the same', weight: 3, isPossible: hasLock, run: observeTwice },
  { name: 'a slow watcher', weight: 3, isPossible: hasLock, run: slowWatcher },
  { name: 'two watchers', weight: 3, isPossible: hasLock, run: twoWatchers },
  { name: 'settle', weight: 8, isPossible: hasCheckout, run: settle },
  { name: 'settle twice at once', weight: 2, isPossible: hasCheckout, run: settleTwice },
  { name: 'observe and settle at once', weight: 4, isPossible: hasLock, run: observeAndSettle },
  { name: 'settle inside observe', weight: 2, isPossible: hasLock, run: settleInsideObserve },
  { name: 'undone while it is credited', weight: 3, isPossible: hasBlocks, run: undoWhileCredited },
  { name: 'move prices', weight: 5, run: movePrices },
  {
    name: 'pay in two',
    weight: 8,
    isPossible: ({ checkouts }) => checkouts.length < MOST_CHECKOUTS,
    run: payInTwo,
  },
  { name: 'pay late', weight: 4, isPossible: hasLock, run: payLate },
  { name: 'pay without a price', weight: 3, isPossible: hasLock, run: payWithoutPrice },
  { name: 'undo', weight: 8, isPossible: hasDecided, run: undo },
  { name: 'accept', weight: 7, isPossible: hasCheckout, run: accept },
  { name: 'refund', weight: 8, isPossible: hasDecided, run: refundSome },
  { name: 'refund and undo', weight: 5, isPossible: hasDecided, run: refundAndUndo },
  { name: 'refund and pay again', weight: 7, isPossible: hasUnderpaid, run: refundAndPayAgain },
  { name: 'claim', weight: 10, isPossible: ({ known }) => known.claimable.length > 0, run: claim },
  { name: 'transfer', weight: 6, isPossible: hasBalance, run: (story) => transfer(story) },
  { name: 'send', weight: 12, isPossible: isSending, run: send },
  { name: 'send by hand', weight: 16, isPossible: hasToSend, run: (story) => sendByHand(story) },
  { name: 'pay with a wallet', weight: 8, isPossible: hasToSend, run: payByWallet },
  { name: 'send again', weight: 4, isPossible: hasToSend, run: (story) => sendStored(story) },
  { name: 'send late', weight: 6, isPossible: hasDrawer, run: sendLate },
  { name: 'end by hand', weight: 3, isPossible: hasToSend, run: endByHand },
  { name: 'ask the signer', weight: 10, isPossible: isForSigner, run: askSigner },
  { name: 'cancel what was signed', weight: 10, isPossible: hasSigned, run: cancelAndUndo },
  { name: 'move our own', weight: 2, isPossible: hasHandChain, run: moveOwn },
  { name: 'raise a fee', weight: 4, isPossible: hasSent, run: raiseFee },
  { name: 'forget', weight: 3, isPossible: hasSent, run: forget },
  { name: 'explain', weight: 5, isPossible: hasUnexplained, run: (story) => explainLeft(story) },
  { name: 'book what left', weight: 8, isPossible: hasSent, run: settleLeft },
  { name: 'undo what left', weight: 6, isPossible: hasSent, run: undoLeft },
  { name: 'come back', weight: 8, isPossible: hasLanded, run: comeBack },
  {
    name: 'earn and send',
    weight: 16,
    isPossible: (story) => story.checkouts.length < MOST_CHECKOUTS && hasSendingChain(story),
    run: earnAndSend,
  },
  {
    name: 'earn, sign and cancel',
    weight: 6,
    isPossible: (story) => story.checkouts.length < MOST_CHECKOUTS && hasHandChain(story),
    run: earnSignAndCancel,
  },
  { name: 'hedge', weight: 8, isPossible: hasSwapped, run: hedge },
  { name: 'fill', weight: 10, isPossible: hasHedge, run: fill },
  { name: 'unfill', weight: 3, isPossible: hasHedge, run: unfill },
  { name: 'give up a hedge', weight: 2, isPossible: hasHedge, run: giveUpHedge },
  { name: 'convert', weight: 8, isPossible: hasSwapped, run: (story) => convert(story) },
  { name: 'swap and convert', weight: 14, isPossible: hasBalance, run: swapAndConvert },
  { name: 'ask for conversions', weight: 4, isPossible: hasSwapped, run: askForConversions },
  { name: 'watch the market', weight: 6, isPossible: hasSwapped, run: watchMarket },
  { name: 'send what was kept', weight: 4, isPossible: hasKept, run: sendKept },
  { name: 'convert and read nothing', weight: 5, isPossible: hasSwapped, run: convertUnread },
  { name: 'convert with a wallet', weight: 3, isPossible: hasSwapped, run: convertAlone },
  { name: 'give up a conversion', weight: 2, isPossible: hasConversion, run: giveUpConversion },
  { name: 'kill a transfer', weight: 12, isPossible: isSending, run: killTransfer },
  { name: 'swap', weight: 6, isPossible: hasBalance, run: swap },
  {
    name: 'open an address',
    weight: 2,
    isPossible: ({ addresses }) => addresses.length < MOST_ADDRESSES,
    run: openAddress,
  },
  { name: 'pay an address', weight: 3, isPossible: hasAddress, run: (story) => payAddress(story) },
  { name: 'pay an address and dig', weight: 4, isPossible: hasAddress, run: payAddressAndDig },
  { name: 'settle deposits', weight: 3, isPossible: hasAddress, run: settleDeposits },
  { name: 'deliver', weight: 3, isPossible: hasCheckout, run: deliver },
  { name: 'two senders', weight: 1, isPossible: hasCheckout, run: deliverTwice },
  { name: 'cancel', weight: 1, isPossible: hasCheckout, run: cancel },
  { name: 'expire by hand', weight: 1, isPossible: hasLock, run: expire },
  { name: 'suspense', weight: 1, run: (story) => suspense(story) },
  { name: 'decide on suspense', weight: 8, isPossible: hasSuspended, run: decideOnSuspense },
  { name: 'pay nobody', weight: 6, isPossible: hasLock, run: payNobody },
  { name: 'seal', weight: 1, run: seal },
];

export function drawStep(story: Story): Step {
  const possible = STEPS.filter(({ isPossible }) => isPossible === undefined || isPossible(story));
  const sum = possible.reduce((weights, { weight }) => weights + weight, 0);
  let drawn = randomInteger(story.random, sum);
  for (const step of possible) {
    drawn -= step.weight;
    if (drawn < 0) return step;
  }
  throw new Error('no step is possible');
}
