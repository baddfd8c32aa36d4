// Makes the sandbox do what leads to an event, as a shop and its customer would, and waits until it
// was told. Nothing is invented: the event is real, and webhooks get it too.

import { acceptedText, Outage, Refusal } from '#base/refusal.ts';
import { onePositional } from '#cli/command.ts';
import type { InstallationClient, Json } from './remote-client.ts';
import {
  openTestRemote,
  PROFILE_EXPLAINED,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type RemoteCommand,
  type RemoteContext,
} from './remote-command.ts';

const TOLD_MS = 60_000;
const WAIT_SECONDS = 20;
const PAUSE_MS = 200;
/** More than any payment of a test key needs. */
const DEEP = 4;
const CHAIN = 'LITECOIN';
/** Of nobody: the example of BIP 173 on the test network. */
const SOMEWHERE = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
/** Another asset of the network than is asked for there. */
const WRONG = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
/** What the API takes. */
const UNDONE_MOST = 30;

type Story = {
  post(path: string, body: object): Promise<Json>;
  /** Waits until an event of this type about this was told; does `meanwhile` before each look. */
  told(eventType: string, about: string, meanwhile?: () => Promise<unknown>): Promise<void>;
};

const charge = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'Triggered', netAmount: '23', quantity: '1' }],
};

async function open(story: Story, request: object = {}): Promise<string> {
  const { id } = await story.post('/checkout', { charge, ...request });
  const checkoutId = String(id);
  await story.post('/checkout/commit', { checkoutId, network: CHAIN });
  return checkoutId;
}

async function pay(story: Story, checkoutId: string, more: object = {}): Promise<void> {
  await story.post('/sandbox/pay', { checkoutId, ...more });
}

/** Seen first: what is paid and mined in one moment would be told at once. */
async function pending(story: Story, more: object = {}): Promise<string> {
  const id = await open(story);
  await pay(story, id, more);
  await story.told('CHECKOUT_PENDING', id);
  return id;
}

const mine = (story: Story, checkoutId: string) =>
  story.post('/sandbox/mine', { network: CHAIN, blocks: DEEP, checkoutId });

async function completed(story: Story): Promise<string> {
  const id = await pending(story);
  await mine(story, id);
  await story.told('CHECKOUT_COMPLETED', id);
  return id;
}

async function underpaid(story: Story): Promise<string> {
  const id = await pending(story, { amount: '0.1' });
  await mine(story, id);
  await story.told('CHECKOUT_UNDERPAID', id);
  return id;
}

/**
 * As deep as can be, since blocks of the schedule may have come on top: it is the payments of one
 * thing alone. A young chain has fewer blocks than that. What takes their place is nobody's thing,
 * and is mined with whatever else waits until the event is told.
 */
async function undo(story: Story, eventType: string, about: string, ofOne: object): Promise<void> {
  for (let depth = UNDONE_MOST; ; depth -= 1) {
    try {
      await story.post('/sandbox/reorg', { network: CHAIN, depth, ...ofOne });
      break;
    } catch (error) {
      const isTooDeep = error instanceof Refusal && error.code === 'depth_invalid';
      if (!isTooDeep || depth === 1) throw error;
    }
  }
  await story.told(eventType, about, () =>
    story.post('/sandbox/mine', { network: CHAIN, blocks: 1 }),
  );
}

async function reversed(story: Story): Promise<string> {
  const checkoutId = await completed(story);
  await undo(story, 'CHECKOUT_REVERSED', checkoutId, { checkoutId });
  return checkoutId;
}

async function deposit(story: Story, network: string, asset?: string): Promise<string> {
  const made = await story.post('/deposit-address', { network, label: 'triggered' });
  const depositAddressId = String(made.depositAddress?.id);
  await story.post('/sandbox/pay', { depositAddressId, asset, amount: '0.5' });
  return depositAddressId;
}

async function depositSeen(story: Story): Promise<string> {
  const id = await deposit(story, CHAIN);
  await story.told('DEPOSIT_PENDING', id);
  return id;
}

async function depositCompleted(story: Story): Promise<string> {
  const depositAddressId = await depositSeen(story);
  await story.post('/sandbox/mine', { network: CHAIN, blocks: DEEP, depositAddressId });
  await story.told('DEPOSIT_COMPLETED', depositAddressId);
  return depositAddressId;
}

/** Gives the id of what its event is about. */
type Trigger = (story: Story) => Promise<string>;

async function then(id: Promise<string>, act: (id: string) => Promise<unknown>): Promise<string> {
  await act(await id);
  return id;
}

/** Every event that a test key can bring about by itself. */
export const TRIGGERS: Readonly<Record<string, Trigger>> = {
  CHECKOUT_PENDING: pending,
  CHECKOUT_COMPLETED: completed,
  CHECKOUT_UNDERPAID: underpaid,
  UNDERPAID_ACCEPTED: (story) =>
    then(underpaid(story), (checkoutId) =>
      story.post('/checkout/accept-underpaid', { checkoutId }),
    ),
  CHECKOUT_EXPIRED: (story) =>
    then(open(story), (checkoutId) => story.post('/sandbox/expire', { checkoutId })),
  CHECKOUT_CANCELLED: (story) =>
    then(open(story), (checkoutId) => story.post('/checkout/cancel', { checkoutId })),
  CHECKOUT_PENDING_WITHDRAWN: (story) =>
    then(pending(story), async (checkoutId) => {
      try {
        await story.post('/sandbox/replace', { checkoutId });
      } catch (error) {
        const isMined = error instanceof Refusal && error.code === 'transaction_not_replaceable';
        if (!isMined) throw error;
        await undo(story, 'CHECKOUT_PENDING_WITHDRAWN', checkoutId, { checkoutId });
      }
    }),
  CHECKOUT_REVERSED: reversed,
  CHECKOUT_RESTORED: (story) =>
    then(reversed(story), async (checkoutId) => {
      await pay(story, checkoutId);
      await mine(story, checkoutId);
    }),
  CHECKOUT_PAID_AGAIN: (story) =>
    then(completed(story), async (checkoutId) => {
      await pay(story, checkoutId);
      await mine(story, checkoutId);
    }),
  CHECKOUT_MISDIRECTED: async (story) => {
    const { id } = await story.post('/checkout', { charge });
    const checkoutId = String(id);
    await story.post('/checkout/commit', { checkoutId, network: 'STELLAR', asset: 'XLM:NATIVE' });
    await pay(story, checkoutId, { inAsset: WRONG, amount: '5' });
    await story.post('/sandbox/mine', { network: 'STELLAR', blocks: DEEP, checkoutId });
    return checkoutId;
  },
  DEPOSIT_PENDING: depositSeen,
  DEPOSIT_COMPLETED: depositCompleted,
  DEPOSIT_PENDING_WITHDRAWN: (story) =>
    then(depositSeen(story), async (depositAddressId) => {
      await story.post('/sandbox/mine', { network: CHAIN, blocks: 1, depositAddressId });
      await undo(story, 'DEPOSIT_PENDING_WITHDRAWN', depositAddressId, { depositAddressId });
    }),
  DEPOSIT_REVERSED: (story) =>
    then(depositCompleted(story), (depositAddressId) =>
      undo(story, 'DEPOSIT_REVERSED', depositAddressId, { depositAddressId }),
    ),
  DEPOSIT_MISDIRECTED: async (story) => {
    const depositAddressId = await deposit(story, 'STELLAR', WRONG);
    await story.post('/sandbox/mine', { network: 'STELLAR', blocks: DEEP, depositAddressId });
    return depositAddressId;
  },
  REFUND_COMPLETED: async (story) => {
    const checkoutId = await completed(story);
    const made = await story.post('/refund', { checkoutId, kind: 'full', address: SOMEWHERE });
    const id = String(made.refund?.id);
    // It is sent a moment later, and needs blocks above it then.
    await story.told('REFUND_COMPLETED', id, () =>
      story.post('/sandbox/mine', { network: CHAIN, blocks: DEEP }),
    );
    return id;
  },
  SWAP_COMPLETED: async (story) => {
    await completed(story);
    const quote = { sourceAsset: 'LTC:NATIVE', targetAsset: 'BTC:NATIVE', sourceAmount: '0.1' };
    const made = await story.post('/swap', quote);
    const swapId = String(made.swap?.id);
    await story.post('/swap/commit', { swapId });
    return swapId;
  },
};

export const triggerEvent: RemoteCommand = {
  name: 'trigger',
  summary: 'let the sandbox do what leads to an event, and wait until it was told',
  usage: `EVENT_TYPE ${PROFILE_USAGE}   (without it: which there are)`,
  options: PROFILE_OPTION,
  choices: Object.keys(TRIGGERS),
  explains: {
    EVENT_TYPE: `one of ${Object.keys(TRIGGERS).length}, such as CHECKOUT_COMPLETED`,
    ...PROFILE_EXPLAINED,
  },
  async run(context, { positionals, values }) {
    const names = Object.keys(TRIGGERS);
    if (positionals.length === 0) return { text: names.join('\n'), json: { eventTypes: names } };
    const eventType = onePositional(positionals, 'the type of the event').toUpperCase();
    const trigger = Object.hasOwn(TRIGGERS, eventType) ? TRIGGERS[eventType] : undefined;
    if (trigger === undefined) {
      throw new Refusal('invalid', 'usage', [
        `the sandbox causes no ${eventType}; ${acceptedText(eventType, names, 'quittance trigger')}`,
      ]);
    }
    const { client } = await openTestRemote(context, values);
    const story = await beginStory(context, client);
    const about = await trigger(story);
    await story.told(eventType, about);
    return { text: `${eventType} was told of ${about}.`, json: { eventType, about } };
  },
};

async function beginStory(
  { clock, ended }: RemoteContext,
  client: InstallationClient,
): Promise<Story> {
  const begun = await client.get('/events/follow');
  let after = String(begun.json.after);
  const told: string[] = [];
  return {
    post: async (path, body) => (await client.post(path, body)).json,
    async told(eventType, about, meanwhile) {
      const endsAtMs = clock.monotonicMs() + TOLD_MS;
      const isTold = () =>
        told.some((body) => body.includes(`"${eventType}"`) && body.includes(`"${about}"`));
      while (!isTold() && !ended.aborted) {
        if (clock.monotonicMs() > endsAtMs) {
          throw new Outage(client.url, { cause: new Error(`${eventType} was not told in time`) });
        }
        await meanwhile?.();
        const wait = String(meanwhile === undefined ? WAIT_SECONDS : 1);
        const { json } = await client.get('/events/follow', { after, wait }, ended);
        after = String(json.after);
        const news = json.events as unknown as { body: string }[];
        for (const { body } of news) told.push(body);
        // Where many wait at once an answer is not held.
        if (news.length === 0) await clock.sleep(PAUSE_MS);
      }
    },
  };
}
