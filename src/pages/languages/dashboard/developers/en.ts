// English of the rooms for whoever writes programs.

export const enDevelopers = {
  authentication: {
    title: 'Authentication',
    hint: 'How programs of this shop say who they are. It holds for every key that there is with this kind of money, and for those made later; what moves money is always signed.',
    label: 'Preferred method',
    DIGEST: 'Digest: requests are signed (recommended)',
    BASIC: 'X-Basic as well: a fixed value, for trials',
    submit: 'Choose',
  },
  receivers: {
    tellIn: (version: string) => `Tell events in ${version}`,
  },
  checkoutSecret: {
    title: 'Secret of checkouts',
    hint: 'It signs what goes to the webhook that a checkout names itself. Plugins of shop programs ask for it.',
    show: 'Show the secret',
  },
  chains: {
    title: 'Simulated networks',
    hint: 'What a miner and a node could do to your test payments. It happens to the payments of this shop alone: other shops see nothing of it. Programs do the same with POST /sandbox/mine, /sandbox/reorg and /sandbox/freeze.',
    off: 'The simulated networks are switched off on this server.',
    height: 'Newest block',
    instant: 'Here each payment is final at once: it is a block of its own.',
    silentUntil: 'Its node is silent until',
    blocks: 'How many blocks',
    mine: 'Make blocks',
    mineAll: 'Make blocks everywhere',
    reorg: 'Undo blocks',
    silentFor: 'How long its node is silent',
    stop: 'Stop the network',
    goOn: 'Go on now',
    done: 'Done. This is how the networks stand now.',
    count: (most: string) => `Write a whole number from 1 to ${most}.`,
  },
  requests: {
    title: 'Requests',
    hint: 'What your programs asked of the API in the last seven days. Secrets are cut out.',
    looked: (count: string) =>
      `${count} were looked through for this page; there may be more among the older ones.`,
    missed: (count: string) =>
      `${count} requests are not here: too many came at once, or they could not be written.`,
    status: 'Answer',
    succeeded: 'Success (2xx)',
    refused: 'Refused (4xx)',
    failed: 'Failed (5xx)',
    path: 'Path begins with',
    key: 'API key',
    at: 'Time',
    duration: 'Took',
    address: 'From',
    asked: 'What was asked',
    answered: 'What was answered',
    bytes: (count: string) => `${count} bytes`,
    unproven: 'Whoever sent this did not prove the key, so nothing of what was sent is kept.',
    notKept: 'The body is not kept: it is no JSON, or too long.',
  },
  testEvent: {
    title: 'Try a receiver',
    hint: 'A signed event with made-up data goes to one receiver. Its text says "test": true, and nothing of it happened.',
    receiver: 'Receiver',
    kind: 'Kind',
    send: 'Send a test event',
    mark: 'Test event: nothing of it happened.',
  },
  eventKinds: {
    title: 'Kinds of events',
    hint: 'When each is told, and what it looks like. The data is made up.',
    example: 'Example',
    told: {
      CHECKOUT_COMPLETED: 'A checkout was paid in full; the balance has been updated',
      CHECKOUT_PENDING: 'Money was seen for a checkout and is not final yet',
      CHECKOUT_UNDERPAID: 'Final money is less than what is required',
      CHECKOUT_EXPIRED: 'The window of a checkout ended without final money',
      CHECKOUT_CANCELLED: 'A checkout was cancelled by the shop or the customer',
      CHECKOUT_REVERSED: 'The network took back money that was credited',
      CHECKOUT_RESTORED:
        'Money that the network had taken back, or other money in its place, is here',
      CHECKOUT_PAID_AGAIN: 'Another payment was credited after the checkout was completed',
      CHECKOUT_PENDING_WITHDRAWN:
        'The money of CHECKOUT_PENDING will not arrive: it was not credited',
      CHECKOUT_MISDIRECTED: 'Money came in another asset or on another network than asked',
      UNDERPAID_ACCEPTED: 'An underpaid checkout was accepted with what arrived',
      REFUND_RESTS:
        'A refund to a new address above a limit is sent later: until then it can be cancelled',
      REFUND_COMPLETED: 'A refund has arrived',
      REFUND_FAILED: 'A refund was not sent and never will be; its money is back where it was',
      REFUND_REOPENED:
        'A refund had arrived, or failed, and the network undid that: it is on its way again',
      REFUND_RETURNED: 'A refund had arrived and was sent back; its money is back where it was',
      DEPOSIT_PENDING: 'Money was seen at a deposit address and is not final yet',
      DEPOSIT_PENDING_WITHDRAWN:
        'The money of DEPOSIT_PENDING is not on the network any more: it was not credited',
      DEPOSIT_COMPLETED: 'Money at a deposit address was credited',
      DEPOSIT_REVERSED: 'The network took back money of a deposit address that was credited',
      DEPOSIT_MISDIRECTED:
        'Money in another asset came to a deposit address: it lies in suspense until somebody decides',
      SUSPENSE_RESOLVED:
        'Money in suspense was assigned to you, returned to the payer, or written off',
      SWAP_COMPLETED: 'A swap was carried out',
      SWAP_FAILED: 'A swap could not be carried out',
      TRANSFER_COMPLETED: 'A transfer has arrived',
      TRANSFER_FAILED: 'A transfer cannot arrive; its money is available again',
      TRANSFER_REOPENED:
        'A transfer had arrived, or failed, and the network undid that: it is on its way again',
      TRANSFER_RETURNED:
        'A transfer had arrived and was sent back; what came back is available again',
      SETTLEMENT_SKIPPED:
        'A settlement rule was due and could not be followed: told once for each reason, while it is tried again',
    },
  },
};

export type DeveloperTexts = typeof enDevelopers;
