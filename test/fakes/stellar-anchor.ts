// An anchor on loopback, over https, that issues an asset on the fake network (SEP-1, SEP-10, SEP-6,
// SEP-12). Its challenges are built and signed by the official library; it can be told to lie. Answers:
// the examples of these documents.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  Account,
  type Keypair,
  Memo,
  Operation,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { selfSignedCertificate, selfSignedKey } from '#test/support/self-signed.ts';
import {
  answerCustomer,
  type FakeCustomers,
  missingFields,
  refusedDeposit,
} from './anchor-customers.ts';
import { assetOf, type FakeRecord, type FakeStellar, unitsText } from './stellar-ledger.ts';

export type AnchorTransferRecord = {
  id: string;
  account: string;
  memo: string;
  record: FakeRecord;
  /** What was asked for, as it came. */
  query: Record<string, string>;
};
/** What a challenge is made of; a test changes one thing. */
export type ChallengeParts = {
  source: Keypair;
  sequence: string;
  minTime: number;
  maxTime: number;
  memo: Memo;
  signers: Keypair[];
  operations: ReturnType<typeof Operation.manageData>[];
  passphrase: string;
};

export type FakeAnchor = {
  /** Home domain, with its port. */
  readonly domain: string;
  readonly port: number;
  readonly assetId: string;
  readonly signingKey: Keypair;
  readonly transfers: AnchorTransferRecord[];
  readonly asked: string[];
  readonly logins: { count: number };
  /** Where customers are told to pay. */
  address: string;
  /** What has to be told beside the address: a tag. */
  tag: string | undefined;
  /** Fees and limits, of /info and of each deposit; a test sets what is published. */
  terms: FakeRecord;
  depositTerms: FakeRecord;
  /** Wants to know its customers, where it is set. */
  customers: FakeCustomers | undefined;
  toml: (text: string) => string;
  challenge: (parts: ChallengeParts) => ChallengeParts;
  /** Changes an answer; a status other than 200 where it gives one. */
  change: (path: string, json: FakeRecord) => FakeRecord & { httpStatus?: number };
  /** The customer has paid the anchor on the other network. */
  receive(transfer: AnchorTransferRecord, amount: string, externalTransaction: string): void;
  /** The anchor pays the account on Stellar. */
  release(transfer: AnchorTransferRecord, units: bigint): string;
  close(): Promise<void>;
};

export type FakeAnchorOptions = {
  readonly stellar: FakeStellar;
  readonly issuer: Keypair;
  readonly code: string;
  readonly now: () => Temporal.Instant;
};

export async function startFakeAnchor(options: FakeAnchorOptions): Promise<FakeAnchor> {
  const { stellar, issuer, code } = options;
  setDefaultCACertificates([...getCACertificates('default'), selfSignedCertificate]);
  const server = createServer(
    { key: selfSignedKey, cert: selfSignedCertificate },
    (request, response) => {
      void answer(request, response);
    },
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const domain = `shop.test:${port}`;
  const tokens = new Set<string>();
  const fake: FakeAnchor = {
    domain,
    port,
    assetId: `${code}:${issuer.publicKey()}`,
    signingKey: issuer,
    transfers: [],
    asked: [],
    logins: { count: 0 },
    address: '',
    tag: undefined,
    terms: {},
    depositTerms: {},
    customers: undefined,
    toml: (text) => text,
    challenge: (parts) => parts,
    change: (_, json) => json,
    receive(transfer, amount, externalTransaction) {
      const { record } = transfer;
      Object.assign(record, { status: 'pending_anchor', amount_in: amount });
      record.external_transaction_id = externalTransaction;
    },
    release(transfer, units) {
      const asset = assetOf(fake.assetId);
      const destination = transfer.account;
      const payment = Operation.payment({ destination, asset, amount: unitsText(units) });
      const hash = stellar.send([payment], { from: issuer, memo: Memo.text(transfer.memo) });
      stellar.close();
      Object.assign(transfer.record, { status: 'completed', stellar_transaction_id: hash });
      return hash;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `https://${domain}`);
    fake.asked.push(`${request.method} ${url.pathname}`);
    if (url.pathname === '/.well-known/stellar.toml') {
      response.end(fake.toml(tomlOf(fake, stellar, domain)));
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const made = await jsonFor(request, url, Buffer.concat(parts).toString());
    const { httpStatus = 200, ...json } = fake.change(url.pathname, made);
    response.writeHead(httpStatus, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  }

  async function jsonFor(
    request: IncomingMessage,
    { pathname, searchParams }: URL,
    body: string,
  ): Promise<FakeRecord & { httpStatus?: number }> {
    if (pathname === '/auth' && request.method === 'GET') {
      const client = searchParams.get('account') ?? '';
      const parts = fake.challenge(challengeParts(fake, options, client));
      return { transaction: challengeText(parts), network_passphrase: stellar.passphrase };
    }
    if (pathname === '/auth') {
      const { transaction } = JSON.parse(body) as { transaction: string };
      const opened = TransactionBuilder.fromXDR(transaction, stellar.passphrase);
      const isSigned = opened instanceof Transaction && opened.signatures.length === 2;
      if (!isSigned) return { httpStatus: 400, error: 'not signed' };
      fake.logins.count += 1;
      const token = `token.${randomBytes(8).toString('hex')}`;
      tokens.add(token);
      return { token };
    }
    if (pathname === '/sep6/info') return infoOf(code, fake.terms);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (!tokens.has(token)) return { httpStatus: 403, type: 'authentication_required' };
    const { customers } = fake;
    if (pathname === '/kyc/customer') {
      if (customers === undefined) return { httpStatus: 404, error: 'no such service' };
      return answerCustomer(customers, request.method, body);
    }
    if (pathname === '/sep6/deposit') {
      const refused = customers?.gate === 'deposit' ? refusedDeposit(customers) : undefined;
      return refused ?? startDeposit(fake, searchParams);
    }
    const found = fake.transfers.find(({ id }) => id === searchParams.get('id'));
    if (found !== undefined && customers !== undefined && isToldEnough(customers)) {
      const { record } = found;
      if (record.status === 'pending_customer_info_update') {
        Object.assign(record, { status: 'pending_user_transfer_start', ...payeeOf(fake) });
      }
    }
    return found ? { transaction: found.record } : { httpStatus: 404, error: 'not found' };
  }
  return fake;
}

function tomlOf({ assetId, signingKey }: FakeAnchor, stellar: FakeStellar, domain: string): string {
  const [code, issuer] = assetId.split(':');
  return [
    'VERSION = "2.5.0"',
    `NETWORK_PASSPHRASE = "${stellar.passphrase}"`,
    `SIGNING_KEY = "${signingKey.publicKey()}"`,
    `WEB_AUTH_ENDPOINT = "https://${domain}/auth"`,
    `TRANSFER_SERVER = "https://${domain}/sep6/"`,
    `KYC_SERVER = "https://${domain}/kyc"`,
    '',
    '[[CURRENCIES]]',
    `code = "${code}"`,
    `issuer = "${issuer}"`,
    'is_asset_anchored = true',
    'anchor_asset_type = "crypto"',
    '',
  ].join('\n');
}

function isToldEnough(customers: FakeCustomers): boolean {
  return missingFields(customers).length === 0 && customers.verdict === 'ACCEPTED';
}

function infoOf(code: string, terms: FakeRecord): FakeRecord {
  const facts = { enabled: true, authentication_required: true, fee_fixed: 0 };
  return {
    deposit: { [code]: { ...facts, ...terms } },
    withdraw: {},
    fee: { enabled: false },
    transactions: { enabled: true, authentication_required: true },
    transaction: { enabled: true, authentication_required: true },
  };
}

function startDeposit(fake: FakeAnchor, query: URLSearchParams): FakeRecord {
  const id = randomBytes(8).toString('hex');
  const [account = '', memo = ''] = [query.get('account') ?? '', query.get('memo') ?? ''];
  const isLater = fake.customers?.gate === 'transfer' && !isToldEnough(fake.customers);
  const status = isLater ? 'pending_customer_info_update' : 'pending_user_transfer_start';
  const record = { id, kind: 'deposit', status };
  fake.transfers.push({ id, account, memo, record, query: Object.fromEntries(query) });
  if (isLater) return { id, ...fake.depositTerms };
  return { ...payeeOf(fake), id, eta: 600, ...fake.depositTerms };
}

function payeeOf({ address, tag }: FakeAnchor): FakeRecord {
  return {
    how: `Make a payment to the address ${address}`,
    instructions: {
      'organization.crypto_address': { value: address, description: 'Address' },
      ...(tag === undefined ? {} : { 'organization.crypto_memo': { value: tag } }),
    },
  };
}

function challengeParts(
  { domain, signingKey }: FakeAnchor,
  { now, stellar }: FakeAnchorOptions,
  client: string,
): ChallengeParts {
  const seconds = Math.floor(now().epochMilliseconds / 1000);
  const server = signingKey.publicKey();
  return {
    source: signingKey,
    sequence: '-1',
    minTime: seconds,
    maxTime: seconds + 900,
    memo: Memo.none(),
    signers: [signingKey],
    operations: [
      Operation.manageData({
        source: client,
        name: `${domain} auth`,
        value: randomBytes(48).toString('base64'),
      }),
      Operation.manageData({ source: server, name: 'web_auth_domain', value: domain }),
    ],
    passphrase: stellar.passphrase,
  };
}

export function challengeText(parts: ChallengeParts): string {
  const account = new Account(parts.source.publicKey(), parts.sequence);
  const builder = new TransactionBuilder(account, {
    fee: '100',
    networkPassphrase: parts.passphrase,
    timebounds: { minTime: parts.minTime, maxTime: parts.maxTime },
    memo: parts.memo,
  });
  for (const operation of parts.operations) builder.addOperation(operation);
  const challenge = builder.build();
  challenge.sign(...parts.signers);
  return challenge.toEnvelope().toXDR('base64');
}
