// A wallet that lives in the browser as extensions do: it announces itself (EIP-6963), is asked as
// EIP-1193 says, and passes on to a real node what is signed there with a key of the node.
import type { BrowserContext } from 'playwright-core';
import type { AnvilNode } from '#test/nodes/anvil-node.ts';

export type WalletOptions = {
  readonly name: string;
  readonly account?: string;
  /** The chain it stands on when the page opens; otherwise that of the node. */
  readonly chainId?: string;
  /** It has to be told what the chain of the node is before it can change to it. */
  readonly lacksChain?: boolean;
  /** Its owner says no to these. */
  readonly refuses?: readonly string[];
  /** It takes no single transactions but calls (EIP-5792). */
  readonly takesCalls?: boolean;
};

export type InjectedWallet = {
  /** What it was asked, in order. */
  readonly asked: string[];
  /** What it put on the chain. */
  readonly hashes: string[];
  /** The chains it was told of. */
  readonly added: unknown[];
  use(account: string): void;
};

type Answer = { readonly result?: unknown; readonly code?: number; readonly message?: string };
type Call = { readonly to: string; readonly value?: string; readonly data?: string };

/** Runs in the page, before its own scripts. */
const ANNOUNCE = `(name) => {
  const provider = {
    async request({ method, params = [] }) {
      const { result, code, message } = await window.askWallet(method, params);
      if (code !== undefined) throw Object.assign(new Error(message), { code });
      return result;
    },
  };
  const uuid = '350670db-19fa-4704-a166-e52e178b59d2';
  const info = Object.freeze({ uuid, name, icon: 'data:,', rdns: 'test.wallet' });
  const detail = Object.freeze({ info, provider });
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}`;

const REFUSED = { code: 4001, message: 'User rejected the request.' };

export async function injectWallet(
  context: BrowserContext,
  node: AnvilNode,
  options: WalletOptions,
): Promise<InjectedWallet> {
  const ownChain = String(await node.rpc('eth_chainId'));
  const asked: string[] = [];
  const hashes: string[] = [];
  const added: unknown[] = [];
  let account = options.account ?? node.payer;
  let chainId = options.chainId ?? ownChain;
  let knowsChain = options.lacksChain !== true;

  async function send(call: Call): Promise<string> {
    const { to, value = '0x0', data } = call;
    const transaction = { from: account, to, value, ...(data === undefined ? {} : { data }) };
    const hash = String(await node.rpc('eth_sendTransaction', transaction));
    hashes.push(hash);
    return hash;
  }

  async function answer(method: string, params: readonly unknown[]): Promise<Answer> {
    asked.push(method);
    if (options.refuses?.includes(method)) return REFUSED;
    const [first] = params;
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [account] };
      case 'eth_chainId':
        return { result: chainId };
      case 'wallet_switchEthereumChain': {
        const wanted = (first as { chainId: string }).chainId;
        if (wanted === ownChain && !knowsChain) {
          return { code: 4902, message: `Unrecognized chain ID "${wanted}".` };
        }
        chainId = wanted;
        return { result: null };
      }
      case 'wallet_addEthereumChain':
        knowsChain = true;
        added.push(first);
        return { result: null };
      case 'eth_getBalance':
      case 'eth_call':
        return { result: await node.rpc(method, ...params) };
      case 'eth_sendTransaction': {
        if (options.takesCalls) return { code: 4200, message: 'not supported' };
        const sent = first as Call & { readonly from: string; readonly chainId: string };
        if (sent.chainId !== chainId) return { code: -32602, message: 'another chain' };
        if (sent.from !== account) return { code: 4100, message: 'another account' };
        return { result: await send(sent) };
      }
      case 'wallet_sendCalls': {
        const { calls } = first as { readonly calls: readonly Call[] };
        for (const call of calls) await send(call);
        return { result: { id: '0x01' } };
      }
      default:
        return { code: -32601, message: `${method} is not known` };
    }
  }

  await context.exposeFunction('askWallet', (method: string, params: readonly unknown[]) =>
    answer(method, params),
  );
  await context.addInitScript({ content: `(${ANNOUNCE})(${JSON.stringify(options.name)})` });
  return {
    asked,
    hashes,
    added,
    use(next) {
      account = next;
    },
  };
}
