import { Outage, Refusal } from '#base/refusal.ts';

/**
 * An Outage of the named chain that says in one sentence what is wrong. `cause`: the error that led
 * to it, or more words for the operator.
 */
export function nodeOutage(what: string, sentence: string, cause?: unknown): Outage {
  const words = cause instanceof Error ? wordsOf(cause) : cause;
  const reason = typeof words === 'string' ? `${sentence}: ${words}` : sentence;
  return new Outage(what, { cause: new Error(reason, { cause }) });
}

/** A node that works and is not there yet; the sentence says how far it is. */
export function catchingUp(what: string, sentence: string): Outage {
  const cause = new Error(`${sentence}; it goes on by itself, nothing is to be done but wait`);
  return new Outage(what, { cause, endsByItself: true });
}

/** A node is not of the chain that the settings say; the sentence names both. */
export function anotherChain(sentence: string): Refusal {
  return new Refusal('mismatch', 'node_of_another_chain', sentence);
}

/** What the operator has to do, where the error of the connection would not tell it. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there; is it running, and is the port right?',
  ENOTFOUND: 'its host name is not known; look at the address in the settings',
  EPROTO: 'it does not speak TLS there: write http:// instead of https://, or another port',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name than the settings have',
};
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

function wordsOf(cause: Error): string {
  const code = 'code' in cause ? String(cause.code) : '';
  const sentence = UNTRUSTED.has(code)
    ? 'its certificate is signed by nobody we know: let NODE_EXTRA_CA_CERTS name the file of its authority'
    : (SENTENCES[code] ?? (code.startsWith('ERR_SSL_') ? SENTENCES.EPROTO : undefined));
  return sentence === undefined ? cause.message : `${sentence} (${cause.message})`;
}
