// One session with a wallet over WalletConnect (specs.walletconnect.com, "Sign API"): it is proposed
// by a link that the wallet reads, agreed by keys that only the two ends have, asked, and ended. What
// comes in is from strangers: what is not sealed with the right key, was said before, or answers no
// question of ours changes nothing.

import {
  fromHex,
  newKeyPair,
  open,
  publicBytes,
  randomBytes,
  seal,
  sharedKey,
  toHex,
  topicOf,
} from './walletconnect-envelope.js';
import { nextId, openRelay } from './walletconnect-relay.js';

/** Numbers by which the relay knows what kind a message is, and how many seconds it keeps it. */
const KINDS = {
  wc_sessionPropose: { tag: 1100, ttl: 300, prompt: true },
  wc_sessionRequest: { tag: 1108, ttl: 300, prompt: true },
  wc_sessionDelete: { tag: 1112, ttl: 86_400 },
};
/** What a wallet may ask of us; the answer to each is "true", under the next number. */
const ASKED_TAGS = {
  wc_sessionSettle: 1102,
  wc_sessionUpdate: 1104,
  wc_sessionExtend: 1106,
  wc_sessionEvent: 1110,
  wc_sessionDelete: 1112,
  wc_sessionPing: 1114,
};
const answerMs = 300_000;
const endMs = 3000;
const BY_PAYER = { code: 6000, message: 'User disconnected.' };
const PUBLIC_KEY = /^[0-9a-f]{64}$/;

/** `kind`: 'refused', 'chain' (the wallet has none of it), 'silent', 'ended', 'late'. */
export class SessionFault extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

const inTime = (promise, ms, kind) => {
  let late;
  const end = new Promise((_resolve, reject) => {
    late = setTimeout(() => reject(new SessionFault(kind)), ms);
  });
  return Promise.race([promise, end]).finally(() => clearTimeout(late));
};

const secondsIn = (ms) => Math.floor((Date.now() + ms) / 1000);

/** CAIP-10. A wallet may name chains and accounts that nobody asked for. */
const accountsOn = (chain, namespaces) =>
  Object.values(namespaces ?? {})
    .flatMap(({ accounts }) => (Array.isArray(accounts) ? accounts : []))
    .filter((account) => typeof account === 'string' && account.startsWith(`${chain}:`))
    .map((account) => account.slice(chain.length + 1))
    .filter((address) => /^0x[0-9a-fA-F]{40}$/.test(address));

/** Errors of a wallet about a proposal: 5100 to 5104 say that it has no such chain or method. */
const refusalOf = ({ code } = {}) =>
  new SessionFault(code >= 5100 && code <= 5104 ? 'chain' : 'refused');

const newSession = ({ chain, responder, settled, ask, answer }) => {
  const questions = new Map();
  const session = { wallet: '', accounts: [] };
  let isSettled = false;
  let isEnded = false;

  const endAll = () => {
    isEnded = true;
    settled.reject(new SessionFault('ended'));
    for (const { reject } of questions.values()) reject(new SessionFault('ended'));
  };

  const settle = ({ controller, namespaces }) => {
    if (isSettled || controller?.publicKey !== responder) return;
    isSettled = true;
    // A text of a stranger: short, and shown as text alone.
    session.wallet = String(controller.metadata?.name ?? '')
      .trim()
      .slice(0, 40);
    session.accounts = accountsOn(chain, namespaces);
    settled.resolve(session);
  };

  const take = ({ id, method, params, result, error }) => {
    if (!method) {
      const question = questions.get(id);
      if (error) question?.reject(error);
      else question?.resolve(result);
      return;
    }
    if (!Object.hasOwn(ASKED_TAGS, method)) return;
    if (method === 'wc_sessionSettle') settle(params);
    if (method === 'wc_sessionUpdate') session.accounts = accountsOn(chain, params.namespaces);
    if (method === 'wc_sessionDelete') endAll();
    answer({ id, jsonrpc: '2.0', result: true }, { tag: ASKED_TAGS[method] + 1, ttl: 300 });
  };

  /** @throws what the wallet says instead of an answer: an error with a `code`. */
  session.request = async (method, params) => {
    if (isEnded) throw new SessionFault('ended');
    const id = nextId();
    const question = Promise.withResolvers();
    question.promise.catch(() => undefined);
    questions.set(id, question);
    const expiryTimestamp = secondsIn(answerMs);
    const request = { method, params, expiryTimestamp };
    await ask('wc_sessionRequest', { request, chainId: chain }, id);
    return inTime(question.promise, answerMs, 'late');
  };

  session.end = async () => {
    if (isEnded) return;
    await inTime(ask('wc_sessionDelete', BY_PAYER), endMs, 'late').catch(() => undefined);
  };
  return { session, take };
};

/**
 * `chain` as CAIP-2. Gives the link that a wallet reads, and `settled`, which is the session once a
 * wallet has agreed. @throws RelayAway
 */
export const proposeSession = async ({ url, projectId, chain, methods, metadata }) => {
  /** By topic: the key, and what is done with what was said there. */
  const channels = new Map();
  const relay = await openRelay({
    url,
    projectId,
    async hear(topic, message) {
      const { key, take } = channels.get(topic);
      const said = open(key, message);
      if (said !== undefined) await take(said);
    },
  });

  const openChannel = async (key, take) => {
    const topic = await topicOf(key);
    channels.set(topic, { key, take });
    await relay.subscribe(topic);
    return topic;
  };

  const say = async (key, value, options) =>
    relay.publish(await topicOf(key), seal(key, value), options);
  const ask = (key, method, params, id = nextId()) =>
    say(key, { id, jsonrpc: '2.0', method, params }, KINDS[method]);

  const proposalId = nextId();
  const keys = await newKeyPair();
  const settled = Promise.withResolvers();
  let isAnswered = false;

  const agree = async (said) => {
    if (said.id !== proposalId || said.method || isAnswered) return;
    isAnswered = true;
    if (said.error) return settled.reject(refusalOf(said.error));
    const responder = String(said.result?.responderPublicKey);
    if (!PUBLIC_KEY.test(responder)) return settled.reject(new SessionFault('refused'));
    const key = await sharedKey(keys, fromHex(responder));
    const { session, take } = newSession({
      chain,
      responder,
      settled,
      ask: (...question) => ask(key, ...question),
      // Who has gone does not wait for it.
      answer: (value, options) => say(key, value, options).catch(() => undefined),
    });
    await openChannel(key, take);
    return session;
  };

  const key = randomBytes(32);
  const expiryTimestamp = secondsIn(answerMs);
  const propose = async () => {
    const pairing = await openChannel(key, agree);
    const proposal = {
      requiredNamespaces: {},
      optionalNamespaces: { eip155: { chains: [chain], methods, events: [] } },
      relays: [{ protocol: 'irn' }],
      proposer: { publicKey: toHex(await publicBytes(keys)), metadata },
      expiryTimestamp,
      pairingTopic: pairing,
    };
    await ask(key, 'wc_sessionPropose', proposal, proposalId);
    return `wc:${pairing}@2?relay-protocol=irn&symKey=${toHex(key)}&expiryTimestamp=${expiryTimestamp}`;
  };

  const link = await propose().catch((error) => {
    relay.close();
    throw error;
  });
  return { link, settled: inTime(settled.promise, answerMs, 'silent'), close: relay.close };
};
