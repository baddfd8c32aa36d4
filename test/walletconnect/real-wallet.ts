// A wallet as wallets are built: the public @walletconnect/sign-client, the last version of it under the
// Apache licence, over a relay on loopback. What its owner agrees to is signed by a key of the node.

import { createRequire } from 'node:module';
import type { WalletConnectRelay } from '#test/fakes/walletconnect-relay.ts';
import type { AnvilNode } from '#test/nodes/anvil-node.ts';

export type Owner = {
  /** CAIP-10, in the place of his account on the chain that is asked for. */
  readonly accounts?: readonly string[];
  readonly refuses?: 'proposal' | 'payment';
  /** What the wallet answers in the place of paying. */
  readonly answers?: string;
  /** He ends the session when he is asked to pay. */
  readonly ends?: boolean;
  /** Happens before he says anything. */
  readonly meanwhile?: () => void;
};

export type RealWallet = {
  readonly hashes: string[];
  /** What it was asked to send. */
  readonly asked: { readonly chainId: string; readonly call: Call }[];
  /** Sessions that the page has ended. */
  readonly ended: string[];
  /** As if its owner had scanned the code. */
  scan(link: string, owner?: Owner): Promise<void>;
  openSessions(): number;
};

type Call = { readonly from: string; readonly to: string; readonly value?: string };
type Proposal = {
  readonly id: number;
  readonly params: {
    readonly proposer: { readonly metadata: { readonly name: string; readonly url: string } };
    readonly optionalNamespaces: { readonly eip155: { readonly chains: readonly string[] } };
  };
};
type Request = {
  readonly id: number;
  readonly topic: string;
  readonly params: { readonly chainId: string; readonly request: { readonly params: [Call] } };
};
type Client = {
  on(name: 'session_proposal', hear: (event: Proposal) => void): void;
  on(name: 'session_request', hear: (event: Request) => void): void;
  on(name: 'session_delete', hear: (event: { readonly topic: string }) => void): void;
  approve(options: object): Promise<unknown>;
  reject(options: object): Promise<void>;
  respond(options: object): Promise<void>;
  disconnect(options: object): Promise<void>;
  readonly core: {
    readonly pairing: { pair(options: { readonly uri: string }): Promise<unknown> };
  };
  readonly session: { readonly length: number };
};

// It is installed for these stories alone.
const requireFrom = createRequire(new URL('./client/package.json', import.meta.url));
const REFUSED = { code: 5000, message: 'User rejected.' };
const LEFT = { code: 6000, message: 'User disconnected.' };

/** It would ask a server of its maker whether the page is known. */
function keepFetchHome(): void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    const isHome = hostname === '127.0.0.1' || hostname === 'localhost';
    return isHome ? fetch(input, init) : Promise.reject(new Error(`${hostname} is not asked`));
  };
}

function memory() {
  const kept = new Map<string, unknown>();
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async () => [...kept],
    getItem: async (key: string) => kept.get(key),
    setItem: async (key: string, value: unknown) => void kept.set(key, value),
    removeItem: async (key: string) => void kept.delete(key),
  };
}

export async function openRealWallet(
  relay: WalletConnectRelay,
  node: AnvilNode,
): Promise<RealWallet> {
  keepFetchHome();
  const { SignClient } = requireFrom('@walletconnect/sign-client') as {
    readonly SignClient: { init(options: object): Promise<Client> };
  };
  const client = await SignClient.init({
    ...{ relayUrl: relay.url, projectId: relay.projectId, logger: 'fatal' },
    ...{ storage: memory(), telemetryEnabled: false },
    metadata: { name: 'Real Wallet', description: '', url: 'https://wallet.test', icons: [] },
  });
  const hashes: string[] = [];
  const asked: RealWallet['asked'] = [];
  const ended: string[] = [];
  let owner: Owner = {};

  client.on('session_proposal', ({ id, params }) => {
    const { chains } = params.optionalNamespaces.eip155;
    const accounts = owner.accounts ?? chains.map((chain) => `${chain}:${node.payer}`);
    owner.meanwhile?.();
    if (owner.refuses === 'proposal') return void client.reject({ id, reason: REFUSED });
    const chainsOf = accounts.map((account) => account.split(':').slice(0, 2).join(':'));
    void client.approve({
      id,
      namespaces: {
        eip155: { chains: chainsOf, accounts, methods: ['eth_sendTransaction'], events: [] },
      },
    });
  });

  const answerOf = async ({ request }: Request['params']) => {
    if (owner.refuses === 'payment') return { error: REFUSED };
    if (owner.answers !== undefined) return { result: owner.answers };
    const hash = String(await node.rpc('eth_sendTransaction', request.params[0]));
    hashes.push(hash);
    return { result: hash };
  };
  client.on('session_request', async ({ id, topic, params }) => {
    asked.push({ chainId: params.chainId, call: params.request.params[0] });
    if (owner.ends) return client.disconnect({ topic, reason: LEFT });
    owner.meanwhile?.();
    await client.respond({ topic, response: { id, jsonrpc: '2.0', ...(await answerOf(params)) } });
  });
  client.on('session_delete', ({ topic }) => ended.push(topic));

  return {
    ...{ hashes, asked, ended },
    async scan(link, next = {}) {
      owner = next;
      await client.core.pairing.pair({ uri: link });
    },
    openSessions: () => client.session.length,
  };
}
