// The wallet of Bitcoin Core or Litecoin Core as somebody who signs. It is given a PSBT and gives
// one back; whether that is what was drafted is decided where it is read (read-signed-psbt.ts). It
// signs whatever it is asked for that it has the keys of: the caps are the service's own.
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { NodeWallet } from '#deposit/money-out.ts';
import { type Fields, NodeLie, RpcFailure, requireFields } from '#networks/answer-fields.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type CoreRpc, RPC_METHOD_MISSING } from './json-rpc.ts';

type CoreWallet = Pick<NodeWallet, 'setting' | 'caps'> & {
  readonly rpc: Pick<CoreRpc, 'call'>;
  readonly chain: ChainId;
  readonly name: string;
};

type Asked = { readonly answer: Fields } | { readonly refused: string };

const KEYS_MISSING =
  'has not the keys of all that is spent: import the private half of the descriptor';

/** rpc/protocol.h of Bitcoin Core. */
const RPC_WALLET_UNLOCK_NEEDED = -13;
const RPC_WALLET_NOT_FOUND = -18;

export function coreWallet({ rpc, chain, name, setting, caps }: CoreWallet): NodeWallet {
  /** What the wallet says, or what the operator has to do. */
  const ask = async (method: string, params: readonly unknown[]): Promise<Asked> => {
    try {
      return { answer: requireFields(await rpc.call(method, params), method) };
    } catch (error) {
      if (error instanceof NodeLie) throw nodeOutage(chain, 'the wallet of the node', error);
      if (!(error instanceof RpcFailure)) throw error;
      const refused = adviceFor(error, name, setting);
      if (refused === undefined) throw nodeOutage(chain, 'the wallet of the node refuses', error);
      return { refused };
    }
  };
  return {
    setting,
    caps,
    async sign(unsigned) {
      // It signs, and finalises by itself (`finalize` of newer ones is true unless said otherwise).
      const asked = await ask('walletprocesspsbt', [unsigned, true]);
      if ('refused' in asked) return asked;
      const { complete, psbt } = asked.answer;
      if (typeof psbt !== 'string') throw nodeOutage(chain, 'the wallet gave no PSBT');
      if (complete === true) return { signed: psbt };
      // Older ones do not say that they are locked.
      const state = await ask('getwalletinfo', []);
      if ('refused' in state) return state;
      const isLocked = state.answer.unlocked_until === 0;
      return { refused: isLocked ? locked(name) : `the wallet ${name} ${KEYS_MISSING}` };
    },
    async check() {
      const asked = await ask('getwalletinfo', []);
      if ('refused' in asked) throw new Refusal('conflict', 'wallet_refuses', asked.refused);
      const { private_keys_enabled: hasKeys, unlocked_until: unlockedUntil } = asked.answer;
      if (hasKeys === false) {
        throw new Refusal('conflict', 'wallet_refuses', `the wallet ${name} holds no private keys`);
      }
      if (unlockedUntil === 0) throw new Refusal('conflict', 'wallet_refuses', locked(name));
      return `the node's wallet ${name}`;
    },
  };
}

function adviceFor({ code }: RpcFailure, name: string, setting: string): string | undefined {
  switch (code) {
    case RPC_WALLET_UNLOCK_NEEDED:
      return locked(name);
    case RPC_WALLET_NOT_FOUND:
      return `the node has no wallet ${name} loaded: loadwallet "${name}", or correct ${setting}`;
    case RPC_METHOD_MISSING:
      return 'the node runs without wallets (disablewallet): start it with them';
    default:
      return undefined;
  }
}

function locked(name: string): string {
  return (
    `the wallet ${name} is locked: unlock it for as long as it is to send ` +
    `(-rpcwallet=${name} walletpassphrase "…" SECONDS)`
  );
}
