// The relay that passes on what two ends of a WalletConnect session say (specs.walletconnect.com,
// "Relay Server RPC" and "Relay Client Auth"): JSON-RPC over a websocket. It learns who talks when,
// and nothing of what. On a telephone the browser sleeps while the wallet is open: the connection
// comes back by itself, and what was said meanwhile is fetched.

import { randomBytes, toBase64, toHex } from './walletconnect-envelope.js';

const { subtle } = crypto;
/** Also how long somebody waits before he is told that there is no way. */
const answerMs = 15_000;
const againMs = 1000;
const AGAIN_MS_MOST = 5000;
const DAY_SECONDS = 86_400;
/** How a relay closes the connection of a project that it does not know. */
const UNAUTHORIZED = 3000;
/** Of an Ed25519 key (multicodec, W3C did:key). */
const KEY_MARK = [0xed, 0x01];
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The relay does not answer, or answers with an error. */
export class RelayAway extends Error {}

const base58 = (bytes) => {
  let number = BigInt(`0x${toHex(bytes)}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)] + text;
  return text;
};

const base64Url = (bytes) =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Who asks: a key that this page made for itself and forgets with it. */
export const relayToken = async ({ publicKey, privateKey }, url, nowSeconds) => {
  const raw = new Uint8Array(await subtle.exportKey('raw', publicKey));
  const claims = {
    iss: `did:key:z${base58([...KEY_MARK, ...raw])}`,
    sub: toHex(randomBytes(32)),
    aud: url,
    iat: nowSeconds,
    exp: nowSeconds + DAY_SECONDS,
  };
  const part = (value) => base64Url(new TextEncoder().encode(JSON.stringify(value)));
  const text = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`;
  const signature = await subtle.sign('Ed25519', privateKey, new TextEncoder().encode(text));
  return `${text}.${base64Url(new Uint8Array(signature))}`;
};

let lastId = 0;
/** Rises, and two pages seldom have the same. */
export const nextId = () => {
  lastId = Math.max(lastId + 1, Date.now() * 1000 + Math.floor(Math.random() * 1000));
  return lastId;
};

/** `hear(topic, message)` is called once for each message, one after the other. */
export const openRelay = async ({ url, projectId, hear }) => {
  const keys = await subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const topics = new Set();
  const waiting = new Map();
  const heard = new Set();
  let socket;
  let isClosed = false;
  let isAgain = false;
  let pauseMs = againMs;
  let hearing = Promise.resolve();

  const close = (why) => {
    isClosed = true;
    for (const { reject } of [...waiting.values()]) reject(new RelayAway(why));
    socket?.close();
  };

  const send = (value) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(value));
  };

  /** Sent again on the next connection when this one breaks. @throws RelayAway */
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new RelayAway('closed'));
      const question = { id: nextId(), jsonrpc: '2.0', method, params };
      const end = (settle, value) => {
        clearTimeout(late);
        waiting.delete(question.id);
        settle(value);
      };
      const late = setTimeout(() => end(reject, new RelayAway(`${method}: silent`)), answerMs);
      waiting.set(question.id, {
        question,
        resolve: (value) => end(resolve, value),
        reject: (error) => end(reject, error),
      });
      send(question);
    });

  const take = ({ topic, message }) => {
    // A relay may say the same twice, and somebody else may say it again.
    const mark = `${topic} ${message}`;
    if (!topics.has(topic) || heard.has(mark)) return;
    heard.add(mark);
    hearing = hearing.then(() => hear(topic, message)).catch(() => undefined);
  };

  const receive = (text) => {
    const { id, method, params, result, error } = JSON.parse(text);
    if (method === 'irn_subscription') {
      send({ id, jsonrpc: '2.0', result: true });
      return take(params.data);
    }
    if (error) return waiting.get(id)?.reject(new RelayAway(error.message));
    if (!method) waiting.get(id)?.resolve(result);
  };

  const hearAgain = async () => {
    const list = [...topics];
    const { messages } = await ask('irn_batchFetchMessages', { topics: list });
    await ask('irn_batchSubscribe', { topics: list });
    for (const message of messages ?? []) take(message);
  };

  const connect = async () => {
    const address = new URL(url);
    address.searchParams.set('auth', await relayToken(keys, url, Math.floor(Date.now() / 1000)));
    address.searchParams.set('projectId', projectId);
    if (isClosed) return;
    socket = new WebSocket(address);
    const mine = socket;
    mine.addEventListener('open', () => {
      pauseMs = againMs;
      const left = [...waiting.values()];
      if (isAgain) hearAgain().catch(() => mine.close());
      isAgain = true;
      for (const { question } of left) send(question);
    });
    mine.addEventListener('message', ({ data }) => {
      try {
        receive(data);
      } catch {
        // What is no message of a relay is not heard.
      }
    });
    mine.addEventListener('close', ({ code, reason }) => {
      if (isClosed || mine !== socket) return;
      if (code === UNAUTHORIZED) return close(reason);
      setTimeout(connect, pauseMs);
      pauseMs = Math.min(AGAIN_MS_MOST, pauseMs * 2);
    });
  };

  await connect();
  return {
    async subscribe(topic) {
      // What was said before comes with the answer, or in front of it.
      topics.add(topic);
      await ask('irn_subscribe', { topic });
    },
    publish: (topic, message, options) => ask('irn_publish', { topic, message, ...options }),
    close: () => close('closed'),
  };
};
