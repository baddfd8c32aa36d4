// What a look at LND costs: 1,000 open invoices of ours, 20 of them paid since, against fetching and
// parsing the same answers and doing nothing with them.

import { createHash, randomBytes } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import type { Reader } from '#db/db.ts';
import { openHttpClient } from '#networks/http-client.ts';
import { NODE_LIMITS } from '#networks/lightning/lightning-backend.ts';
import { LIGHTNING_CHAINS } from '#networks/lightning/lightning-chain.ts';
import { lightningNetwork } from '#networks/lightning/lightning-network.ts';
import { lndBackend } from '#networks/lightning/lnd-backend.ts';
import { firstBlock } from '#networks/lightning/settlement-block.ts';
import { serveCanned } from './canned-answers.ts';
import { type Figure, figureOf, timeInTurns } from './measure.ts';

const INVOICES = 1_000;
const PAID = 20;
const TURNS = { runs: 45, warmUps: 15 };
const AIM = { atMost: 1.5 };
const INFO = '/v1/getinfo';
const LIST = `/v1/invoices?index_offset=0&num_max_invoices=${INVOICES}&reversed=false`;
const END = `/v1/invoices?index_offset=${INVOICES}&num_max_invoices=${INVOICES}&reversed=false`;

export async function measureLightning(): Promise<Figure[]> {
  const made = Array.from({ length: INVOICES }, (_, index) => makeInvoice(index + 1));
  const bodies = {
    [INFO]: {
      version: '0.20.0-beta',
      identity_pubkey: `02${'ab'.repeat(32)}`,
      synced_to_chain: true,
      chains: [{ chain: 'bitcoin', network: 'regtest' }],
    },
    [LIST]: { invoices: made.map(({ invoice }) => invoice) },
    [END]: { invoices: [] },
  };
  const canned = await serveCanned(
    Object.fromEntries(
      Object.entries(bodies).map(([path, body]) => [
        path,
        { body: JSON.stringify(body), headers: {} },
      ]),
    ),
  );
  const unpaid = made.map(({ paymentHash }) => ({
    destination: paymentHash,
    createdAt: systemClock.now(),
  }));
  // The database is measured elsewhere (match, credit).
  const db = { query: async () => unpaid } as Reader;
  const what = 'live:LIGHTNING';
  const http = openHttpClient({ ...NODE_LIMITS, what, url: canned.url });
  const parameters = LIGHTNING_CHAINS.regtest;
  const macaroon = new Uint8Array(32);
  const backend = lndBackend({ http, macaroon, clock: systemClock });
  const options = { chain: what, parameters, backend, address: 'bench', db } as const;
  // Nothing of it is recorded, so every look finds the same.
  const network = lightningNetwork({ ...options, clock: systemClock });
  const first = firstBlock(parameters.genesisHash, systemClock.now());
  const position = { cursor: first, recent: [], unconfirmed: [] };
  const observe = async () => {
    const { blocks } = await network.observe(position);
    if (blocks.length !== PAID) throw new Error(`${blocks.length} payments, not ${PAID}`);
  };
  const fetchAndParse = async () => {
    for (const address of Object.keys(bodies)) {
      const [path = '', query] = address.split('?');
      const asked = { path, query: Object.fromEntries(new URLSearchParams(query)) };
      JSON.parse((await http.ask(asked)).body.toString());
    }
  };
  const named = { against: 'fetched and parsed', unit: 'ms' as const, aim: AIM };
  const name = `Lightning (${INVOICES.toLocaleString('en')} invoices of LND)`;
  try {
    return [figureOf({ ...named, name }, ...(await timeInTurns(TURNS, observe, fetchAndParse)))];
  } finally {
    await network.close();
    await canned.close();
  }
}

/** With all fields LND writes, the payment request of the usual length. */
function makeInvoice(index: number) {
  const preimage = randomBytes(32);
  const hash = createHash('sha256').update(preimage).digest();
  const isPaid = index % (INVOICES / PAID) === 0;
  const paid = isPaid ? '21000000' : '0';
  const htlc = {
    chan_id: '118747255865345',
    htlc_index: String(index),
    amt_msat: paid,
    accept_height: 120,
    accept_time: '1767268790',
    resolve_time: '1767268800',
    expiry_height: 203,
    state: 'SETTLED',
    custom_records: {},
    mpp_total_amt_msat: paid,
    amp: null,
    custom_channel_data: '',
  };
  const feature = { name: 'tlv-onion', is_required: true, is_known: true };
  const invoice = {
    memo: 'Payment abcdefghijkl',
    r_preimage: preimage.toString('base64'),
    r_hash: hash.toString('base64'),
    value: '21000',
    value_msat: '21000000',
    settled: isPaid,
    creation_date: '1767268700',
    settle_date: isPaid ? '1767268800' : '0',
    payment_request: `lnbcrt210u1${'q'.repeat(260)}`,
    description_hash: '',
    expiry: '3600',
    fallback_addr: '',
    cltv_expiry: '80',
    route_hints: [],
    private: true,
    add_index: String(index),
    settle_index: isPaid ? String(index) : '0',
    amt_paid: paid,
    amt_paid_sat: String(Number(paid) / 1000),
    amt_paid_msat: paid,
    state: isPaid ? 'SETTLED' : 'OPEN',
    htlcs: isPaid ? [htlc] : [],
    features: { 9: feature, 14: feature, 17: feature, 25: feature },
    is_keysend: false,
    payment_addr: randomBytes(32).toString('base64'),
    is_amp: false,
    amp_invoice_state: {},
    is_blinded: false,
    blinded_path_config: null,
  };
  return { paymentHash: hash.toString('hex'), invoice };
}
