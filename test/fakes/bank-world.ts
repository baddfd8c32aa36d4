// A shop that takes transfers in euro: the real adapter and the real import over a database of its own.

import { chainOf } from '#catalog/chain.ts';
import type { BankAccount } from '#networks/bank/bank-account.ts';
import type { EntryDecision } from '#networks/bank/decide-entries.ts';
import { importStatement } from '#networks/bank/import-bank-file.ts';
import { openBankNetworks } from '#networks/bank/open-bank-networks.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { type FakeStatement, OTHER_IBAN, OUR_IBAN, statementBytes } from './bank-statement.ts';

export const EUR = 'EUR:FIAT';

export const SEPA_ACCOUNT: BankAccount = {
  network: 'SEPA',
  account: OUR_IBAN,
  holder: 'Fern & Folio GmbH',
  bic: 'COBADEFFXXX',
  currencies: ['EUR'],
  pix: undefined,
};

export const SWIFT_ACCOUNT: BankAccount = {
  network: 'SWIFT',
  account: OTHER_IBAN,
  holder: 'Fern & Folio GmbH',
  bic: 'PSSTFRPPXXX',
  currencies: ['USD', 'EUR'],
  pix: undefined,
};

export type BankWorld = ForgedWorld & {
  readonly time: ManualClock;
  /** A checkout of so many cents; gives its id and reference. */
  open(cents: bigint): Promise<{ readonly id: string; readonly reference: string }>;
  /** As `quittance bank import` does it, statement by statement. @throws Refusal */
  import(...statements: readonly FakeStatement[]): Promise<EntryDecision[]>;
  importBytes(bytes: Uint8Array, account?: BankAccount): Promise<EntryDecision[]>;
  /** Everything that follows from what was imported. */
  follow(): Promise<void>;
};

export async function openBankWorld(seed = 1): Promise<BankWorld> {
  const time = manualClock('2026-01-01T12:00:00Z');
  const world = await openForgedWorld({
    clock: time,
    seed,
    networks: (parts) => openBankNetworks([SEPA_ACCOUNT, SWIFT_ACCOUNT], parts),
  });
  await world.observe();
  const importBytes = async (bytes: Uint8Array, account: BankAccount = SEPA_ACCOUNT) => {
    const decisions: EntryDecision[] = [];
    const chain = chainOf('live', account.network);
    const options = { chain, account, isDry: false, actor: 'operator' };
    for (const statement of readStatements(bytes)) {
      decisions.push(await importStatement(world.app, statement, options));
    }
    return decisions;
  };
  return {
    ...world,
    time,
    async open(cents) {
      const { checkoutId: id, instruction } = await world.createAndCommit('SEPA', EUR, cents);
      return { id, reference: instruction.memo ?? '' };
    },
    import: (...statements) => importBytes(statementBytes(...statements)),
    importBytes,
    async follow() {
      const failures = await world.observe();
      if (failures[0] !== undefined) throw failures[0];
      await world.settle();
    },
  };
}
