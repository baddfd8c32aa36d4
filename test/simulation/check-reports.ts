// At the end of some stories: what the reports tell of the merchant is what the rows of payments,
// swaps and transfers say, and what is posted. The reports read the ledger in their own ways.
import { type Reader, type Statement, sql } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import {
  add as addDecimals,
  compare,
  type Decimal,
  decimalToText,
  parseWideDecimal,
  ZERO,
} from '#money/decimal.ts';
import type { Report, ReportRow } from '#report/report.ts';
import { REPORTS, VALUED_REPORTS } from '#report/reports.ts';
import { HOUSE_TABLES, housePeriod } from '#report/write-house.ts';
import { add, differences, type Sums, unitsOf } from '#test/support/year-sums.ts';
import type { Story } from './story.ts';

/** A seed costs as much as before: nine of ten are not asked. */
const EVERY = 10;
/** So few that a report has several pages. */
const LIMIT = 7;

export async function checkReports(story: Story): Promise<string[]> {
  if (story.seed % EVERY !== 0) return [];
  story.counters.reportsChecked += 1;
  const { db } = story.world;
  const balances = await sumsOf(db, postedOf(story, sql`p.owner = ${story.shop.merchantId}`));
  const broken = [
    ...(await checkBalances(story, balances)),
    ...(await checkEarned(story)),
    ...(await checkValued(story, balances)),
    ...(await checkTaxes(story)),
    ...(await checkHouse(story)),
  ];
  return broken.map((line) => `L13: ${line}`);
}

async function rowsOf({ world, shop }: Story, name: Report['name']): Promise<ReportRow[]> {
  const report = REPORTS.find((one) => one.name === name);
  const rows: ReportRow[] = [];
  for (let cursor: PagePlace | undefined; report !== undefined; ) {
    const period = { from: undefined, to: undefined, limit: LIMIT, cursor };
    const page = await report.read(world.db, { ...ownerOf(shop), ...period });
    rows.push(...page.rows);
    if (page.nextCursor === null) break;
    cursor = decodeCursor(page.nextCursor);
  }
  return rows;
}

const ownerOf = ({ merchantId, environment }: Story['shop']) => ({ merchantId, environment });

async function sumsOf(reader: Reader, statement: Statement): Promise<Sums> {
  type Row = { readonly name: string; readonly assetId: string; readonly units: bigint };
  const sums: Sums = new Map();
  for (const { name, assetId, units } of await reader.query<Row>(statement)) {
    add(sums, name, assetId, units);
  }
  return sums;
}

/** More of somebody's money is positive, as in the reports of a merchant. */
function postedOf({ shop }: Story, which: Statement): Statement {
  return sql`
    select a.code as name, a.asset_id as "assetId", -sum(p.units) as units
    from ledger_posting p join ledger_entry e on e.id = p.entry_id
      join ledger_account a on a.id = p.account_id
    where e.merchant_id = ${shop.merchantId} and ${which} group by 1, 2`;
}

async function checkBalances(story: Story, balances: Sums): Promise<string[]> {
  const [closing, moved]: [Sums, Sums] = [new Map(), new Map()];
  for (const { account, assetId, closing: units } of await rowsOf(story, 'balances')) {
    add(closing, account ?? '', assetId ?? '', unitsOf(units, assetId ?? ''));
  }
  for (const { account, assetId, amount } of await rowsOf(story, 'ledger')) {
    add(moved, account ?? '', assetId ?? '', unitsOf(amount, assetId ?? ''));
  }
  return [
    ...differences('reports/balances', balances, closing),
    ...differences('reports/ledger', balances, moved),
  ];
}

/** What became available, and what it cost, by the credits themselves. */
async function checkEarned(story: Story): Promise<string[]> {
  const { world, shop } = story;
  const told: Sums = new Map();
  for (const row of await rowsOf(story, 'settlements')) {
    const assetId = row.settlementAssetId ?? '';
    add(told, 'net', assetId, unitsOf(row.netAmount, assetId));
  }
  const earned = await sumsOf(
    world.db,
    sql`
      select 'net' as name, rc.settlement_asset_id as "assetId", sum(rc.net_units) as units
      from receipt_credit rc join checkout c on c.id = rc.checkout_id
      where c.merchant_id = ${shop.merchantId} and rc.reversed_at is null
        and (rc.account = 'available' or rc.released_at is not null) group by 2
      union all
      select 'net', dc.asset_id, sum(dc.net_units)
      from deposit_credit dc join deposit_address d on d.id = dc.deposit_address_id
      where d.merchant_id = ${shop.merchantId} and dc.reversed_at is null
        and dc.account = 'available' group by 2
      union all
      select 'net', s.asset_id, sum(s.units)
      from suspense s join suspense_act sa on sa.suspense_id = s.id and sa.kind = 'ASSIGN'
      where sa.merchant_id = ${shop.merchantId} and s.state = 'ASSIGNED' and not sa.is_payment
      group by 2`,
  );
  const fees: Sums = new Map();
  for (const { feeType, assetId, amount } of await rowsOf(story, 'fees')) {
    if (feeType === 'service') add(fees, 'fees', assetId ?? '', unitsOf(amount, assetId ?? ''));
  }
  const posted = await sumsOf(world.db, postedOf(story, sql`a.code = 'fees'`));
  return [
    ...differences('reports/settlements', earned, told),
    ...differences('reports/fees', posted, fees),
  ];
}

/** A unit that is worth nothing in the other asset was exchanged for nothing: that is no leg. */
const IS_LEG = sql`a.code = 'exchange' and exists (select 1 from ledger_posting q
  join ledger_account b on b.id = q.account_id
  where q.entry_id = e.id and b.code = 'exchange' and b.asset_id <> a.asset_id)`;

/** What is left is what there is, and what was exchanged is what was posted. */
async function checkValued(story: Story, balances: Sums): Promise<string[]> {
  const { world, shop } = story;
  const held: Sums = new Map();
  for (const [key, units] of balances) add(held, 'held', key.split(' ')[1] ?? '', units);
  const exchanged = await sumsOf(world.db, postedOf(story, IS_LEG));
  const broken: string[] = [];
  for (const method of ['fifo', 'average'] as const) {
    const asked = { ...ownerOf(shop), from: undefined, to: undefined, cursor: undefined };
    const left: Sums = new Map();
    const legs: Sums = new Map();
    for (const report of VALUED_REPORTS) {
      const wanted = { ...asked, currency: 'EUR', method };
      for await (const { row } of report.rows(world.db, wanted)) {
        if (report.name === 'conversions') addLegs(legs, row);
        else if (row.amountLeft != null) {
          left.set(`held ${row.assetId}`, unitsOf(row.amountLeft, row.assetId ?? ''));
        }
      }
    }
    broken.push(...differences(`reports/gains by ${method}`, held, left));
    broken.push(...differences('reports/conversions', exchanged, legs));
  }
  return broken;
}

/** What was given stands against the exchange, and what was got of it. */
function addLegs(legs: Sums, row: ReportRow): void {
  const [source, target] = [row.sourceAssetId ?? '', row.targetAssetId ?? ''];
  add(legs, 'exchange', source, unitsOf(row.sourceAmount, source));
  add(legs, 'exchange', target, -unitsOf(row.targetAmount, target));
}

/** In every row; all rows of a sale are no more than it, and not below nothing. */
async function checkTaxes(story: Story): Promise<string[]> {
  const broken: string[] = [];
  const totals = new Map<string, Decimal>();
  const tips = new Map<string, Decimal>();
  for (const { checkoutId, netTotal, taxAmount, total, tip: ofTip } of await rowsOf(
    story,
    'taxes',
  )) {
    const [net, tax, sum] = [netTotal, taxAmount, total].map((one) => parseWideDecimal(one ?? ''));
    if (net === undefined || tax === undefined || sum === undefined) continue;
    if (compare(addDecimals(net, tax), sum) !== 0) {
      broken.push(`reports/taxes: ${checkoutId}: ${netTotal} and ${taxAmount} are not ${total}`);
    }
    totals.set(checkoutId ?? '', addDecimals(totals.get(checkoutId ?? '') ?? ZERO, sum));
    const tipped = parseWideDecimal(ofTip ?? '0');
    tips.set(checkoutId ?? '', addDecimals(tips.get(checkoutId ?? '') ?? ZERO, tipped));
  }
  for (const { id, total, tip } of story.checkouts) {
    const left = totals.get(id);
    const isSold = story.known.states.get(id) === 'COMPLETED';
    if (isSold !== (left !== undefined)) broken.push(`reports/taxes: ${id} is sold: ${isSold}`);
    if (left === undefined) continue;
    if (compare(left, ZERO) < 0 || compare(left, parseWideDecimal(total)) > 0) {
      broken.push(`reports/taxes: of ${total} of ${id} there is ${decimalToText(left)}`);
    }
    // What went back takes its part of the tip along.
    const isWhole = compare(left, parseWideDecimal(total)) === 0;
    const given = compare(tips.get(id) ?? ZERO, parseWideDecimal(tip));
    if (isWhole ? given !== 0 : given > 0) {
      broken.push(
        `reports/taxes: of a tip of ${tip} of ${id} there is ${decimalToText(tips.get(id) ?? ZERO)}`,
      );
    }
  }
  return broken;
}

async function checkHouse({ world, service }: Story): Promise<string[]> {
  const asked = { environment: 'test', from: undefined, to: undefined } as const;
  const period = await housePeriod(service, asked);
  const table = HOUSE_TABLES.balances.rows(world.db, period);
  const all: Sums = new Map();
  for (const { group, assetId, closing } of (await Array.fromAsync(table)).flat()) {
    const units = unitsOf(closing, assetId ?? '');
    add(all, 'everything', assetId ?? '', DEBIT.includes(group ?? '') ? units : -units);
  }
  return differences('report house', new Map(), all);
}

const DEBIT = ['HOT', 'COLD', 'PROVIDER', 'IN_TRANSIT', 'SPENT'];
