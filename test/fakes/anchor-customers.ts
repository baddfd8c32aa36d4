// What an anchor on loopback wants to know about its customers (SEP-12), and when it asks for it: at the
// deposit with HTTP status 403, or in the state of a transfer that it has taken already (SEP-6).

import type { FakeRecord } from './stellar-ledger.ts';

export type FakeCustomers = {
  /** How it asks. */
  gate: 'deposit' | 'transfer';
  /** What it says of a customer who has told everything. */
  verdict: 'ACCEPTED' | 'PROCESSING' | 'REJECTED';
  /** SEP-9 fields it must know. */
  readonly wanted: Record<string, FakeRecord>;
  /** What it was told, as it came. */
  readonly told: FakeRecord[];
  /** Asked again although it was told. */
  forgetful: boolean;
  /** Answers to PUT; 202 and 200 are both right. */
  putStatus: number;
};

export type CustomerAnswer = FakeRecord & { httpStatus?: number };

export function customersOf(wanted: Record<string, FakeRecord>): FakeCustomers {
  return {
    gate: 'deposit',
    verdict: 'ACCEPTED',
    wanted,
    told: [],
    forgetful: false,
    putStatus: 202,
  };
}

export function missingFields({ wanted, told, forgetful }: FakeCustomers): [string, FakeRecord][] {
  return Object.entries(wanted).filter(([name, field]) => {
    return field.optional !== true && (forgetful || !told.some((one) => name in one));
  });
}

/** `GET` and `PUT /customer`. */
export function answerCustomer(
  customers: FakeCustomers,
  method: string | undefined,
  body: string,
): CustomerAnswer {
  if (method === 'PUT') {
    if (customers.putStatus >= 400) {
      return { httpStatus: customers.putStatus, error: 'that is no name' };
    }
    customers.told.push(JSON.parse(body) as FakeRecord);
    return { httpStatus: customers.putStatus, id: 'customer-1' };
  }
  const missing = missingFields(customers);
  if (missing.length > 0) {
    const optional = Object.entries(customers.wanted).filter(
      ([, field]) => field.optional === true,
    );
    return { status: 'NEEDS_INFO', fields: Object.fromEntries([...missing, ...optional]) };
  }
  const { verdict } = customers;
  return verdict === 'REJECTED'
    ? { status: verdict, message: 'on a list\u001b[31m' }
    : { status: verdict };
}

/** What the deposit is answered instead; undefined where it may go on. */
export function refusedDeposit(customers: FakeCustomers): CustomerAnswer | undefined {
  const missing = missingFields(customers).map(([name]) => name);
  if (missing.length > 0) {
    return { httpStatus: 403, type: 'non_interactive_customer_info_needed', fields: missing };
  }
  if (customers.verdict === 'ACCEPTED') return undefined;
  const status = customers.verdict === 'REJECTED' ? 'denied' : 'pending';
  return { httpStatus: 403, type: 'customer_info_status', status };
}
