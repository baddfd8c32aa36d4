// The orders of the shop, in a file of SQLite. An order is paid once: the row decides, so that two
// webhooks and a customer who comes back at the same moment ship it once.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export type Order = {
  readonly number: string;
  readonly checkoutId: string | null;
  readonly total: string;
  readonly currency: string;
  readonly state: 'open' | 'paid';
};

const database = new DatabaseSync(process.env.SHOP_DATABASE ?? 'orders.db');
database.exec(`create table if not exists orders (
  number text primary key, checkoutId text unique, total text not null, currency text not null,
  state text not null default 'open')`);

export function openOrder(total: string, currency: string): string {
  const number = randomUUID();
  database
    .prepare('insert into orders (number, total, currency) values (?, ?, ?)')
    .run(number, total, currency);
  return number;
}

export function noteCheckout(number: string, checkoutId: string): void {
  database.prepare('update orders set checkoutId = ? where number = ?').run(checkoutId, number);
}

export function findOrder(number: string): Order | undefined {
  return database.prepare('select * from orders where number = ?').get(number) as Order | undefined;
}

export function findByCheckout(checkoutId: string): Order | undefined {
  const found = database.prepare('select * from orders where checkoutId = ?').get(checkoutId);
  return found as Order | undefined;
}

/** Whether this call made it paid. */
export function markPaid(number: string): boolean {
  const { changes } = database
    .prepare("update orders set state = 'paid' where number = ? and state = 'open'")
    .run(number);
  return changes === 1;
}
