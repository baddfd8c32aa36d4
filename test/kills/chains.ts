// The two chains a run is made on, each a real node: how the customer pays, how blocks come, and
// what the node itself says of an order and of what is ours.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { getAddress } from 'viem/utils';
import { systemClock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { raiseNextIndex } from '#deposit/address-source.ts';
import { insertLeftOut } from '#deposit/given-out.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { addressDeriver } from '#networks/utxo/derive-address.ts';
import { descriptorChecksum, parseAddressSource } from '#networks/utxo/parse-address-source.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import type { NewKey } from '#signer/open-key.ts';
import { startAnvil } from '#test/nodes/anvil-node.ts';
import { startLitecoinNode } from '#test/nodes/litecoin-node.ts';
import type { ServerProcess, Settings } from '#test/support/server-process.ts';

export type KillChain = {
  readonly chain: ChainId;
  readonly network: string;
  readonly currency: string;
  readonly assetId: string;
  readonly decimals: number;
  readonly keys: readonly NewKey[];
  /** Watched, and given to nobody: what is paid there lies in suspense. */
  readonly strangersAddress: string;
  /** Before the service is started, where that is not said by its settings. */
  watchStrangers?(server: ServerProcess): Promise<void>;
  /** Where deposit addresses are swept to, which nobody watches; undefined where nothing is. */
  readonly collectTo?: string;
  /** Of the node itself; the service gets `settingsAt` what stands before it. */
  readonly nodeUrl: string;
  settingsAt(nodeUrl: string): Settings;
  /** The customer pays; final when this resolves. */
  fund(payments: readonly { readonly address: string; readonly amount: string }[]): Promise<void>;
  /** Of a receiver who never received anything. */
  newReceiver(): Promise<string>;
  unitsOf(amount: string): bigint;
  /** The service is told of what waits for a block. */
  readonly isSeenWaiting: boolean;
  /** Something waits to be taken into a block. */
  isWaiting(): Promise<boolean>;
  /** So many that what waits is final. */
  bury(): Promise<void>;
  /** What the receiver has been paid, in a block or not, in how many transactions. */
  received(receiver: string): Promise<{ readonly units: bigint; readonly times: number }>;
  /** At all our addresses, as of the newest block. */
  heldUnits(server: ServerProcess): Promise<bigint>;
  stop(): Promise<void>;
};

export type KillNetwork = 'litecoin' | 'anvil';

export function startChain(network: KillNetwork): Promise<KillChain> {
  return network === 'litecoin' ? startLitecoin() : startEthereum();
}

const VERSIONS = { public: 0x043587cf, private: 0x04358394 };
/** MWEB never becomes active: this node cannot mine with it. */
const WITHOUT_MWEB = '-vbparams=mweb:9999999999:9999999999999:144000:288000';
/** The first address of the shop; what is given out begins after it. */
const STRANGERS_INDEX = 0n;
/** Looked at in each branch, and more as payments come: change has an address for each. */
const ADDRESSES_AT_FIRST = 60;
const PAYMENTS_A_LOOK = 3;
const SCAN_AGAIN_MS = 20;

async function startLitecoin(): Promise<KillChain> {
  const account = HDKey.fromMasterSeed(randomBytes(32), VERSIONS).derive("m/84'/1'/0'");
  const branch = (number: number) => `wpkh(${account.publicExtendedKey}/${number}/*)`;
  const descriptor = `${branch(0)}#${descriptorChecksum(branch(0))}`;
  const node = await startLitecoinNode({ extraArguments: [WITHOUT_MWEB] });
  const secret = account.privateExtendedKey;
  const decimals = 8;
  const unitsOf = (amount: string) => requireUnits(amount, decimals);
  const source = parseAddressSource(descriptor, LITECOIN_REGTEST);
  const strangersAddress = addressDeriver(source, LITECOIN_REGTEST)(STRANGERS_INDEX);
  let looks = 0;
  return {
    ...{ chain: 'live:LITECOIN', network: 'LITECOIN', currency: 'LTC', assetId: 'LTC:NATIVE' },
    decimals,
    keys: [{ name: 'hot', environment: 'live', network: 'LITECOIN', chain: 'regtest', secret }],
    strangersAddress,
    // As an address that a database which is gone may have given out.
    watchStrangers: ({ db }) =>
      db.transact(async (tx) => {
        const now = systemClock.now();
        const name = { owner: 'live:LITECOIN', descriptor: source.descriptor } as const;
        await raiseNextIndex(tx, name, STRANGERS_INDEX + 1n, now);
        insertLeftOut(tx, 'live:LITECOIN', [strangersAddress], 'rehearsed', now);
      }),
    nodeUrl: node.rpcOptions.url,
    settingsAt: (nodeUrl) => ({
      LITECOIN_RPC_URL: nodeUrl,
      LITECOIN_CHAIN: 'regtest',
      LITECOIN_DESCRIPTOR: descriptor,
      LITECOIN_CONFIRMATIONS: '2/2/2',
      LITECOIN_FEE_RATE: '2',
    }),
    async fund(payments) {
      await node.sendOutputs(payments);
      await node.mine(2);
    },
    newReceiver: () => node.newAddress(),
    unitsOf,
    isSeenWaiting: true,
    isWaiting: async () => Number((await infoOf(node.rpc('getmempoolinfo'))).size) > 0,
    bury: async () => void (await node.mine(2)),
    async received(receiver) {
      const listed = await node.rpc('listreceivedbyaddress', 0, false, false, receiver);
      const [found] = listed as { amount: unknown; txids: string[] }[];
      if (found === undefined) return { units: 0n, times: 0 };
      return { units: unitsOf(String(found.amount)), times: found.txids.length };
    },
    async heldUnits() {
      // Change goes to the second branch, an address for each payment.
      looks += 1;
      const range = ADDRESSES_AT_FIRST + looks * PAYMENTS_A_LOOK;
      const ours = [0, 1].map((number) => ({ desc: branch(number), range }));
      // The node looks for one at a time, and the service asks as well when it starts.
      const look = async (): Promise<Record<string, unknown>> =>
        infoOf(node.rpc('scantxoutset', 'start', ours)).catch(async (error: unknown) => {
          if (!String(error).includes('already in progress')) throw error;
          await sleep(SCAN_AGAIN_MS);
          return look();
        });
      return unitsOf(String((await look()).total_amount));
    },
    stop: () => node.stop(),
  };
}

async function startEthereum(): Promise<KillChain> {
  const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'");
  const node = await startAnvil();
  const secret = account.privateExtendedKey;
  const numberOf = async (method: string, ...params: readonly unknown[]) =>
    BigInt(String(await node.rpc(method, ...params)));
  const decimals = 18;
  const unitsOf = (amount: string) => requireUnits(amount, decimals);
  const gasAccount = newAddress();
  const collectTo = newAddress();
  return {
    ...{ chain: 'live:ETHEREUM', network: 'ETHEREUM', currency: 'ETH', assetId: 'ETH:NATIVE' },
    ...{ decimals, collectTo },
    keys: [{ name: 'hot', environment: 'live', network: 'ETHEREUM', chain: 'dev', secret }],
    // What comes to the account for gas was nobody's payment.
    strangersAddress: gasAccount,
    nodeUrl: node.url,
    settingsAt: (nodeUrl) => ({
      ETHEREUM_RPC_URLS: nodeUrl,
      ETHEREUM_CHAIN: 'dev',
      ETHEREUM_XPUB: account.publicExtendedKey,
      ETHEREUM_COLLECT_TO: collectTo,
      ETHEREUM_GAS_ACCOUNT: gasAccount,
    }),
    async fund(payments) {
      for (const { address, amount } of payments) {
        await node.send({ to: address, value: unitsOf(amount) });
      }
      await node.mine(3);
    },
    newReceiver: async () => newAddress(),
    unitsOf,
    isSeenWaiting: false,
    isWaiting: async () => {
      const { pending, queued } = await infoOf(node.rpc('txpool_status'));
      return BigInt(String(pending)) + BigInt(String(queued)) > 0n;
    },
    bury: () => node.mine(3),
    async received(receiver) {
      const units = await numberOf('eth_getBalance', receiver, 'latest');
      return { units, times: units > 0n ? 1 : 0 };
    },
    async heldUnits({ db }) {
      const rows = await db.query<{ address: string }>(sql`
        select destination as address from deposit_instruction where chain = 'live:ETHEREUM'`);
      const ours = [gasAccount, ...rows.map(({ address }) => address)];
      const held = ours.map((address) => numberOf('eth_getBalance', address, 'latest'));
      return (await Promise.all(held)).reduce((sum, units) => sum + units, 0n);
    },
    stop: () => node.stop(),
  };
}

function newAddress(): string {
  return getAddress(`0x${randomBytes(20).toString('hex')}`);
}

async function infoOf(answer: Promise<unknown>): Promise<Record<string, unknown>> {
  return (await answer) as Record<string, unknown>;
}

function requireUnits(amount: string, decimals: number): bigint {
  const units = amountFromText(amount, decimals);
  assert(units !== undefined, amount);
  return units;
}
