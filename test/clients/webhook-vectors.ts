// Webhooks as the service signs them, and what a receiver has to say of each.
import { API_VERSIONS, FIRST_VERSION } from '#versions/api-version.ts';
import { signWebhook, webhookAuth } from '#webhook/sign-webhook.ts';

const ID = '0a1b2c3d4e5f';
const AT = 1_700_000_000;
const BODY =
  '{"eventType":"CHECKOUT_COMPLETED","data":{"checkout":{"id":"abcdefghijkl","note":"Zürich ☂ 🦊"}},' +
  `"id":"${ID}","sequence":3}`;
const API_SECRET = 'a1b2-c3d4-e5f6-g7h8-i9j0-k1l2';
const OTHER_API_SECRET = 'z9y8-x7w6-v5u4-t3s2-r1q0-p9o8';
const CURRENT = secretOf(1, 32);
const PREVIOUS = secretOf(2, 24);
const STRANGE = secretOf(3, 64);

type Expected =
  | 'good'
  | 'secret_malformed'
  | 'header_missing'
  | 'header_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'payload_malformed';

type Received = {
  readonly name: string;
  readonly payload?: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | readonly string[];
  readonly now?: number;
  readonly toleranceSeconds?: number;
  readonly outcome: Expected;
};

function secretOf(fill: number, length: number): string {
  return `whsec_${Buffer.alloc(length, fill).toString('base64')}`;
}

function signed(body = BODY, secrets = { current: CURRENT } as WebhookSecretsOf, at = AT) {
  const instant = Temporal.Instant.fromEpochMilliseconds(at * 1000);
  return signWebhook({ id: ID, body, at: instant, secrets, apiSecret: API_SECRET });
}
type WebhookSecretsOf = Parameters<typeof signWebhook>[0]['secrets'];

/** Another letter there, that is one of hexadecimal and of base64 too. */
function otherAt(text: string, at: number): string {
  const index = at < 0 ? text.length + at : at;
  const letter = text[index] === 'a' ? 'b' : 'a';
  return `${text.slice(0, index)}${letter}${text.slice(index + 1)}`;
}

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(signed()).filter(([header]) => header !== name));
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** A receiver is told in its own version: as the first calls itself, each dated one, a later one. */
const TOLD_IN = ['1', ...API_VERSIONS.filter((one) => one !== FIRST_VERSION), '2099-01-01'];

const OF_VERSIONS: readonly Received[] = TOLD_IN.map((version) => {
  const payload = BODY.replace(/\}$/, `,"apiVersion":"${version}"}`);
  return {
    ...{ name: `an event that is told in the version ${version}`, payload },
    ...{ headers: signed(payload), secret: CURRENT, outcome: 'good' },
  };
});

const STANDARD: readonly Received[] = [
  { name: 'as it is sent', headers: signed(), secret: CURRENT, outcome: 'good' },
  {
    name: 'names of headers in small letters',
    headers: lowerCased(signed()),
    secret: CURRENT,
    outcome: 'good',
  },
  {
    name: 'names of headers in capitals',
    headers: Object.fromEntries(Object.entries(signed()).map(([n, v]) => [n.toUpperCase(), v])),
    secret: CURRENT,
    outcome: 'good',
  },
  { name: 'another secret', headers: signed(), secret: STRANGE, outcome: 'signature_mismatch' },
  {
    name: 'during the overlap the new secret is enough',
    headers: signed(BODY, { current: CURRENT, previous: PREVIOUS }),
    secret: CURRENT,
    outcome: 'good',
  },
  {
    name: 'during the overlap the old secret is enough',
    headers: signed(BODY, { current: CURRENT, previous: PREVIOUS }),
    secret: PREVIOUS,
    outcome: 'good',
  },
  {
    name: 'during the overlap a third secret is not',
    headers: signed(BODY, { current: CURRENT, previous: PREVIOUS }),
    secret: STRANGE,
    outcome: 'signature_mismatch',
  },
  {
    name: 'a receiver that knows two secrets',
    headers: signed(),
    secret: [STRANGE, CURRENT],
    outcome: 'good',
  },
  {
    name: 'signatures of other versions are passed over',
    headers: { ...signed(), 'webhook-signature': `v2,AAAA ${signed()['webhook-signature']}` },
    secret: CURRENT,
    outcome: 'good',
  },
  {
    name: 'a right signature under another version is none',
    headers: {
      ...signed(),
      'webhook-signature': signed()['webhook-signature']!.replace('v1,', 'v2,'),
    },
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  {
    name: 'a changed body',
    payload: BODY.replace('abcdefghijkl', 'abcdefghijkm'),
    headers: signed(),
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  {
    name: 'a body written again',
    payload: `${BODY} `,
    headers: signed(),
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  {
    name: 'another id',
    headers: { ...signed(), 'webhook-id': '0a1b2c3d4e5g' },
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  {
    name: 'another time within the tolerance',
    headers: { ...signed(), 'webhook-timestamp': String(AT + 1) },
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  { name: 'five minutes old', headers: signed(), secret: CURRENT, now: AT + 300, outcome: 'good' },
  {
    name: 'older than five minutes',
    headers: signed(),
    secret: CURRENT,
    now: AT + 301,
    outcome: 'timestamp_too_old',
  },
  {
    name: 'five minutes ahead',
    headers: signed(),
    secret: CURRENT,
    now: AT - 300,
    outcome: 'good',
  },
  {
    name: 'more than five minutes ahead',
    headers: signed(),
    secret: CURRENT,
    now: AT - 301,
    outcome: 'timestamp_too_new',
  },
  {
    name: 'a tolerance of its own',
    headers: signed(),
    secret: CURRENT,
    now: AT + 3600,
    toleranceSeconds: 3600,
    outcome: 'good',
  },
  {
    name: 'a tolerance of its own, exceeded',
    headers: signed(),
    secret: CURRENT,
    now: AT + 11,
    toleranceSeconds: 10,
    outcome: 'timestamp_too_old',
  },
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name: `without ${name}`,
    headers: without(name),
    secret: CURRENT,
    outcome: 'header_missing' as const,
  })),
  ...['', 'soon', '1e9', '-1', '1700000000.5'].map((text) => ({
    name: `a time that is none: "${text}"`,
    headers: { ...signed(), 'webhook-timestamp': text },
    secret: CURRENT,
    outcome: text === '' ? ('header_missing' as const) : ('header_malformed' as const),
  })),
  ...[4, -3].map((at) => ({
    name: `a signature of which one letter is another: ${at < 0 ? 'the last' : 'an early one'}`,
    headers: { ...signed(), 'webhook-signature': otherAt(signed()['webhook-signature']!, at) },
    secret: CURRENT,
    outcome: 'signature_mismatch' as const,
  })),
  {
    name: 'a signature without a version',
    headers: { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(3) },
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  {
    name: 'a signature that is no base64',
    headers: { ...signed(), 'webhook-signature': 'v1,%%%' },
    secret: CURRENT,
    outcome: 'signature_mismatch',
  },
  {
    name: 'a right signature of a body that is no JSON',
    payload: 'not JSON',
    headers: signed('not JSON'),
    secret: CURRENT,
    outcome: 'payload_malformed',
  },
  { name: 'no secret at all', headers: signed(), secret: '', outcome: 'secret_malformed' },
  { name: 'a list without secrets', headers: signed(), secret: [], outcome: 'secret_malformed' },
  { name: 'a prefix alone', headers: signed(), secret: 'whsec_', outcome: 'secret_malformed' },
  {
    name: 'a secret that is no base64',
    headers: signed(),
    secret: 'whsec_%%%%',
    outcome: 'secret_malformed',
  },
  {
    name: 'a secret too short to be one',
    headers: signed(),
    secret: secretOf(4, 23),
    outcome: 'secret_malformed',
  },
];

const BY_API_SECRET: readonly Received[] = [
  {
    name: 'X-Webhook-Auth with the API secret',
    headers: signed(),
    secret: API_SECRET,
    outcome: 'good',
  },
  {
    name: 'X-Webhook-Auth alone, which carries no time',
    headers: { 'X-Webhook-Auth': webhookAuth(API_SECRET, BODY) },
    secret: API_SECRET,
    now: AT + 86_400,
    outcome: 'good',
  },
  {
    name: 'X-Webhook-Auth with another API secret',
    headers: signed(),
    secret: OTHER_API_SECRET,
    outcome: 'signature_mismatch',
  },
  ...[0, -1].map((at) => ({
    name: `X-Webhook-Auth of which one letter is another: the ${at < 0 ? 'last' : 'first'}`,
    headers: { 'X-Webhook-Auth': otherAt(webhookAuth(API_SECRET, BODY), at) },
    secret: API_SECRET,
    outcome: 'signature_mismatch' as const,
  })),
  {
    name: 'X-Webhook-Auth of a changed body',
    payload: BODY.replace('COMPLETED', 'CANCELLED'),
    headers: signed(),
    secret: API_SECRET,
    outcome: 'signature_mismatch',
  },
  {
    name: 'without X-Webhook-Auth',
    headers: without('X-Webhook-Auth'),
    secret: API_SECRET,
    outcome: 'header_missing',
  },
  {
    name: 'X-Webhook-Auth of another length',
    headers: { ...signed(), 'X-Webhook-Auth': 'abcd' },
    secret: API_SECRET,
    outcome: 'signature_mismatch',
  },
  {
    name: 'a receiver that knows secrets of both kinds',
    headers: without('X-Webhook-Auth'),
    secret: [API_SECRET, CURRENT],
    outcome: 'good',
  },
];

export function webhookVectors(): object {
  return {
    toleranceSeconds: 300,
    webhooks: [...STANDARD, ...BY_API_SECRET, ...OF_VERSIONS].map(
      ({ payload = BODY, now = AT + 2, toleranceSeconds = null, ...rest }) => ({
        ...{ name: rest.name, payload, headers: rest.headers, secret: rest.secret },
        ...{ now, toleranceSeconds, outcome: rest.outcome },
      }),
    ),
  };
}
