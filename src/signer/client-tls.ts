// TLS to a signer on another machine: the client shows a certificate, and believes the signer by an
// authority. Files are read for each question, so what is renewed counts at once. Whatever is wrong
// is one sentence that names the setting.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

export type TlsPlace = {
  readonly host: string;
  readonly port: number;
  /** Paths of PEM files: the client's own, and the authority of the signer's certificate. */
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly authorityFile: string;
  /** In the signer's certificate, where it is another one than the host. */
  readonly serverName?: string | undefined;
};

/** Whose clock says whether the client's own certificate has expired. */
export type Now = () => Temporal.Instant;

/** @throws Error with a sentence of what is wrong with the files. */
export function connectOverTls(place: TlsPlace, now: Now | undefined): TLSSocket {
  const { host, port, serverName } = place;
  const name = serverName === undefined ? {} : { servername: serverName };
  return connect({ host, port, minVersion: 'TLSv1.3', ...readFiles(place, now), ...name });
}

function readFiles(
  { keyFile, certificateFile, authorityFile }: TlsPlace,
  now: Now | undefined,
): Pick<ConnectionOptions, 'key' | 'cert' | 'ca'> {
  requirePrivate(keyFile);
  const key = readPem('SIGNER_KEY_FILE', keyFile, createPrivateKey, 'private key');
  const cert = readPem('SIGNER_CERTIFICATE_FILE', certificateFile, toCertificate, 'certificate');
  const ca = readPem('SIGNER_AUTHORITY_FILE', authorityFile, toCertificate, 'certificate');
  if (!cert.read.checkPrivateKey(key.read)) {
    throw new Error(`SIGNER_KEY_FILE: ${keyFile} is not the key of ${certificateFile}`);
  }
  const until = cert.read.validToDate.getTime();
  if (now !== undefined && until < now().epochMilliseconds) {
    const ended = cert.read.validTo;
    throw new Error(`SIGNER_CERTIFICATE_FILE: ${certificateFile} expired at ${ended}: renew it`);
  }
  return { key: key.text, cert: cert.text, ca: ca.text };
}

const toCertificate = (text: string) => new X509Certificate(text);

function readPem<Read>(setting: string, path: string, read: (text: string) => Read, what: string) {
  const text = readText(setting, path);
  try {
    return { text, read: read(text) };
  } catch (cause) {
    throw new Error(`${setting}: ${path} holds no ${what} in PEM`, { cause });
  }
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${setting}: ${path} cannot be read (${codeOf(cause)})`, { cause });
  }
}

const OTHERS = 0o077;

/** @throws Error when others than its owner may read the key. */
function requirePrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if (platform() === 'win32' || (mode & OTHERS) === 0) return;
  const shown = (mode & 0o777).toString(8);
  throw new Error(`SIGNER_KEY_FILE: ${path} is open to others (mode 0${shown}): chmod 600 it`);
}

/** Why the connection failed, in a sentence. */
export function tlsFault(error: Error, { host, port, serverName = host }: TlsPlace): Error {
  const code = codeOf(error);
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return new Error(sentence(serverName), { cause: error });
  if (code === 'ECONNREFUSED') return new Error(`nobody listens at ${host}:${port}`);
  return error;
}

const unknown = () =>
  "the signer's certificate is by no authority of SIGNER_AUTHORITY_FILE: give that one";
/** Node's words for what OpenSSL finds. */
const SENTENCES: Readonly<Record<string, (name: string) => string>> = {
  CERT_HAS_EXPIRED: () => "the signer's certificate has expired: renew it where the signer runs",
  CERT_NOT_YET_VALID: () => "the signer's certificate is not valid yet: compare the clocks",
  ERR_TLS_CERT_ALTNAME_INVALID: (name) =>
    `the signer's certificate is for another name than ${name}: SIGNER_SERVER_NAME says which`,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknown,
  SELF_SIGNED_CERT_IN_CHAIN: unknown,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknown,
  UNABLE_TO_GET_ISSUER_CERT: unknown,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknown,
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
