// The side of the wallet of a WalletConnect session, with the keys and the cipher of OpenSSL, so that
// it shares nothing with the script of the page. It can say what no wallet says.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { waitUntil } from '#test/support/shop.ts';
import type { WalletConnectRelay } from './walletconnect-relay.ts';

export type Said = {
  readonly id: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, never>>;
  readonly result?: unknown;
};

type Proposal = {
  readonly id: number;
  readonly params: { readonly proposer: { readonly publicKey: string } };
};

/** Of SubjectPublicKeyInfo with an X25519 key (RFC 8410). */
const SPKI_START = '302a300506032b656e032100';
const CIPHER = 'chacha20-poly1305';

const topicOf = (key: Buffer) => createHash('sha256').update(key).digest('hex');
const rawOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(-32);

export function sealed(key: Buffer, value: unknown): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: 16 });
  const parts = [cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([Buffer.of(0), nonce, ...parts]).toString('base64');
}

function opened(key: Buffer, message: string): Said {
  const bytes = Buffer.from(message, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 13), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  const text = Buffer.concat([decipher.update(bytes.subarray(13, -16)), decipher.final()]);
  return JSON.parse(text.toString()) as Said;
}

export type PlayedWallet = Awaited<ReturnType<typeof readLink>>;

/** What a wallet has once it has read the link of a page. */
export async function readLink(relay: WalletConnectRelay, link: string) {
  const [, pairing = '', symKey = ''] =
    /^wc:([0-9a-f]{64})@2\?.*symKey=([0-9a-f]{64})/.exec(link) ?? [];
  const pairingKey = Buffer.from(symKey, 'hex');
  /** What the page said there under such a tag; the `at`th. */
  const hear = async (topic: string, key: Buffer, tag: number, at = 0): Promise<Said> => {
    const find = () => relay.published.filter((one) => one.topic === topic && one.tag === tag)[at];
    await waitUntil(`the page to say ${tag}`, () => find() !== undefined);
    return opened(key, find()?.message ?? '');
  };
  const proposal = (await hear(pairing, pairingKey, 1100)) as unknown as Proposal;
  const own = generateKeyPairSync('x25519');
  const theirs = createPublicKey({
    key: Buffer.from(SPKI_START + proposal.params.proposer.publicKey, 'hex'),
    format: 'der',
    type: 'spki',
  });
  const secret = diffieHellman({ privateKey: own.privateKey, publicKey: theirs });
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), Buffer.alloc(0), 32));
  const session = topicOf(key);
  const publicKey = rawOf(own.publicKey).toString('hex');
  let lastId = Date.now() * 1000;

  return {
    ...{ pairing, pairingKey, session, key, proposal, publicKey },
    /** Under the tag of an answer to a proposal. */
    answerProposal(value: object): void {
      relay.publish(
        pairing,
        sealed(pairingKey, { id: proposal.id, jsonrpc: '2.0', ...value }),
        1101,
      );
    },
    settle(accounts: readonly string[], controller = publicKey): void {
      const namespaces = {
        eip155: { accounts, methods: ['eth_sendTransaction'], events: [] },
      };
      const metadata = { name: 'Played', description: '', url: 'https://wallet.test', icons: [] };
      const params = {
        relay: { protocol: 'irn' },
        namespaces,
        expiry: 0,
        controller: { publicKey: controller, metadata },
      };
      this.ask('wc_sessionSettle', params, 1102);
    },
    agree(accounts: readonly string[]): void {
      this.answerProposal({
        result: { relay: { protocol: 'irn' }, responderPublicKey: publicKey },
      });
      this.settle(accounts);
    },
    ask(method: string, params: object, tag: number): void {
      lastId += 1;
      relay.publish(session, sealed(key, { id: lastId, jsonrpc: '2.0', method, params }), tag);
    },
    answer(id: number, value: object): string {
      const message = sealed(key, { id, jsonrpc: '2.0', ...value });
      relay.publish(session, message, 1109);
      return message;
    },
    heardRequest: (at = 0) => hear(session, key, 1108, at),
    heardEnd: () => hear(session, key, 1112),
    hearAnswer: (tag: number) => hear(session, key, tag),
  };
}
