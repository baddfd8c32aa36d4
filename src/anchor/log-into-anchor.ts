// Logs in to an anchor (SEP-10): it hands out a challenge, which is a transaction; our key signs
// it, and nothing else, ever. Guarantees: what is signed cannot be carried out (sequence 0), comes
// from the key that the anchor published, is for our key, this anchor and now, and does nothing
// but name data entries of ours and of the anchor. Anything else is not signed. The key holds no
// money and is a signer of no account that does.

import {
  type FeeBumpTransaction,
  Keypair,
  type Operation,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { type AnchorHttp, anchorOutage, requireJson } from './anchor-http.ts';

type AnchorLogin = {
  readonly http: AnchorHttp;
  readonly domain: string;
  readonly services: {
    /** Signs challenges. */
    readonly signingKey: string;
    readonly webAuthEndpoint: string;
  };
  readonly key: Keypair;
  /** Of the Stellar network. */
  readonly passphrase: string;
  readonly now: Temporal.Instant;
};

/** How far our clock and the anchor's may differ. */
const CLOCK_SECONDS = 300n;

/** The token of a session. @throws Outage when the anchor is away or its challenge is not one. */
export async function logIntoAnchor(login: AnchorLogin): Promise<string> {
  const { http, domain, services, key, passphrase } = login;
  const url = new URL(services.webAuthEndpoint);
  url.searchParams.set('account', key.publicKey());
  url.searchParams.set('home_domain', domain);
  const challenge = requireJson(await http({ url: url.href }), domain, 'challenge');
  const stated = challenge.network_passphrase;
  if (stated !== undefined && stated !== passphrase) {
    throw anchorOutage(domain, 'the challenge of the anchor is of another network');
  }
  if (typeof challenge.transaction !== 'string') {
    throw anchorOutage(domain, 'the anchor gave no challenge');
  }
  const transaction = openChallenge(challenge.transaction, login);
  const fault = challengeFault(transaction, login);
  if (fault !== undefined) {
    throw anchorOutage(domain, `the challenge of the anchor is not signed: ${fault}`);
  }
  transaction.sign(key);
  const body = { transaction: transaction.toEnvelope().toXDR('base64') };
  const answer = requireJson(await http({ url: services.webAuthEndpoint, body }), domain, 'token');
  if (typeof answer.token !== 'string' || !/^[\w.~+/=-]{1,4096}$/.test(answer.token)) {
    throw anchorOutage(domain, 'the anchor gave no token');
  }
  return answer.token;
}

function openChallenge(text: string, { passphrase, domain }: AnchorLogin): Transaction {
  let opened: Transaction | FeeBumpTransaction;
  try {
    opened = TransactionBuilder.fromXDR(text, passphrase);
  } catch {
    throw anchorOutage(domain, 'the challenge of the anchor cannot be read');
  }
  if (!(opened instanceof Transaction)) {
    throw anchorOutage(domain, 'the challenge of the anchor is a fee bump');
  }
  return opened;
}

/** Why a challenge is not to be signed (SEP-10, Challenge); undefined when it is one. */
function challengeFault(
  transaction: Transaction,
  { domain, services, key, now }: AnchorLogin,
): string | undefined {
  const { signingKey, webAuthEndpoint } = services;
  if (transaction.source !== signingKey) return 'its source is not the signing key of the anchor';
  if (transaction.sequence !== '0') return 'its sequence number is not 0';
  if (transaction.memo.type !== 'none') return 'it has a memo';
  const { minTime = '', maxTime = '0' } = transaction.timeBounds ?? {};
  const seconds = BigInt(Math.floor(now.epochMilliseconds / 1000));
  if (minTime === '' || maxTime === '0') return 'it has no time bounds';
  if (seconds + CLOCK_SECONDS < BigInt(minTime)) return 'it is not valid yet';
  if (seconds - CLOCK_SECONDS > BigInt(maxTime)) return 'it is not valid any more';
  const [first, ...others] = transaction.operations;
  if (first?.type !== 'manageData') return 'its first operation names no data entry';
  if (first.source !== key.publicKey()) return 'its first operation is not for our key';
  if (first.name !== `${domain} auth`) return 'it is for another home domain';
  if (first.value?.length !== 64) return 'its nonce has not 64 bytes';
  const fault = others.map((one) => otherFault(one, signingKey, webAuthEndpoint)).find(Boolean);
  if (fault !== undefined) return fault;
  const [signature, ...more] = transaction.signatures;
  if (signature === undefined || more.length > 0) return 'it does not have exactly one signature';
  return isSignedBy(transaction, signingKey) ? undefined : 'the anchor did not sign it';
}

function otherFault(
  operation: Operation,
  signingKey: string,
  webAuthEndpoint: string,
): string | undefined {
  if (operation.type !== 'manageData') return 'it does something else than name data entries';
  if (operation.source !== signingKey) return 'it names a data entry of somebody else';
  if (operation.name !== 'web_auth_domain') return undefined;
  const named = operation.value?.toString();
  return named === new URL(webAuthEndpoint).host ? undefined : 'it is for another login service';
}

function isSignedBy(transaction: Transaction, signingKey: string): boolean {
  const signer = Keypair.fromPublicKey(signingKey);
  return transaction.signatures.some((one) => {
    return (
      one.hint().equals(signer.signatureHint()) &&
      signer.verify(transaction.hash(), one.signature())
    );
  });
}
