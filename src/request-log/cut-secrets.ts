// What is kept of a request without what opens something, and without what payers answered. Pure.
// Guarantees: of headers only those named here keep their value; of JSON no field that is called a
// secret, and no secret of ours by its form; no answers, also not in the text of an event; what
// cannot be read as JSON is not kept at all, since nobody knows what is in it.

import { type ExactJson, isJsonObject, parseExactJson, stringifyExact } from '#money/exact-json.ts';

const CUT = '(cut)';
/** Of a text that is kept, in characters. */
const KEPT_MOST = 8 * 1024;
/** Longer ones are not looked through. */
export const READ_BYTES_MOST = 64 * 1024;

/** Headers that say how something was asked and answered, and open nothing. */
const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'forwarded',
  'host',
  'idempotency-key',
  'idempotent-replayed',
  'if-none-match',
  'link',
  'origin',
  'ratelimit',
  'ratelimit-policy',
  'referer',
  'referrer-policy',
  'retry-after',
  'traceparent',
  'user-agent',
  'x-content-type-options',
  'x-digest-key',
  'x-digest-timestamp',
  'x-error-code',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-next-cursor',
  'x-origin-url',
  'x-request-id',
]);

/** Anywhere in a name, and as the whole name; both without what stands between letters. */
const SECRET_PART =
  /secret|passw|passphrase|passcode|token|authori[sz]ation|signature|cookie|credential/;
const SECRET_KEY_PART = /privatekey|mnemonic|seed|xprv|preimage|bearer/;
const SECRET_WHOLE = /^(?:otp|pin|pwd|auth|sig|hmac|mac|apikey)$/;
/** A stranger's words: they stand with the checkout alone, where they can be erased. */
const ANSWERS = /^answers$/;
const SECRET_NAMES = [SECRET_PART, SECRET_KEY_PART, SECRET_WHOLE, ANSWERS];
/** In the text of an event that stands in another text. */
const TOLD_ANSWERS = /"answers":\{(?:[^"{}]|"(?:\\.|[^"\\])*")*\}/g;

/** One a line, by name. */
export function cutHeaders(headers: Iterable<readonly [name: string, value: string]>): string {
  const lines = Array.from(headers, ([name, value]) => {
    const isShown = SHOWN_HEADERS.has(name.toLowerCase());
    return `${name.toLowerCase()}: ${isShown ? cutText(value) : CUT}`;
  });
  return keep(lines.toSorted().join('\n'));
}

/** Undefined: there is none, or it is not kept. */
export function cutBody(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const parsed = parseExactJson(text);
  return parsed.ok ? keep(stringifyExact(cutJson(parsed.value))) : undefined;
}

/** What stands after the question mark. */
export function cutQuery(query: string): string | undefined {
  if (query === '') return undefined;
  const fields = Array.from(new URLSearchParams(query), ([name, value]) => [
    name,
    isSecret(name) ? CUT : cutText(value),
  ]);
  return keep(fields.map(([name, value]) => `${name}=${value}`).join('&'));
}

/** What was found of names: those of our answers are the same few each time. */
const SECRETS = new Map<string, boolean>();
const SECRETS_MOST = 2_000;
const NAME_MOST = 40;

function isSecret(name: string): boolean {
  const known = SECRETS.get(name);
  if (known !== undefined) return known;
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const found = SECRET_NAMES.some((pattern) => pattern.test(letters));
  if (SECRETS.size >= SECRETS_MOST) SECRETS.clear();
  if (name.length <= NAME_MOST) SECRETS.set(name, found);
  return found;
}

/** The very same value where nothing of it is cut, which is most of what is answered. */
function cutJson(value: ExactJson): ExactJson {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) {
    const cut = value.map(cutJson);
    return cut.every((member, index) => member === value[index]) ? value : cut;
  }
  if (!isJsonObject(value)) return value;
  let isCut = false;
  const members = Object.entries(value);
  for (const named of members) {
    const [name, member] = named;
    const cut = member !== null && isSecret(name) ? CUT : cutJson(member);
    isCut ||= cut !== member;
    named[1] = cut;
  }
  return isCut ? Object.fromEntries(members) : value;
}

/** One of these is in whatever is cut below: few texts have any. */
const MAY_BE_CUT = /whsec_|"answers"|\/\/|[?&#;]/;

/** Our secrets by their form, and what addresses of the web may hold. */
function cutText(text: string): string {
  if (!MAY_BE_CUT.test(text)) return text;
  return text
    .replaceAll(/whsec_[\w+/=-]+/g, CUT)
    .replaceAll(TOLD_ANSWERS, `"answers":"${CUT}"`)
    .replaceAll(/(\/\/)[^/?#\s@]+@/g, `$1${CUT}@`)
    .replaceAll(/([?&#;])([\w.[\]-]+)=([^&#\s]*)/g, (whole, begin: string, name: string) =>
      isSecret(name) || /key/i.test(name) ? `${begin}${name}=${CUT}` : whole,
    );
}

function keep(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '');
  return clean.length <= KEPT_MOST ? clean : `${clean.slice(0, KEPT_MOST).toWellFormed()}…`;
}
