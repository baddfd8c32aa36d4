// Which transactions move money of ours away: a pure function. Where a network has outputs, a
// transaction is ours when it spends an output that paid us, and what it pays for is what its
// outputs hold; the difference is the network's fee. Other networks tell it themselves. What a
// departure is for (a transfer, change, cold storage) is not decided here.
import type {
  Arrival,
  Block,
  Departure,
  DeparturePart,
  Observation,
  Spend,
} from '#deposit/network.ts';

/** An output of ours, or what a transaction of ours sent to ourselves. */
export type OwnOutput = { readonly assetId: string; readonly units: bigint };

type DepartureFacts = {
  readonly observation: Observation;
  /** By credit key: those known before that the observed transactions may spend. */
  readonly ownOutputs: ReadonlyMap<string, OwnOutput>;
  /** Whether a destination is ours: somebody was given it, or our key derives it. */
  readonly isOwn: (destination: string) => boolean;
};

export type NewDeparture = Omit<Departure, 'parts'> & {
  /** Outputs of ours that it spends, where the network has outputs. */
  readonly spends: readonly string[];
  readonly block: { readonly height: bigint; readonly hash: string } | undefined;
  readonly parts: readonly (DeparturePart & { readonly isOwn: boolean })[];
};

/** In the order in which the network has them; one a transaction. */
export function decideDepartures(facts: DepartureFacts): NewDeparture[] {
  const { observation } = facts;
  const { blocks, unconfirmed, spends } = observation;
  const arrivals = [...blocks.flatMap((block) => block.arrivals), ...unconfirmed];
  const outputsOf = Map.groupBy(arrivals, ({ transaction }) => transaction);
  const blockAt = new Map(blocks.map((block) => [block.height, block]));
  const own = new Map(facts.ownOutputs);
  // After a while without us a coin comes and is spent again within one look.
  for (const { creditKey, destination, assetId, units } of arrivals) {
    if (facts.isOwn(destination)) own.set(creditKey, { assetId, units });
  }
  const found: NewDeparture[] = [];
  for (const [, [spend]] of Map.groupBy(spends, ({ transaction }) => transaction)) {
    if (spend === undefined) continue;
    const block = spend.height === undefined ? undefined : blockAt.get(spend.height);
    const departure = spendingOf(spend, outputsOf.get(spend.transaction) ?? [], own, facts);
    if (departure === undefined) continue;
    // What comes back to us may be spent again by the next transaction.
    for (const { creditKey, isOwn, ...output } of departure.parts) {
      if (isOwn) own.set(creditKey, output);
    }
    found.push({ ...departure, block: block && { height: block.height, hash: block.hash } });
  }
  return found.concat(blocks.flatMap((block) => toldIn(block, facts)));
}

function toldIn(block: Block, { isOwn }: DepartureFacts): NewDeparture[] {
  const { height, hash, departures = [] } = block;
  return departures.map((departure) => ({
    ...departure,
    spends: departure.spends ?? [],
    block: { height, hash },
    parts: departure.parts.map((part) => ({ ...part, isOwn: isOwn(part.destination) })),
  }));
}

/** Undefined when it spends nothing of ours. */
function spendingOf(
  { transaction, spends: inputs, others = [] }: Spend,
  arrivals: readonly Arrival[],
  own: ReadonlyMap<string, OwnOutput>,
  { isOwn }: DepartureFacts,
): Omit<NewDeparture, 'block'> | undefined {
  const spends = inputs.filter((input) => own.has(input));
  const first = own.get(spends[0] ?? '');
  if (first === undefined) return undefined;
  const parts = [...arrivals, ...others].map(({ creditKey, destination, assetId, units }) => ({
    creditKey,
    destination,
    assetId,
    units,
    isOwn: isOwn(destination),
  }));
  const spentUnits = sumOf(spends.map((input) => own.get(input)!));
  const paidUnits = sumOf(parts);
  // Who else pays in it pays its fee as well: nobody can say which part of it is ours.
  const isAlone = spends.length === inputs.length && spentUnits >= paidUnits;
  const feeUnits = isAlone ? spentUnits - paidUnits : undefined;
  return { transaction, spends, fee: { assetId: first.assetId, units: feeUnits }, parts };
}

function sumOf(amounts: readonly { readonly units: bigint }[]): bigint {
  return amounts.reduce((sum, { units }) => sum + units, 0n);
}
